"""Runs a notebook as Jupyter would: cell after cell in one namespace; what a cell ends with is shown.

``python -m tests.examples.notebooks`` writes what the cells show into the notebooks.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "examples" / "notebooks").glob("*.ipynb"))
Book = dict[str, Any]
"""A notebook as JSON."""


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


def executed(path: Path) -> Book:
    """The notebook with what its cells show."""
    names: dict[str, Any] = {"__name__": "__main__"}
    book: Book = json.loads(path.read_text("utf-8"))
    for number, cell in enumerate((cell for cell in book["cells"] if cell["cell_type"] == "code"), 1):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            found = _run("".join(cell["source"]), f"{path.name}, cell {number}", names)
        printed = {"name": "stdout", "output_type": "stream", "text": said.getvalue().splitlines(keepends=True)}
        ended = {"data": data(found.value), "execution_count": number, "metadata": {}} if found else {}
        cell["outputs"] = [printed] * bool(said.getvalue())
        cell["outputs"] += [{**ended, "output_type": "execute_result"}] * bool(found)
        cell["execution_count"] = number
    return book


def data(value: Any) -> dict[str, Any]:
    """What a notebook keeps of a value: a picture, or a page and the text of a terminal."""
    if hasattr(value, "_repr_png_"):
        return {"image/png": base64.b64encode(value._repr_png_()).decode()}
    page = {"text/html": lines(value._repr_html_())} if hasattr(value, "_repr_html_") else {}
    return {**page, "text/plain": lines(str(value) if page else repr(value))}


def lines(text: str) -> list[str]:
    """A text as notebooks hold it."""
    return text.splitlines(keepends=True)


def written(book: Book) -> str:
    """The text of a notebook's file."""
    return json.dumps(book, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


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


if __name__ == "__main__":
    for notebook in NOTEBOOKS:
        notebook.write_text(written(executed(notebook)), encoding="utf-8")
