"""An estimate as a table for people."""

from __future__ import annotations

import io
from collections.abc import Hashable, Sequence
from typing import Any, Protocol

from rich.console import Console
from rich.table import Table


class Summary(Protocol):
    """What the heading and the footing say."""

    @property
    def labels(self) -> Sequence[Hashable]:
        """All labels."""
        ...

    @property
    def n(self) -> int:
        """How many reports."""
        ...

    @property
    def decoder(self) -> str:
        """Which decoder."""
        ...

    @property
    def mechanism(self) -> Any:
        """How the reports were made."""
        ...


def as_text(shares: Sequence[tuple[Hashable, float, float, float]], summary: Summary) -> str:
    """The shares as rows, under a title with the mechanism, and a line for what is left out."""
    title = f"{summary.mechanism!r}, {summary.n} reports, {summary.decoder}"
    table = Table(title=title, title_justify="left")
    table.add_column("label")
    for heading in ("share", "people", "95% from", "to"):
        table.add_column(heading, justify="right")
    for label, share, low, high in shares:
        table.add_row(printable(label), f"{share:.4f}", f"{share * summary.n:.0f}", f"{low:.4f}", f"{high:.4f}")
    page = Console(file=io.StringIO(), width=100, record=True, markup=False)
    page.print(table)
    left_out = len(summary.labels) - len(shares)
    return page.export_text().rstrip("\n") + (f"\n... and {left_out} more labels" if left_out else "")


def printable(label: Hashable, width: int = 40) -> str:
    """A label on one line: control characters escaped, long ones cut."""
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(label)) or '""'
    return text if len(text) <= width else text[: width - 1] + "…"
