"""A crossed table as a picture: a panel for each answer to the second question, in it a dot and an interval a cell."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from deniable.arrays import Flags, Indices, Matrix, Vector
from deniable.checks import check_distribution
from deniable.estimation.drawing import INTERVAL, OUTSIDE, legend, name_rows, panels, percent
from deniable.estimation.share import lies_outside
from deniable.estimation.significance import Significance
from deniable.estimation.table import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ROWS, MOST_PANELS, ABREAST = 40, 12, 4
"""Of more answers those with the largest shares are drawn; so many panels stand side by side."""


class Gridded(Protocol):
    """What a picture with a panel for each column needs to know."""

    @property
    def names(self) -> tuple[str, str]:
        """The questions."""

    @property
    def rows(self) -> Sequence[Hashable]:
        """The answers to the first question."""

    @property
    def columns(self) -> Sequence[Hashable]:
        """The answers to the second."""


class Crossed(Gridded, Protocol):
    """What is drawn of a crossed table."""

    @property
    def shares(self) -> Matrix:
        """The share [rows, columns] of each pair of answers."""

    @property
    def told_both(self) -> int:
        """How many people told both answers."""

    @property
    def test(self) -> Significance:
        """The test of independence."""

    def interval(self, level: float) -> Matrix:
        """Bounds [rows, columns, 2] on each share."""


def draw_cross(table: Crossed, level: float, truth: Any = None) -> Figure:
    """All cells of the largest rows and columns, with ticks where they would be if the answers were independent."""
    known = _known(table, truth)
    grid = CellGrid.of(table, table.shares.sum(axis=1), table.shares.sum(axis=0))
    drawn = _Cells(table, grid.rows, table.interval(level), level, known)
    title = f"{table.names[0]} by {table.names[1]}, {table.told_both:,} people\n{table.test}"
    return grid.drawn(drawn.panel, title, "share of people")


@dataclass(frozen=True, slots=True)
class CellGrid:
    """The largest rows and columns of a table, a panel for each column."""

    table: Gridded
    rows: Indices
    columns: Indices

    @classmethod
    def of(cls, table: Gridded, of_rows: Vector, of_columns: Vector) -> CellGrid:
        """Those of the largest shares."""
        return cls(table, _largest(of_rows, MOST_ROWS), _largest(of_columns, MOST_PANELS))

    def drawn(self, panel: Callable[[Axes, int], None], title: str, of: str) -> Figure:
        """The picture, in which ``panel`` draws each column; ``of`` says what its axis tells."""
        columns, (first, second) = self.columns, self.table.names
        abreast = min(len(columns), ABREAST)
        down = math.ceil(len(columns) / abreast)
        size = (max(7.5, 2.4 * abreast), 1.4 + down * max(1.3, 0.7 + 0.28 * len(self.rows)))
        figure, cells = panels(down, abreast, size, sharex=True, sharey=True)
        for axes, column in zip(cells, columns.tolist(), strict=False):
            panel(axes, column)
            name = f"{second}: {printable(self.table.columns[column], 24)}"
            axes.set_title(name, loc="left", fontsize=10, parse_math=False)
            axes.axvline(0, color="0.3", linewidth=0.8)
            percent(axes.xaxis)
        for axes in cells[len(columns) :]:
            axes.remove()
        for axes in cells[::abreast]:
            name_rows(axes, [printable(self.table.rows[row], 32) for row in self.rows.tolist()])
            axes.set_ylabel(printable(first), parse_math=False)
        for axes in cells[max(len(columns) - abreast, 0) : len(columns)]:
            axes.tick_params(labelbottom=True)
            axes.set_xlabel(of)
        figure.suptitle(f"{title}{self._note}", x=0.01, ha="left", fontsize=10, parse_math=False)
        legend(figure, 3, cells[0])
        return figure

    @property
    def _note(self) -> str:
        left_out = len(self.table.rows) * len(self.table.columns) - len(self.rows) * len(self.columns)
        return f"\nthe largest rows and columns, {left_out:,} more cells not shown" if left_out else ""


@dataclass(frozen=True, slots=True)
class _Cells:
    """The rows that are drawn of a table, with the intervals of all cells and the truth where it is known."""

    table: Crossed
    rows: Indices
    bounds: Matrix
    level: float
    known: Matrix | None

    def panel(self, axes: Axes, column: int) -> None:
        """The cells of one column, a row each; a white dot marks a share outside its interval."""
        table, rows, at = self.table, self.rows, np.arange(len(self.rows))
        shares, outside = table.shares[rows, column], self._outside
        low, high = self.bounds[rows, column].T
        independent = table.shares.sum(axis=1)[rows] * table.shares.sum(axis=0)[column]

        def mark(where: Vector, look: str, **style: Any) -> None:
            axes.plot(where, at, look, color="black", **style)

        axes.hlines(at, low, high, label=f"{100 * self.level:.10g}% interval", **INTERVAL)
        mark(independent, "|", markersize=11, label="if independent")
        mark(shares, "o", markersize=4, label="estimate (unbiased)")
        if outside.any():  # of any panel, so that the legend of the first one is that of all
            beyond = np.where(outside[rows, column], shares, np.nan)
            mark(beyond, "o", markersize=4, markerfacecolor="white", label=OUTSIDE)
        if self.known is not None:
            mark(self.known[rows, column], "D", markersize=7, markerfacecolor="none", label="truth")

    @property
    def _outside(self) -> Flags:
        flat = lies_outside(self.table.shares.ravel(), self.bounds.reshape(-1, 2))
        return flat.reshape(self.table.shares.shape)


def _largest(shares: Vector, most: int) -> Indices:
    """All places, or those of the largest shares, always in their own order."""
    return np.sort(np.argsort(-shares, kind="stable")[:most])


def _known(table: Crossed, truth: Iterable[Iterable[float]] | None) -> Matrix | None:
    """The true shares of the cells, checked."""
    if truth is None:
        return None
    flat = np.asarray(truth, np.float64).ravel()
    return np.asarray(check_distribution("truth", flat, table.shares.size)).reshape(table.shares.shape)
