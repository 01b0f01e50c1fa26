"""What a release refuses, and what it says of two folders; ``make release`` shows that all comes out alike twice."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import release
from tests.cases import each
from tests.house.house_tree import CLIENTS, ROOT


def test_all_files_say_the_same_version() -> None:
    assert len(set(map(frozenset, release.versions().values()))) == 1, release.versions()
    assert all(len(said) == 1 for said in release.versions().values())


@each("name", release.SAID)
def test_a_file_that_says_another_version_is_seen(name: str, tmp_path: Path) -> None:
    for each_name in release.SAID:
        (tmp_path / each_name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / each_name, tmp_path / each_name)
    [version] = release.versions()[name]
    file = tmp_path / name
    file.write_text(file.read_text("utf-8").replace(version, "7.8.9"), encoding="utf-8")
    assert {each_name for each_name, said in release.versions(tmp_path).items() if said == {"7.8.9"}} == {name}


def test_another_version_than_the_files_say_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"pyproject.toml must say 7\.8\.9, got \d+\.\d+\.\d+\n"):
        release.main(["7.8.9", "win_amd64"])


def test_a_release_without_a_version_is_refused() -> None:
    with pytest.raises(SystemExit, match="as in make release VERSION="):
        release.main(["win_amd64"])


def test_files_that_differ_are_named_and_so_are_those_that_lack(tmp_path: Path) -> None:
    first, again = tmp_path / "first", tmp_path / "again"
    for folder in (first, again):
        folder.mkdir()
        (folder / "same").write_bytes(b"1")
        (folder / "differs").write_bytes(folder.name.encode())
    (first / "alone").write_bytes(b"1")
    assert release.differing(first, again) == ["alone", "differs"]
    assert release.checksums(first).splitlines()[2].split() == [
        "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
        "same",
    ]


def test_each_package_has_the_licence() -> None:
    """A copy, since packages are made in folders of their own, and npm takes no link."""
    licence = (ROOT / "LICENSE").read_bytes()
    assert [(each / "LICENSE").read_bytes() == licence for each in sorted(CLIENTS.iterdir())] == [True, True]
