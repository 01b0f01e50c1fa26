"""An estimate as a picture: a dot and an interval a label, open diamonds for the truth. No colour is needed."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from deniable.arrays import Vector
from deniable.estimation.drawing import INTERVAL, OUTSIDE, blank, name_rows, percent
from deniable.estimation.reading import Reading
from deniable.estimation.share import Row
from deniable.estimation.table import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 40
"""Labels that can still be read side by side."""
SHORT = 3
"""Characters of a label that still fit below its column."""


def draw(reading: Reading) -> Figure:
    """Labels in their own order, or only the most frequent from there down; in rows unless all are short."""
    rows = reading.rows(reading.places(MOST, MOST))
    names = [printable(row.label, 32) for row in rows]
    in_rows = max(map(len, names)) > SHORT
    length = 1.3 + 0.28 * len(rows)
    figure = blank((7.5, max(2.4, length)) if in_rows else (max(4.5, length), 4.0))
    axes = figure.subplots()
    lines = axes.hlines if in_rows else axes.vlines
    low, high = [row.low for row in rows], [row.high for row in rows]
    lines(np.arange(len(rows)), low, high, **INTERVAL, label=reading.interval_name)
    _marks(axes, rows, reading.estimate.decoder, in_rows)
    _scales(axes, names, in_rows)
    _words(axes, reading, len(rows))
    return figure


def _marks(axes: Axes, rows: list[Row], decoder: str, in_rows: bool) -> None:
    """A dot for each share, a white one where it lies outside its interval, and diamonds for the truth."""
    places = np.arange(len(rows))

    def mark(shares: Vector, **style: Any) -> None:
        along, across = (shares, places) if in_rows else (places, shares)
        axes.plot(along, across, linestyle="none", color="black", **style)

    shares, outside = np.array([row.frequency for row in rows]), np.array([row.outside for row in rows])
    mark(shares, marker="o", markersize=5, label=f"estimate ({decoder})")
    if outside.any():
        mark(np.where(outside, shares, np.nan), marker="o", markersize=5, markerfacecolor="white", label=OUTSIDE)
    truth = [row.truth for row in rows if row.truth is not None]
    if truth:
        mark(np.array(truth), marker="D", markersize=9, markerfacecolor="none", markeredgewidth=1.1, label="truth")


def _scales(axes: Axes, names: list[str], in_rows: bool) -> None:
    """The axes of shares and of labels."""
    shares, labels = (axes.xaxis, axes.yaxis) if in_rows else (axes.yaxis, axes.xaxis)
    percent(shares)
    shares.set_label_text("share of people")
    axes.grid(axis="x" if in_rows else "y", color="0.9")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if in_rows:
        name_rows(axes, names)
        axes.axvline(0, color="0.3", linewidth=0.8)
    else:
        labels.set_ticks(range(len(names)), names, parse_math=False)  # a dollar sign in a label is a dollar sign
        axes.set_xlim(-0.6, len(names) - 0.4)
        axes.axhline(0, color="0.3", linewidth=0.8)


def _words(axes: Axes, reading: Reading, shown: int) -> None:
    """The title, with how many labels are left out, and the legend."""
    e = reading.estimate
    title = textwrap.shorten(printable(e.title, 200), 90, placeholder=" …")
    left_out = len(e.labels) - shown
    note = f"; the {shown} most frequent labels, {left_out:,} more not shown" if left_out else ""
    people = "person" if e.n == 1 else "people"
    axes.set_title(f"{title}\n{e.n:,} {people}{note}", loc="left", fontsize=10, parse_math=False)
    axes.figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
