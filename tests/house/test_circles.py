"""No files import each other in a circle; imports for types alone and those inside functions count too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from tests.house.house_tree import ROOT, SOURCE, called, python_files

LOADING = {"import_module", "__import__"}
Texts = dict[str, str]
"""The texts of modules by their dotted names; a package stands for its ``__init__.py``."""


def module_name(file: Path) -> str:
    """The dotted name of a file of the package or the studies."""
    parts = file.relative_to(SOURCE.parent if file.is_relative_to(SOURCE) else ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def reached(node: ast.AST, package: list[str]) -> Iterator[str]:
    """The names that one statement or call of a module in this package imports, its members among them."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package[: len(package) - node.level + 1] if node.level else []
        module = ".".join([*above, *([node.module] if node.module else [])])
        yield from (f"{module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Call) and called(node) in LOADING and isinstance(node.args[0], ast.Constant):
        yield str(node.args[0].value)


def imports(texts: Texts) -> dict[str, set[str]]:
    """Which of the modules each imports; packages on the way to a module are not counted, unless they are named."""
    packages = {name.rpartition(".")[0] for name in texts}
    found: dict[str, set[str]] = {}
    for module, text in texts.items():
        package = module.split(".") if module in packages else module.split(".")[:-1]
        names = {name for node in ast.walk(ast.parse(text)) for name in reached(node, package)}
        modules = {name if name in texts else name.rpartition(".")[0] for name in names}
        found[module] = (modules & texts.keys()) - {module}
    return found


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """One circle of imports, from a module to itself; empty if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_no_files_import_each_other_in_a_circle() -> None:
    texts = {module_name(file): file.read_text(encoding="utf-8") for file in python_files("src/deniable", "studies")}
    graph = imports(texts)
    assert sum(map(len, graph.values())) > 500
    assert circle(graph) == []


@pytest.mark.parametrize(
    "line",
    [
        "from p.room import b",
        "from p.room.b import f",
        "import p.room.b as b",
        "from . import b",
        "from .b import f",
        "def lazy():\n    from p.room.b import f",
        "if TYPE_CHECKING:\n    from p.room.b import f",
        "import importlib\nimportlib.import_module('p.room.b')",
    ],
)
def test_a_planted_circle_is_seen(line: str) -> None:
    texts = {
        "p": "",
        "p.room": "",
        "p.room.a": line,
        "p.room.b": "from p.room.c import f",
        "p.room.c": "import p.room.a",
    }
    assert set(circle(imports(texts))) == {"p.room.a", "p.room.b", "p.room.c"}
    assert circle(imports({**texts, "p.room.c": "import p.room"})) == []
