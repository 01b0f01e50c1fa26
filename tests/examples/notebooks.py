"""Runs a notebook as Jupyter would: cell after cell in one namespace; what a cell ends with is shown."""

from __future__ import annotations

import ast
import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Shown:
    """What the last line of a cell was, and what a notebook draws of it."""

    value: Any
    html: str


def cells(path: Path, kind: str = "code") -> list[str]:
    """The cells of a kind, as they stand in the file."""
    return [
        "".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == kind
    ]


def run(path: Path) -> list[Shown]:
    """Everything that the cells show."""
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = [_run(source, f"{path.name}, cell {number}", names) for number, source in enumerate(cells(path), 1)]
    return [each for each in shown if each is not None]


def _run(source: str, where: str, names: dict[str, Any]) -> Shown | None:
    *body, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        exec(compile(source, where, "exec"), names)
        return None
    exec(compile(ast.Module(body, []), where, "exec"), names)
    value = eval(compile(ast.Expression(last.value), where, "eval"), names)
    return None if value is None else Shown(value, shown(value))


def shown(value: Any) -> str:
    """What a notebook draws of a value: a picture, a page, or else the text of a terminal."""
    if hasattr(value, "_repr_png_"):
        return f'<img src="data:image/png;base64,{base64.b64encode(value._repr_png_()).decode()}">'
    return str(value._repr_html_()) if hasattr(value, "_repr_html_") else repr(value)
