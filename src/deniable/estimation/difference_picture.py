"""A difference as a picture: a dot and an interval for each label, beside the line of no difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from deniable.arrays import Indices, Matrix, Vector
from deniable.estimation.drawing import INTERVAL, canvas, legend, name_rows, percent
from deniable.estimation.table import printable

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from matplotlib.figure import Figure

MOST = 40
"""Labels that can still be read side by side; of more those with the clearest differences."""


class Differing(Protocol):
    """What is drawn of a difference."""

    @property
    def labels(self) -> Sequence[Hashable]:
        """The labels, in the order of all arrays."""

    @property
    def values(self) -> Vector:
        """The differences."""

    @property
    def p_values(self) -> Vector:
        """How often chance alone makes a difference as large."""

    @property
    def people(self) -> str:
        """Who is compared, in words."""

    def interval(self, level: float) -> Matrix:
        """Bounds [d, 2] on each difference."""


def draw_difference(found: Differing, level: float) -> Figure:
    """The labels in rows, in their own order."""
    places = _places(found)
    values, (low, high) = found.values[places], found.interval(level)[places].T
    figure, axes = canvas((7.5, max(2.4, 1.3 + 0.28 * len(places))))
    rows = np.arange(len(places))
    axes.hlines(rows, low, high, label=f"{100 * level:.10g}% interval", **INTERVAL)
    axes.plot(values, rows, "o", color="black", markersize=5, label="difference")
    axes.axvline(0, color="0.3", linewidth=0.8)
    name_rows(axes, [printable(found.labels[place], 32) for place in places.tolist()])
    percent(axes.xaxis, signed=True)
    axes.set_xlabel("difference in the share of people")
    left_out = len(found.labels) - len(places)
    note = f"; the {len(places)} clearest differences, {left_out:,} more labels not shown" if left_out else ""
    axes.set_title(f"{found.people}{note}", loc="left", fontsize=10, parse_math=False)
    legend(figure)
    return figure


def _places(found: Differing) -> Indices:
    """All labels, or those of the smallest p-values, always in the labels' own order."""
    d = len(found.labels)
    return np.arange(d) if d <= MOST else np.sort(np.argsort(found.p_values, kind="stable")[:MOST])
