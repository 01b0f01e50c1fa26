"""A table of texts for people: aligned in the terminal, HTML in a notebook. Every table that is printed is one."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from html import escape
from textwrap import fill

from deniable.estimation.bars import Bar, span_of, svg
from deniable.estimation.export import NOT_ASKED, written_label
from deniable.protocol.say import Phrase

GAP = "   "
"""Between two columns of text."""
WIDTH: ContextVar[int | None] = ContextVar("WIDTH", default=None)
"""The places of a line where it is printed; None where lines may be of any length."""
NARROWEST = 20
STYLE = (
    "<style>"
    ".deniable{overflow-x:auto}"
    ".deniable table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.4em 0}"
    ".deniable caption{text-align:left;padding-bottom:.3em}"
    ".deniable th,.deniable td{padding:.15em .7em;text-align:right;white-space:nowrap;background:none}"
    ".deniable th:first-child,.deniable td:first-child{text-align:left}"
    ".deniable thead th{border-bottom:1px solid;font-weight:600}"
    ".deniable tbody th{font-weight:400}"
    ".deniable svg{vertical-align:middle}"
    ".deniable p{margin:.2em 0;max-width:44em}"
    "</style>"
)
"""No colours: the notebook's own, light or dark, are inherited."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts under headings, with lines below. The first column is to the left, numbers are to the right.

    ``bars`` are drawn beside the rows where pictures can be: in HTML, one for each row.

    >>> print(Table("Two labels", ("label", "share"), [("yes", "30%"), ("no", "70%")], ["of 10 people"]))
    Two labels
     label   share
     ─────────────
     yes       30%
     no        70%
    of 10 people
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    bars: Sequence[Bar] = ()

    def __str__(self) -> str:
        lines, width = self._lines(), WIDTH.get()
        if width is None:
            return "\n".join([*lines, *self.notes])
        width = max(width, NARROWEST)
        if max(map(_cells, lines)) > width:
            lines = self._folded(width)
        return "\n".join([*lines, *(fill(note, width) for note in self.notes)])

    def _folded(self, width: int) -> list[str]:
        """Row below row, a line for each cell: for screens that are narrower than the table."""
        widest = max(map(_cells, self.headings[1:]), default=0)
        lines = [fill(self.title, width)]
        for row in self.rows:
            lines.append(fill(row[0], width))
            cells = list(zip(self.headings[1:], row[1:], strict=True))
            aligned = [f"  {name}{' ' * (widest - _cells(name))}{GAP}{cell}" for name, cell in cells]
            if max(map(_cells, aligned), default=0) > width:
                aligned = [fill(f"  {name}: {cell}", width, subsequent_indent="    ") for name, cell in cells]
            lines += aligned
        return lines

    def _lines(self) -> list[str]:
        """The title and the rows under their headings."""
        columns = zip(self.headings, *self.rows, strict=True)
        widths = [max(map(_cells, column)) for column in columns]
        head, *rows = (_line(row, widths) for row in (self.headings, *self.rows))
        rule = " " + "─" * (sum(widths) + len(GAP) * (len(widths) - 1))
        return [self.title, head, rule, *rows]

    def _repr_html_(self) -> str:
        headings, rows = [escape(heading) for heading in self.headings], [list(map(escape, row)) for row in self.rows]
        if self.bars:
            span = span_of(list(self.bars))
            headings.append(f"{100 * span[0]:.3g}% to {100 * span[1]:.3g}%")
            for row, bar in zip(rows, self.bars, strict=True):
                row.append(svg(bar, span))
        head = _tags("tr", [_tags("th", [each], 'scope="col"') for each in headings])
        body = [_row(row) for row in rows]
        parts = [_tags("caption", [escape(self.title)]), _tags("thead", [head]), _tags("tbody", body)]
        notes = (_tags("p", [escape(note)]) for note in self.notes)
        return _tags("div", [STYLE, _tags("table", parts), *notes], 'class="deniable"')


class Tabled(ABC):
    """What is printed as tables, and shown as them in a notebook."""

    __slots__ = ()

    @abstractmethod
    def table(self) -> Table:
        """The rows for people."""

    def tables(self) -> list[Table]:
        """All there is to print."""
        return [self.table()]

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.tables()))

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self.tables())


def sentences_text(sentences: Iterable[str]) -> str:
    """Sentences as a list in text, folded to the places of a line where it is printed."""
    width, lines = WIDTH.get(), [f"- {sentence}" for sentence in sentences]
    if width is not None:
        lines = [fill(line, max(width, NARROWEST), subsequent_indent="  ") for line in lines]
    return "\n".join(lines)


def sentences_html(sentences: Iterable[str]) -> str:
    """Sentences as a list in HTML."""
    return _tags("ul", (_tags("li", [escape(sentence)]) for sentence in sentences))


def paragraph_html(sentence: str) -> str:
    """A sentence in HTML, as notebooks show it below a table."""
    return _tags("div", [STYLE, _tags("p", [escape(sentence)])], 'class="deniable"')


def answer_name(label: Hashable) -> Phrase:
    """A label as a page shows it, or in the reader's language that somebody was not asked."""
    return NOT_ASKED if label is None else printable(label)


def printable(label: Hashable, width: int = 40) -> str:
    """A label on one line: control characters escaped, long ones cut in the middle, for ends often tell them apart."""
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(written_label(label))) or '""'
    half = width // 2
    return text if len(text) <= width else f"{text[:half]}…{text[half + 1 - width :]}"


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    """A row of text: the first column filled up to the right, the others to the left."""
    blanks = [" " * (width - _cells(text)) for text, width in zip(row, widths, strict=True)]
    texts = [row[0] + blanks[0], *(blank + text for blank, text in zip(blanks[1:], row[1:], strict=True))]
    return (" " + GAP.join(texts)).rstrip()


def _cells(text: str) -> int:
    """How many places of a terminal a text takes: East Asian letters take two, accents that are set above none."""
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _row(cells: Sequence[str]) -> str:
    """A row of HTML, named by its first cell."""
    return _tags("tr", [_tags("th", cells[:1], 'scope="row"'), *(_tags("td", [cell]) for cell in cells[1:])])


def _tags(name: str, inside: Iterable[str], attributes: str = "") -> str:
    """An element of HTML; what is inside is HTML already."""
    return f"<{name} {attributes}>{''.join(inside)}</{name}>" if attributes else f"<{name}>{''.join(inside)}</{name}>"
