"""Each artefact does, in an empty folder, what its own README promises, and the wheel passes the library's tests."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
import release
from check_wheels import LEFT_OUT
from tests.artefacts.installed import RELEASED, artefacts, environment, lend
from tests.clients.typescript.package import PACKAGE, lacking
from tests.house.house_tree import ROOMS, ROOT

COMPILERS = ("cc", "gcc", "clang", "c++", "g++", "clang++")
LIBRARY = [room for room in ROOMS[: ROOMS.index("mixer")] if (ROOT / "tests" / room).is_dir()]
"""The tests of the library: all run under ``make release``, else those of SAMPLE."""
SAMPLE = ("kernels/test_counts.py", "kernels/together/test_draws.py", "reports/test_tally.py", "values/test_domain.py")
NEEDING = (*LEFT_OUT, "tests/engines/test_spark.py", "tests/engines/test_spark_workers.py")
"""Tests that compile, and those of a cluster that has what it needs from elsewhere."""


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return artefacts(tmp_path_factory.mktemp("artefacts"))


@pytest.fixture(scope="module")
def python(handed_out: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment(tmp_path_factory.mktemp("environment"), handed_out)


def only(folder: Path, pattern: str) -> Path:
    """The one file of a kind."""
    [found] = folder.glob(pattern)
    return found


def readme(wheel: Path) -> str:
    """What a registry shows of a wheel."""
    with zipfile.ZipFile(wheel) as opened:
        [name] = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        return opened.read(name).decode()


def examples(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def said(*command: str | Path, at: Path, path: str) -> str:
    """What a command prints that knows of no checkout."""
    done = subprocess.run(
        command, cwd=at, env={"PATH": path, "MPLBACKEND": "Agg"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def test_the_library_does_what_its_readme_shows(handed_out: Path, python: Path, tmp_path: Path) -> None:
    text = readme(min(handed_out.glob("deniable-*.whl")))
    assert str(python.parents[1]) in said(
        python, "-c", "import deniable; print(deniable.__file__)", at=tmp_path, path=""
    )
    assert said(python, "-c", "\n".join(examples(text, "python")), at=tmp_path, path="")
    commands = re.findall(r"^\$ (deniable .*)$", text, re.MULTILINE)
    assert len(commands) > 2
    for command in commands:
        assert said("/bin/sh", "-c", command, at=tmp_path, path=f"{python.parent}")


def test_a_device_does_what_the_client_s_readme_shows(handed_out: Path, tmp_path: Path) -> None:
    """Its wheel was made of the source archive, and one that is made of the checkout has the same bytes."""
    wheel = only(handed_out, "deniable_client-*.whl")
    alone = release.installed(tmp_path / "environment", handed_out, ["deniable-client"])
    example, *_ = examples(readme(wheel), "python")
    assert "0.787" in said(alone, "-c", example, at=tmp_path, path="")
    if not RELEASED:  # what is released was compared so by scripts/release.py
        release.hatch("wheel", ROOT / release.CLIENT, tmp_path)
        assert only(tmp_path, "*.whl").read_bytes() == wheel.read_bytes()


@pytest.mark.skipif(lacking() is not None, reason="Node and npm are needed to install")
def test_an_app_does_what_npm_s_readme_shows(handed_out: Path, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    if not RELEASED:
        request.getfixturevalue("built")
        release.run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", tmp_path, at=PACKAGE)
    archive = only(handed_out if RELEASED else tmp_path, "*.tgz")
    release.run("npm", "install", "--silent", "--offline", "--no-package-lock", archive, at=tmp_path)
    installed = tmp_path / "node_modules" / "deniable"
    assert (installed / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    example, *_ = examples((installed / "README.md").read_text("utf-8"), "js")
    (tmp_path / "example.mjs").write_text(example, encoding="utf-8")
    assert "0.78698604" in release.run("node", "example.mjs", at=tmp_path)


def test_the_wheel_passes_the_library_s_tests_without_a_compiler(python: Path) -> None:
    """The modules of the checkout are not on the way, and no program is but those of the environment."""
    lend(python)
    path = str(python.parent)
    assert [name for name in COMPILERS if shutil.which(name, path=path)] == []
    told = ["-c", "import deniable, deniable_client; print(deniable.__file__, deniable_client.__file__)"]
    assert said(python, *told, at=ROOT, path=path).count(str(python.parents[1])) == 2
    chosen = LIBRARY if RELEASED else SAMPLE
    options = [
        "-n",
        "2" if RELEASED else "0",
        "--dist",
        "loadfile",
        "-p",
        "no:cacheprovider",
        "-k",
        "not files_beside_it",
    ]
    options += [f"--ignore={name}" for name in NEEDING]
    print(said(python, "-m", "pytest", *options, *(f"tests/{name}" for name in chosen), at=ROOT, path=path))
