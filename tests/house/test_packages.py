"""What the packages hold: the studies are in the source archive, and no wheel has them."""

from __future__ import annotations

import runpy
import shutil
import tarfile
import zipfile
from pathlib import Path

from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from tests.house.house_tree import CLIENTS, ROOT, STUDIES, named, python_files


def held(builder: type[SdistBuilder | WheelBuilder]) -> set[str]:
    """The paths of all files that a package takes from the project."""
    return {file.distribution_path for file in builder(str(ROOT)).recurse_included_files()}


def test_the_wheel_holds_the_package_and_no_study() -> None:
    files = held(WheelBuilder)
    assert "deniable/cli/reproduce.py" in files
    assert {file.split("/")[0] for file in files} == {"deniable"}
    assert [file for file in files if STUDIES.name in file] == []


def test_the_source_archive_holds_every_study() -> None:
    files = held(SdistBuilder)
    studies = {named(file) for file in python_files("studies")}
    assert len(studies) > 50
    assert studies <= files
    assert {"studies/printed/wang2016_table1.csv", "src/deniable/cli/reproduce.py"} <= files


def test_a_wheel_made_where_links_are_paths_holds_the_sentences(tmp_path: Path) -> None:
    """As in a checkout on Windows, where Git writes the path that a link would have."""
    for folder in ("src/deniable/protocol", "wire/sentences", "clients/python"):
        shutil.copytree(ROOT / folder, tmp_path / folder, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for link in (tmp_path / "src/deniable/protocol/sentences").iterdir():
        target = str(link.readlink())
        link.unlink()
        link.write_text(target, encoding="utf-8")
    [made] = WheelBuilder(str(tmp_path / "clients/python")).build(directory=str(tmp_path))
    with zipfile.ZipFile(made) as wheel:
        assert len(wheel.namelist()) == len(set(wheel.namelist()))
        held = {name for name in wheel.namelist() if name.startswith("deniable_client/sentences/")}
        said = ("errors", "label", "language", "mechanism", "protection")
        assert held == {f"deniable_client/sentences/{code}/{name}.json" for code in ("de", "en") for name in said}
        for name in held:
            file = ROOT / "wire/sentences" / name.removeprefix("deniable_client/sentences/")
            assert wheel.read(name) == file.read_bytes()


def test_the_clients_source_archive_holds_all_that_its_wheel_does(tmp_path: Path) -> None:
    """So that a wheel is made of it where nothing else of the project is."""
    [archive] = SdistBuilder(str(CLIENTS / "python")).build(directory=str(tmp_path))
    with tarfile.open(archive) as held:
        names = held.getnames()
        held.extractall(tmp_path, filter="data")
    assert len(names) == len(set(names))
    folder = Path(archive.removesuffix(".tar.gz"))
    wheels = [
        WheelBuilder(str(root)).build(directory=str(into))
        for root, into in ((CLIENTS / "python", tmp_path / "checkout"), (folder, tmp_path / "archive"))
    ]
    of_checkout, of_archive = (contents(Path(made)) for [made] in wheels)
    assert "deniable_client/device/__init__.py" in of_checkout
    assert of_archive == of_checkout


def contents(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel, without the list of them, whose order may differ."""
    with zipfile.ZipFile(wheel) as held:
        return {name: held.read(name) for name in held.namelist() if not name.endswith("/RECORD")}


def test_the_librarys_wheel_takes_the_sentences_from_where_they_stand() -> None:
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))["sentences"]
    assert hook(ROOT) == {
        str(language): f"deniable/protocol/sentences/{language.name}"
        for language in (ROOT / "wire/sentences").iterdir()
    }
