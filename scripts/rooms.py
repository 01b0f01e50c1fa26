"""Pages of rooms list the files of the code by what their docstrings say first, so that it is written once.

A hook of MkDocs; mkdocs.yml names it. A fence of ``files`` holds a folder, and becomes a table of the files in it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```files\n(.*?)\n```$", re.DOTALL | re.MULTILINE)
PACKAGE = "__init__.py"


def on_page_markdown(markdown: str, **_page: object) -> str:
    r"""The page with its tables of files.

    >>> page = on_page_markdown("Does it hold?\n\n```files\nsrc/deniable/audit\n```\n")
    >>> "| `exact.py` | " in page, "```" in page
    (True, False)
    """
    return FENCE.sub(lambda found: table(ROOT / found[1]), markdown)


def table(folder: Path) -> str:
    """The files of a folder and of those in it, each folder with what its package says."""
    return "\n".join(["| file | holds |", "|---|---|", *_rows(folder, folder)])


def _rows(folder: Path, room: Path) -> Iterator[str]:
    for file in sorted(folder.glob("*.py")):
        if file.name != PACKAGE:
            yield f"| `{file.relative_to(room).as_posix()}` | {first_words(file)} |"
    for package in sorted(folder.glob(f"*/{PACKAGE}")):
        inner = package.parent
        yield f"| **`{inner.relative_to(room).as_posix()}/`** | {first_words(package)} |"
        yield from _rows(inner, room)


def first_words(file: Path) -> str:
    """The first paragraph of a file's docstring, in one line."""
    said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(said.partition("\n\n")[0].split()).replace("|", r"\|")
