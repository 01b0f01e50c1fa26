"""Docstrings that methods inherit: ``help`` and the reference show that of the base where an override has none."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.house.house_tree import SOURCE, Function


@cache
def parsed(file: Path) -> ast.Module:
    """The syntax of a file, read once."""
    return ast.parse(file.read_text(encoding="utf-8"))


def documented_in_bases(file: Path, node: ast.ClassDef) -> set[str]:
    """The methods that have a docstring in a base of the class, as far as the bases are of this package."""
    found = set[str]()
    for base in node.bases:
        written = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
        home = _home(file, written)
        if home is not None:
            found |= documented(*home) | documented_in_bases(*home)
    return found


def documented(_file: Path, node: ast.ClassDef) -> set[str]:
    """The methods of a class that have a docstring of their own."""
    return {each.name for each in node.body if isinstance(each, Function) and ast.get_docstring(each)}


def inherits(node: ast.AST) -> bool:
    """Whether Python looks for the docstring of this in the bases, which it does not for what is cached."""
    decorators = node.decorator_list if isinstance(node, Function) else []
    return isinstance(node, Function) and not any("cached_property" in ast.unparse(each) for each in decorators)


def _home(file: Path, written: str) -> tuple[Path, ast.ClassDef] | None:
    """Where a class stands that a file names: in the file, or in another of the package from which it is imported.

    ``written`` may be of a module too, as in ``arms.Part``.
    """
    name, _, member = written.partition(".")
    for node in parsed(file).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return file, node
        if isinstance(node, ast.ImportFrom):
            for alias in (each for each in node.names if (each.asname or each.name) == name):
                place = _place(file, node)
                module = place.joinpath(alias.name) if member else place
                found = module.with_suffix(".py")
                return _home(found, member or alias.name) if found.is_file() else None
    return None


def _place(file: Path, node: ast.ImportFrom) -> Path:
    """Where the module of an import stands, without the end of its name."""
    folder = file.parents[node.level - 1] if node.level else SOURCE.parent
    return folder.joinpath(*(node.module or "").split("."))
