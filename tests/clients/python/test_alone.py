"""What a device knows stands alone: the standard library, no seed, no float near a secret, no other randomness."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import deniable_client
from deniable_client import Mechanism, Survey
from deniable_client.mechanisms.remembered import Remembered
from tests.cases import each
from tests.house.house_tree import ROOT, SOURCE, named

PACKAGE = SOURCE / "protocol"
FILES = sorted(PACKAGE.rglob("*.py"))
WORDS = ROOT / "wire" / "sentences"
SAID = {"errors", "label", "language", "mechanism", "protection"}
"""Of each language the files that a device needs."""
SEALING = PACKAGE / "crowd.py"
"""The one file for which ``deniable-client[crowd]`` brings a package."""
DRAWING = [PACKAGE / f"{name}.py" for name in ("draws", "words", "hashes", "layouts", "headed_layouts")]


def imported(tree: ast.Module) -> Iterator[str]:
    """The packages that a file imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


@each("file", FILES, ids=named)
def test_only_the_standard_library_is_imported(file: Path) -> None:
    packages = set(imported(ast.parse(file.read_text(encoding="utf-8"))))
    brought = {"cryptography"} if file == SEALING else set[str]()
    assert packages <= (sys.stdlib_module_names - {"random"}) | brought


def test_what_needs_another_package_is_loaded_to_seal_alone() -> None:
    """Its import stands in one function, and in no other file."""
    statements = [
        (named(file), node.col_offset > 0)
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and file.parents[node.level - 1] / (node.module or "").replace(".", "/") == SEALING.with_suffix("")
    ]
    assert statements == [(named(PACKAGE / "device" / "sealing.py"), True)]


@each("file", FILES, ids=named)
def test_no_import_leaves_the_room(file: Path) -> None:
    depth = len(file.relative_to(PACKAGE).parts)
    nodes = [node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom)]
    assert [node.lineno for node in nodes if node.level > depth] == []


def test_the_wheel_holds_the_room_as_it_is() -> None:
    wheel = Path(deniable_client.__file__).parent
    held = {file.relative_to(wheel).as_posix(): file.read_bytes() for file in wheel.rglob("*") if is_source(file)}
    own = {file.relative_to(PACKAGE).as_posix(): file.read_bytes() for file in PACKAGE.rglob("*") if is_source(file)}
    words = {file.relative_to(WORDS): file.read_bytes() for file in WORDS.rglob("*.json") if file.stem in SAID}
    own |= {f"sentences/{name.as_posix()}": content for name, content in words.items()}
    assert wheel != PACKAGE
    assert held == own, "build it again: rm .venv/.client-ready && make .venv/.client-ready"


def is_source(file: Path) -> bool:
    """Whether it is a file of a package, and not what Python keeps beside one."""
    return file.is_file() and file.parent.name != "__pycache__"


@each("file", DRAWING, ids=named)
def test_there_is_no_float_between_a_secret_and_its_report(file: Path) -> None:
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    assert not [n for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, float)]
    assert not [n for n in nodes if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)]
    assert not [n for n in nodes if isinstance(n, ast.Name) and n.id == "float"]


def parameters(file: Path) -> set[str]:
    """The names of all parameters of a file's functions."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def test_nothing_takes_a_seed() -> None:
    assert {named(file) for file in FILES if parameters(file) & {"seed", "generator", "rng"}} == {
        named(PACKAGE / "hashes.py")
    }


@each("entry", [Mechanism.privatize, Survey.answer, Remembered.enrol, Remembered.again])
def test_what_a_device_calls_takes_no_words(entry: Callable[..., object]) -> None:
    assert len(inspect.signature(entry).parameters) <= 2


def test_the_polynomials_are_those_of_wire() -> None:
    assert (PACKAGE / "primitive.csv").read_bytes() == (ROOT / "wire" / "primitive.csv").read_bytes()
