"""What the packages hold: the studies are in the source archive, and no wheel has them."""

from __future__ import annotations

from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from tests.house.house_tree import ROOT, STUDIES, named, python_files


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
