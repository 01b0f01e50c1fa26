"""A rule of the protocol is written once in Python: no function of it stands again elsewhere in the library."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tests.house.house_tree import SOURCE

PROTOCOL = SOURCE / "protocol"
SMALL = 30
"""Bodies of fewer syntax nodes, a return of one call for instance, are alike by chance."""


def bodies(files: Iterator[Path]) -> Iterator[tuple[str, str]]:
    """Each function's place, and what it does: its statements without its docstring."""
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                does = node.body[ast.get_docstring(node) is not None :]
                if sum(1 for statement in does for _ in islice(ast.walk(statement), SMALL)) >= SMALL:
                    yield f"{file.relative_to(SOURCE)}:{node.name}", "\n".join(map(ast.dump, does))


def twice(own: Iterator[Path], others: Iterator[Path]) -> list[tuple[str, str]]:
    """The functions of others that do what one of the first does, word for word."""
    known = {does: place for place, does in bodies(own)}
    return [(place, known[does]) for place, does in bodies(others) if does in known]


def test_no_function_of_the_protocol_stands_twice() -> None:
    own = sorted(PROTOCOL.rglob("*.py"))
    others = [file for file in sorted(SOURCE.rglob("*.py")) if not file.is_relative_to(PROTOCOL)]
    assert len(own) > 50
    assert len(others) > 300
    assert twice(iter(own), iter(others)) == []


def test_a_copy_is_seen() -> None:
    """Whatever its name and its docstring."""
    file = PROTOCOL / "odds.py"
    assert twice(iter([file]), iter([file])) != []
