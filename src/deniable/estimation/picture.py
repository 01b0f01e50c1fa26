"""An estimate as a picture: a dot and an interval a label, open diamonds for the truth. No colour is needed."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from deniable.arrays import Matrix, Vector
from deniable.estimation.table import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deniable.estimation.estimate import Estimate

MOST = 40
"""Labels that can still be read side by side."""
SHORT = 3
"""Characters of a label that still fit below its column."""


def draw(estimate: Estimate, truth: Vector | None, bounds: Matrix, meaning: str) -> Figure:
    """Labels in their own order, or only the most frequent from there down; in rows unless all are short."""
    shown = _shown(estimate)
    names = [printable(estimate.labels[j], 32) for j in shown]
    in_rows = max(map(len, names)) > SHORT
    length = 1.3 + 0.28 * len(shown)
    figure = Figure(figsize=(7.5, max(2.4, length)) if in_rows else (max(4.5, length), 4.0), layout="constrained")
    axes = figure.subplots()
    _bars(axes, bounds[shown], meaning, in_rows)
    _marks(axes, estimate, shown, truth, in_rows)
    _scales(axes, names, in_rows)
    _words(axes, estimate, len(shown))
    return figure


def _shown(estimate: Estimate) -> npt.NDArray[np.intp]:
    d = len(estimate.labels)
    return np.arange(d) if d <= MOST else np.argsort(-estimate.frequencies, kind="stable")[:MOST]


def _bars(axes: Axes, bounds: Matrix, meaning: str, in_rows: bool) -> None:
    lines = axes.hlines if in_rows else axes.vlines
    lines(np.arange(len(bounds)), bounds[:, 0], bounds[:, 1], color="0.6", linewidth=5, label=meaning)


def _marks(axes: Axes, estimate: Estimate, shown: npt.NDArray[np.intp], truth: Vector | None, in_rows: bool) -> None:
    places = np.arange(len(shown))

    def mark(shares: Vector, **style: Any) -> None:
        along, across = (shares[shown], places) if in_rows else (places, shares[shown])
        axes.plot(along, across, linestyle="none", color="black", **style)

    mark(estimate.frequencies, marker="o", markersize=5, label=f"estimate ({estimate.decoder})")
    if truth is not None:
        mark(truth, marker="D", markersize=9, markerfacecolor="none", markeredgewidth=1.1, label="truth")


def _scales(axes: Axes, names: list[str], in_rows: bool) -> None:
    shares, labels = (axes.xaxis, axes.yaxis) if in_rows else (axes.yaxis, axes.xaxis)
    # a dollar sign in a label is a dollar sign
    labels.set_ticks(range(len(names)), names, parse_math=False)
    shares.set_major_formatter(PercentFormatter(1.0))
    shares.set_label_text("share of people")
    axes.grid(axis="x" if in_rows else "y", color="0.9")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if in_rows:
        axes.set_ylim(len(names) - 0.4, -0.6)  # the first label on top
        axes.axvline(0, color="0.3", linewidth=0.8)
    else:
        axes.set_xlim(-0.6, len(names) - 0.4)
        axes.axhline(0, color="0.3", linewidth=0.8)


def _words(axes: Axes, estimate: Estimate, shown: int) -> None:
    title = textwrap.shorten(printable(str(estimate.mechanism), 200), 90, placeholder=" …")
    left_out = len(estimate.labels) - shown
    note = f"; the {shown} most frequent labels, {left_out:,} more not shown" if left_out else ""
    axes.set_title(f"{title}\n{estimate.n:,} people{note}", loc="left", fontsize=10, parse_math=False)
    axes.figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
