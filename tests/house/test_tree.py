"""The tree: tests mirror the source, and whatever is committed is text or of a kind that its first bytes tell."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

from tests.conftest import FIRST
from tests.house.house_tree import ROOT, SOURCE, STUDIES, named, python_files

TESTS = ROOT / "tests"
EXTRA = {
    "artefacts",
    "bench",
    "clients",
    "collector/abuse",
    "collector/faults",
    "mixer/faults",
    "examples",
    "first_hours",
    "fuzz",
    "hosts",
    "house",
    "wire",
}
"""Folders that test what lies outside the package, or no single folder of it, as faults."""


BYTES = {".png": b"\x89PNG\r\n\x1a\n", ".parquet": b"PAR1"}
"""Files that are no text, and how each kind begins. No program is among them: what runs is compiled where it runs."""


TOGETHER = "together"
"""Within a folder that mirrors one of code, the tests of what several of its files do together."""


def strays(files: list[Path]) -> list[str]:
    """The test files, relative to ``tests/``, that are named after no file or folder of code where they mirror it."""
    return [file.as_posix() for file in files if not _is_extra(file.parent) and not _is_at_home(file)]


def _is_extra(folder: Path) -> bool:
    return bool(folder.parts) and bool(EXTRA & {folder.parts[0], folder.as_posix()})


def _is_at_home(file: Path) -> bool:
    """Whether a file has its code, or what tests share a folder of code."""
    folder = file.parent.parent if file.parent.name == TOGETHER else file.parent
    tested = (ROOT if folder.parts[:1] == (STUDIES.name,) else SOURCE) / folder
    if folder != file.parent or not file.name.startswith("test_"):
        return tested.is_dir()
    name = file.stem.removeprefix("test_")
    return (tested / f"{name}.py").is_file() or (tested / name).is_dir()


def test_every_test_is_named_after_what_it_tests_or_stands_together() -> None:
    assert strays([file.relative_to(TESTS) for file in python_files("tests")]) == []


def borrowed(text: str) -> list[str]:
    """The test files from which a file imports something."""
    tree = ast.parse(text) if "test_" in text else ast.Module([], [])
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = [f"{node.module}.{each.name}" for node in nodes for each in node.names]
    return [name for name in names if re.match(r"tests\..*\btest_", name)]


def test_what_tests_share_stands_in_no_test_file() -> None:
    files = python_files("tests", "benchmarks")
    assert [named(file) for file in files if borrowed(file.read_text(encoding="utf-8"))] == []


def test_an_import_from_a_test_file_is_seen() -> None:
    assert borrowed("from tests.values.test_domain import LABELS") == ["tests.values.test_domain.LABELS"]
    assert borrowed("from tests.values import test_domain")
    assert not borrowed("from tests.lengths import by_length")


def test_the_files_to_begin_with_are_there() -> None:
    assert [name for name in FIRST if not (ROOT / name).is_file()] == []


def test_a_test_of_nothing_is_seen() -> None:
    files = [
        "attic/test_old.py",
        "theory/attic/test_old.py",
        "theory/attic/together/test_old.py",
        "theory/test_old.py",
        "studies/attic/test_old.py",
        "test_old.py",
        "theory/together/test_old.py",
        "theory/test_risk.py",
        "theory/worlds.py",
        "theory/risk/test_support.py",
        "studies/numbers/test_study.py",
        "conftest.py",
    ]
    assert strays([Path(file) for file in files]) == files[:6]


def test_every_extra_folder_is_there() -> None:
    assert [name for name in sorted(EXTRA) if not (TESTS / name).is_dir()] == []


def untyped(name: str, content: bytes) -> bool:
    """Whether a file is neither text nor one of the kinds that its name says."""
    if (begin := BYTES.get(Path(name).suffix)) is not None:
        return not content.startswith(begin)
    try:
        return "\0" in content.decode()
    except UnicodeDecodeError:
        return True


def test_whatever_is_committed_is_text_or_of_a_known_kind() -> None:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    files = [ROOT / name for name in names.split("\0") if name]
    assert len(files) > 1000
    assert [named(file) for file in files if file.is_file() and untyped(file.name, file.read_bytes())] == []


def test_a_program_among_the_files_is_seen() -> None:
    files = [("a.nbc", b"\x7fELF\2\1\1\0"), ("a.png", b"\x7fELF"), ("a.py", b"a = 1\n")]
    assert [untyped(*file) for file in files] == [True, True, False]
