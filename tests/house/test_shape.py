"""The shape of the code: short files and functions, a docstring for every public name, tests that assert."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.house_tree import Function, functions, named, python_files

FILE_LINES = 400
FUNCTION_LINES = 50
ASSERTING = ("assert", "check", "expect", "raises", "warns")
"""How names of functions begin that assert when they are called."""


def undocumented(tree: ast.Module) -> Iterator[str]:
    """The public modules, classes, functions and methods of a file that lack a docstring."""
    if not ast.get_docstring(tree):
        yield "the module"
    yield from _undocumented_members(tree, "")


def _undocumented_members(parent: ast.Module | ast.ClassDef, prefix: str) -> Iterator[str]:
    for node in parent.body:
        if not isinstance(node, Function | ast.ClassDef) or node.name.startswith("_") or _is_variant(node):
            continue
        if not ast.get_docstring(node):
            yield prefix + node.name
        if isinstance(node, ast.ClassDef):
            yield from _undocumented_members(node, f"{prefix}{node.name}.")


def _is_variant(node: Function | ast.ClassDef) -> bool:
    """An overload or a setter: the docstring is with the function that it belongs to."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    return any(name.endswith(("overload", ".setter")) for name in decorators)


def idle_tests(tree: ast.Module) -> list[str]:
    """The tests of a file that assert nothing, neither themselves nor through a function of the file."""
    asserting: set[str] = set()
    found = True
    while found:  # a function that calls an asserting one asserts
        new = {f.name for f in functions(tree) if f.name not in asserting and _asserts(f, asserting)}
        asserting |= new
        found = bool(new)
    return [f.name for f in functions(tree) if f.name.startswith("test_") and f.name not in asserting]


def _asserts(function: Function, known: set[str]) -> bool:
    called = {ast.unparse(n.func).rpartition(".")[2] for n in ast.walk(function) if isinstance(n, ast.Call)}
    plain = any(isinstance(node, ast.Assert) for node in ast.walk(function))
    return plain or any(name in known or name.startswith(ASSERTING) for name in called)


@pytest.mark.parametrize(
    "file", python_files("src", "clients", "studies", "tests", "benchmarks", "examples", "scripts"), ids=named
)
def test_files_and_functions_are_short(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    long = {f.name: (f.end_lineno or 0) - f.lineno + 1 for f in functions(ast.parse(text))}
    assert text.count("\n") <= FILE_LINES
    assert {name: lines for name, lines in long.items() if lines > FUNCTION_LINES} == {}


@pytest.mark.parametrize("file", python_files("src", "clients", "studies"), ids=named)
def test_every_public_name_has_a_docstring(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assert list(undocumented(tree)) == []


@pytest.mark.parametrize("file", python_files("tests"), ids=named)
def test_every_test_asserts_something(file: Path) -> None:
    assert idle_tests(ast.parse(file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("source", "missing"),
    [
        ("x = 1", ["the module"]),
        ('"""A."""\ndef f(): ...', ["f"]),
        ('"""A."""\nclass C:\n    """C."""\n    def m(self): ...', ["C.m"]),
        ('"""A."""\ndef _f(): ...\nclass _C:\n    def m(self): ...', []),
        ('"""A."""\n@overload\ndef f(): ...\ndef f():\n    """F."""', []),
    ],
)
def test_a_missing_docstring_is_seen(source: str, missing: list[str]) -> None:
    assert list(undocumented(ast.parse(source))) == missing


@pytest.mark.parametrize(
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
