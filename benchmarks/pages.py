"""Tables within a page of the documentation: each between its own marks, so that a run replaces just its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose first column is text and whose others are numbers."""
    rule = ["---", *["---:"] * (len(headings) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [headings, rule, *rows])


def with_part(page: str, name: str, text: str) -> str:
    """The page with ``text`` between the marks of that name."""
    first, last = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, found, rest = page.partition(first)
    _, closed, after = rest.partition(last)
    if not found or not closed:
        raise ValueError(f"the page has no part between {first} and {last}")
    return f"{before}{first}\n\n{text}\n\n{last}{after}"
