"""The shape of the code: short files and functions, a docstring for every public name, tests that assert."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.cases import each
from tests.house.house_tree import ROOT, SOURCE, Function, called, functions, named, python_files
from tests.house.inherited import documented_in_bases, inherits

IGNORED = re.compile(r"#\s*(?:noqa|type:\s*ignore|pragma:)", re.IGNORECASE)
"""What tells a tool to look away."""
FILE_LINES = 400
FUNCTION_LINES = 50
DOCUMENTED = ("src", "clients", "studies")
"""Folders whose public names have docstrings."""
INHERITING = '"""A."""\nclass C(Frame):\n    """C."""\n    {}'
"""A class whose base documents ``columns``."""
ASSERTING = ("assert", "check", "expect", "raises", "warns")
"""How names of functions begin that assert when they are called."""


def undocumented(tree: ast.Module, file: Path) -> Iterator[str]:
    """The public modules, classes, functions and methods of a file that have no docstring, nor inherit one."""
    if not ast.get_docstring(tree):
        yield "the module"
    yield from _undocumented_members(tree, "", file)


def _undocumented_members(parent: ast.Module | ast.ClassDef, prefix: str, file: Path) -> Iterator[str]:
    above = documented_in_bases(file, parent) if isinstance(parent, ast.ClassDef) else set[str]()
    for node in parent.body:
        if not isinstance(node, Function | ast.ClassDef) or node.name.startswith("_") or _is_variant(node):
            continue
        if not ast.get_docstring(node) and not (node.name in above and inherits(node)):
            yield prefix + node.name
        if isinstance(node, ast.ClassDef):
            yield from _undocumented_members(node, f"{prefix}{node.name}.", file)


def _is_variant(node: Function | ast.ClassDef) -> bool:
    """An overload or a setter: the docstring is with the function that it belongs to."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    return any(name.endswith(("overload", ".setter")) for name in decorators)


def idle_tests(tree: ast.Module) -> list[str]:
    """The tests of a file that assert nothing, neither themselves nor through a function of the file."""
    calls = [(f.name, _calls(f)) for f in functions(tree)]
    asserting: set[str] = set()
    found = True
    while found:  # a function that calls an asserting one asserts
        new = {
            name for name, called in calls if any(each in asserting or each.startswith(ASSERTING) for each in called)
        }
        found = not new <= asserting
        asserting |= new
    return [name for name, _ in calls if name.startswith("test_") and name not in asserting]


def _calls(function: Function) -> set[str]:
    """The names of what a function calls; a statement that asserts is called as it is written."""
    nodes = list(ast.walk(function))
    plain = {"assert"} if any(isinstance(node, ast.Assert) for node in nodes) else set[str]()
    return plain | {called(node) for node in nodes if isinstance(node, ast.Call)}


@each("file", python_files(*DOCUMENTED, "tests", "benchmarks", "examples", "scripts"), ids=named)
def test_a_file_has_the_shape_of_the_house(file: Path) -> None:
    """It is read once for all that is asked of it."""
    text, folder = file.read_text(encoding="utf-8"), file.relative_to(ROOT).parts[0]
    tree = ast.parse(text)
    long = {f.name: (f.end_lineno or 0) - f.lineno + 1 for f in functions(tree)}
    assert text.count("\n") <= FILE_LINES
    assert IGNORED.search(text) is None
    assert {name: lines for name, lines in long.items() if lines > FUNCTION_LINES} == {}
    assert folder not in DOCUMENTED or list(undocumented(tree, file)) == []
    assert folder != "tests" or idle_tests(tree) == []


@each(
    ("source", "missing"),
    [
        ("x = 1", ["the module"]),
        ('"""A."""\ndef f(): ...', ["f"]),
        ('"""A."""\nclass C:\n    """C."""\n    def m(self): ...', ["C.m"]),
        ('"""A."""\ndef _f(): ...\nclass _C:\n    def m(self): ...', []),
        ('"""A."""\n@overload\ndef f(): ...\ndef f():\n    """F."""', []),
        (INHERITING.format("def columns(self): ..."), []),
        (INHERITING.format("def other(self): ..."), ["C.other"]),
        (INHERITING.format("@cached_property\n    def columns(self): ..."), ["C.columns"]),
    ],
)
def test_a_missing_docstring_is_seen(source: str, missing: list[str]) -> None:
    assert list(undocumented(ast.parse(source), SOURCE / "reports" / "tally.py")) == missing


@each(
    ("source", "idle"),
    [
        ("def test_a():\n    f()", ["test_a"]),
        ("def test_a():\n    assert f()", []),
        ("def agree(x):\n    assert x\ndef near(x):\n    agree(x)\ndef test_a():\n    near(1)", []),
        ("def test_a():\n    with pytest.raises(ValueError):\n        f()", []),
    ],
)
def test_an_idle_test_is_seen(source: str, idle: list[str]) -> None:
    assert idle_tests(ast.parse(source)) == idle


@each("line", ["import os  # no" + "qa: F401", "x = 1  # type" + ": ignore[assignment]"])
def test_a_fault_that_is_ignored_is_seen(line: str) -> None:
    assert IGNORED.search(line)
