"""An estimate as a table for people."""

from __future__ import annotations

import io
import math
from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from deniable.estimation.estimate import Estimate

MOST = 20
"""Rows shown; the largest shares."""


def as_text(estimate: Estimate) -> str:
    """The largest shares as rows, under a line with the mechanism, and a line for what is left out."""
    rows = estimate.top(MOST)
    digits = _digits(estimate)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("label", no_wrap=True)
    for heading in ("share", "95% from", "to", "people"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        shares = (f"{share:.{digits}%}" for share in row[1:])
        table.add_row(Text(printable(row.label)), *shares, f"{row.frequency * estimate.n:,.0f}")
    page = io.StringIO()
    Console(file=page, width=120, color_system=None).print(table)
    lines = [line.rstrip() for line in page.getvalue().splitlines()]
    left_out = len(estimate.labels) - len(rows)
    more = [f"... {left_out:,} more"] if left_out else []
    head = f"{estimate.mechanism}: {estimate.n:,} people, decoder {estimate.decoder}"
    return "\n".join([head, *(line for line in lines if line), *more, *footnotes(estimate)])


def footnotes(estimate: Estimate) -> list[str]:
    """What is not listed, and what to beware of."""
    rest = estimate.unlisted
    unlisted = [] if rest is None else [f"not listed: {rest[0]:.2%}, standard error {rest[1]:.2%}"]
    return [*unlisted, *(f"note: {note}" for note in estimate.notes)]


def printable(label: Hashable, width: int = 40) -> str:
    """A label on one line: control characters escaped, long ones cut in the middle, for ends often tell them apart."""
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(label)) or '""'
    half = width // 2
    return text if len(text) <= width else f"{text[:half]}…{text[half + 1 - width :]}"


def _digits(estimate: Estimate) -> int:
    """As many decimals of a percentage as the typical error leaves of use."""
    known = estimate.stderr[np.isfinite(estimate.stderr)]
    error = float(np.median(known)) if len(known) else 1.0
    return min(max(math.ceil(-math.log10(error)) - 1, 1), 7) if error > 0 else 2
