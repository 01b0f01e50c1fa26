"""The tests mirror the source: a folder of tests is named after the folder whose files it tests."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import FIRST
from tests.house.house_tree import ROOT, SOURCE, python_files

TESTS = ROOT / "tests"
EXTRA = {
    "bench",
    "clients",
    "collector/abuse",
    "collector/faults",
    "examples",
    "first_hours",
    "fuzz",
    "house",
    "studies",
    "wire",
}
"""Folders that test what lies outside the package, or no single folder of it, as ``studies`` and faults."""


def strays(files: list[Path]) -> list[str]:
    """The test files, relative to ``tests/``, in whose place the package has no folder, or at the top no file."""
    found = []
    for file in files:
        folder = file.parent
        if folder.parts and EXTRA & {folder.parts[0], folder.as_posix()}:
            continue
        at_top = not folder.parts and file.name.startswith("test_")
        tested = SOURCE / file.name.removeprefix("test_") if at_top else SOURCE / folder
        if not tested.exists():
            found.append(file.as_posix())
    return found


def test_every_folder_of_tests_mirrors_one_of_the_package() -> None:
    assert strays([file.relative_to(TESTS) for file in python_files("tests")]) == []


def test_the_files_to_begin_with_are_there() -> None:
    assert [name for name in FIRST if not (ROOT / name).is_file()] == []


def test_a_folder_that_mirrors_nothing_is_seen() -> None:
    files = [
        "attic/test_old.py",
        "theory/attic/test_old.py",
        "test_old.py",
        "theory/risk/test_support.py",
        "conftest.py",
    ]
    assert strays([Path(file) for file in files]) == ["attic/test_old.py", "theory/attic/test_old.py", "test_old.py"]


def test_every_extra_folder_is_there() -> None:
    assert [name for name in sorted(EXTRA) if not (TESTS / name).is_dir()] == []
