"""The shares within the rows of a crossed table as a picture: a panel for each column, everybody's share dashed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from deniable.arrays import Indices, Matrix, Stack, Vector
from deniable.estimation.cross_picture import CellGrid, Gridded
from deniable.estimation.drawing import INTERVAL
from deniable.estimation.words import people
from deniable.protocol.say import english

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Within(Gridded, Protocol):
    """What is drawn of the shares within rows."""

    @property
    def shares(self) -> Matrix:
        """The shares [rows, columns]; nan where there are too few to say."""

    @property
    def of_all(self) -> Vector:
        """The share of each row among all people."""

    @property
    def n(self) -> int:
        """How many people told both answers."""

    def interval(self, level: float) -> Stack:
        """Bounds [rows, columns, 2] on each share."""

    def everybody(self, level: float) -> tuple[Vector, Matrix]:
        """The shares of the columns among all people, with bounds."""


def draw_rows(within: Within, level: float) -> Figure:
    """The largest rows, of which those with too few people to say stay empty."""
    everybody = within.everybody(level)[0]
    grid = CellGrid.of(within, within.of_all, everybody)
    drawn = _Rows(within, grid.rows, within.interval(level), everybody, level)
    title = f"{within.names[1]} within {within.names[0]}, {english(people(within.n))} told both"
    return grid.drawn(drawn.panel, title, "share of the row's people")


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows that are drawn, with the bounds of all cells."""

    within: Within
    rows: Indices
    bounds: Stack
    everybody: Vector
    level: float

    def panel(self, axes: Axes, column: int) -> None:
        """One answer's share within each row."""
        shares = self.within.shares[self.rows, column]
        told = np.flatnonzero(np.isfinite(shares))
        low, high = self.bounds[self.rows[told], column].T
        axes.hlines(told, low, high, label=f"{100 * self.level:.10g}% interval", **INTERVAL)
        axes.plot(np.clip(shares[told], 0, 1), told, "o", color="black", markersize=4, label="estimate")
        axes.axvline(self.everybody[column], color="black", linewidth=0.9, linestyle="--", label="everybody")
