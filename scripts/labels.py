"""Privacy labels on pages as people get them: tables and sentences in HTML, not the text of a terminal.

A hook of MkDocs; mkdocs.yml names it. A fence of ``label`` holds a line of Python whose value shows itself, after what
the page's Python above it did.
"""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
from typing import Any

FENCE = re.compile(r"^```label\n(.*?)\n```$", re.MULTILINE)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def on_page_markdown(markdown: str, **_page: object) -> str:
    r"""The page with its labels below the lines that show them.

    >>> page = "```python\nimport deniable as dn\n```\n\n```label\ndn.label(dn.Subset(4, 1.0))\n```\n"
    >>> [mark in on_page_markdown(page) for mark in ("```label", "<table>", "at most 2.72 times likelier")]
    [False, True, True]
    """
    first = FENCE.search(markdown)
    if first is None:
        return markdown
    names = after("\n".join(PYTHON.findall(markdown[: first.start()])))
    return FENCE.sub(lambda found: f"```python\n{found[1]}\n```\n\n{shown(eval(found[1], names))}", markdown)


def after(code: str) -> dict[str, Any]:
    """The names after the code, which may write into a folder of its own and print."""
    names: dict[str, Any] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        exec(code, names)
    return names


def shown(value: Any) -> str:
    """What a notebook shows of a value, as one piece of HTML."""
    return f'<div class="privacy-label">{"".join(value._repr_html_().splitlines())}</div>'
