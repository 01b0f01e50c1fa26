"""The source tree as the house tests see it."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "deniable"
CLIENTS = ROOT / "clients"
STUDIES = ROOT / "studies"

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
DOCS = ROOT / "docs"
PUBLIC = "__init__"
"""The package itself: it gathers the names of every room but the last."""
ROOMS = (
    "protocol", "version", "arrays", "checks", "arrow", "values", "kernels", "theory", "privacy",
    "estimation", "reports", "mechanisms", "audit", "planning", "surveys", "engines", "intake", "mixer", "collector",
    "pages",
    PUBLIC, "cli",
)  # fmt: skip


def python_files(*folders: str) -> list[Path]:
    """Every Python file below the folders of the repository, in order."""
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))


def named(file: Path) -> str:
    """A file as it is called in this repository."""
    return file.relative_to(ROOT).as_posix()


def functions(tree: ast.AST) -> Iterator[Function]:
    """Every function of a tree, methods and inner ones too."""
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def called(node: ast.Call) -> str:
    """The last name of what is called: ``f`` for ``f()`` and for ``a.b.f()``."""
    return str(getattr(node.func, "attr", getattr(node.func, "id", "")))


def words(page: str) -> str:
    """A page with its lines joined, so that a sentence is found wherever it is broken."""
    return " ".join((DOCS / page).read_text(encoding="utf-8").split())
