"""Two questions crossed: shares of pairs of answers, their margins, and whether the answers are independent."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from deniable.arrays import Indices, Matrix, Vector
from deniable.checks import check_distribution, check_level
from deniable.estimation.cell_grid import CellGrid
from deniable.estimation.departures import CellSources
from deniable.estimation.drawing import INTERVAL, OUTSIDE
from deniable.estimation.finding import Significance
from deniable.estimation.frame import Rows, TabledFrame, cell_rows
from deniable.estimation.independence import Independence
from deniable.estimation.ratios import Ratios, are_seen
from deniable.estimation.row_shares import RowDifference, RowShares
from deniable.estimation.saying import go_together
from deniable.estimation.share import digits_of, lies_outside, starred, unbiased_outside
from deniable.estimation.sources import CombinedEvidence
from deniable.estimation.sparse_rows import SparseRows, row_sums
from deniable.estimation.table import Table, printable
from deniable.estimation.words import people, percent
from deniable.protocol.say import english

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class CrossTable(TabledFrame):
    """Shares of all pairs of answers to two questions, with errors, margins and the test of independence.

    Shares are unbiased and may be negative; rows and columns add up to the margins, and everything to 1.
    """

    names: tuple[str, str]
    rows: Sequence[Hashable]
    columns: Sequence[Hashable]
    evidence: CombinedEvidence
    """Of the cells, row after row."""
    margins: tuple[CombinedEvidence, CombinedEvidence]
    """Of the rows and of the columns, from all people who were asked."""
    places: tuple[Indices | None, ...]
    """Of each of the evidence's sources the cells of its labels, if it told both answers; None if it told one."""

    @property
    def n(self) -> int:
        """How many people answered either question or both."""
        return self.evidence.n

    @property
    def told_both(self) -> int:
        """How many of them told both answers together: what is said of a connection rests on these alone."""
        parts = zip(self.evidence.sources, self.places, strict=True)
        return sum(source.evidence.n for source, places in parts if places is not None)

    @property
    def _shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.columns)

    @cached_property
    def shares(self) -> Matrix:
        """The unbiased share [rows, columns] of each pair of answers."""
        return self.evidence.unbiased().reshape(self._shape)

    @cached_property
    def stderr(self) -> Matrix:
        """The standard error [rows, columns] of each share."""
        return self.evidence.stderr().reshape(self._shape)

    def interval(self, level: float = 0.95) -> Matrix:
        """Bounds [rows, columns, 2] on each share; the notes of ``evidence`` say of which kind."""
        bounds = self.evidence.interval(1 - check_level(level))
        return np.clip(bounds, 0, 1).reshape(*self._shape, 2)

    def margin(self, axis: int, level: float = 0.95) -> tuple[Vector, Matrix]:
        """The shares and the bounds of the rows (axis 0) or of the columns (axis 1), whose kind ``margins`` note."""
        evidence = self.margins[axis]
        return evidence.unbiased(), np.clip(evidence.interval(1 - check_level(level)), 0, 1)

    @cached_property
    def test(self) -> Significance:
        """The test of independence: the shares' departure from the product of the margins; see ``independence``."""
        errors = [margin.stderr() for margin in self.margins]
        cells = CellSources(self.evidence.sources, self.evidence.weights, self.places)
        return Independence(self._shape, cells).test(errors)

    def within_rows(self) -> RowShares:
        """Of the people of each row the shares who gave each column's answer: how many of those by bus are late."""
        d, e = self._shape
        margin = self.margins[0]
        seen = np.flatnonzero(are_seen(margin.unbiased(), margin.stderr()))
        shown = (seen[:, None] * e + np.arange(e)).ravel()
        parts = [SparseRows(weights, shown) for weights in self.evidence.weights]
        wholes = [SparseRows(row_sums(d, e) @ weights, np.repeat(seen, e)) for weights in self.evidence.weights]
        ratios = Ratios(self.evidence.sources, parts, wholes)
        return RowShares(self.names, self.rows, self.columns, self.told_both, self.margins, seen, ratios)

    def row_difference(self, first: Hashable, second: Hashable) -> RowDifference:
        """The shares within one row less those within another; see ``within_rows``."""
        return self.within_rows().difference(first, second)

    def with_margins(self, rows: Any = None, columns: Any = None) -> Matrix:
        """The shares moved to margins that are known, for people who answered representatively.

        Unbiased: only the error of the interaction is left.
        """
        shares, (r, c) = self.shares.copy(), self._shape
        if rows is not None:
            shares += (check_distribution("rows", rows, r) - shares.sum(axis=1))[:, None] / c
        if columns is not None:
            shares += (check_distribution("columns", columns, c) - shares.sum(axis=0)) / r
        return shares

    def plot(self, truth: Any = None, level: float = 0.95) -> Figure:
        """A picture of all cells with their intervals, ticks where they would be if the answers were independent.

        ``truth`` are the true shares [rows, columns], where they are known.
        """
        bounds, known = self.interval(level), self._known(truth)
        outside = lies_outside(self.shares.ravel(), bounds.reshape(-1, 2)).reshape(self._shape)
        sums = self.shares.sum(axis=1), self.shares.sum(axis=0)
        grid = CellGrid.of(self.names, (self.rows, self.columns), sums)
        rows, at = grid.rows, np.arange(len(grid.rows))

        def panel(axes: Axes, column: int) -> None:
            def mark(where: Vector, look: str, **style: Any) -> None:
                axes.plot(where, at, look, color="black", **style)

            shares, (low, high) = self.shares[rows, column], bounds[rows, column].T
            axes.hlines(at, low, high, label=f"{100 * level:.10g}% interval", **INTERVAL)
            mark(sums[0][rows] * sums[1][column], "|", markersize=11, label="if independent")
            mark(shares, "o", markersize=4, label="estimate (unbiased)")
            if outside.any():  # of any panel, so that the legend of the first one is that of all
                beyond = np.where(outside[rows, column], shares, np.nan)
                mark(beyond, "o", markersize=4, markerfacecolor="white", label=OUTSIDE)
            if known is not None:
                mark(known[rows, column], "D", markersize=7, markerfacecolor="none", label="truth")

        title = f"{self.names[0]} by {self.names[1]}, {self.told_both:,} people\n{self.test}"
        return grid.figure(panel, title, "share of people")

    def _known(self, truth: Iterable[Iterable[float]] | None) -> Matrix | None:
        """The true shares of the cells, checked."""
        if truth is None:
            return None
        flat = np.asarray(truth, np.float64).ravel()
        return np.asarray(check_distribution("truth", flat, self.shares.size)).reshape(self._shape)

    def table(self, level: float = 0.95) -> Table:
        digits, bounds = digits_of(self.stderr.ravel()), self.interval(level)
        outside = lies_outside(self.shares.ravel(), bounds.reshape(-1, 2)).reshape(self._shape)
        totals, cell = self.margin(0, level)[0], partial(_cell, digits)
        below = self.margin(1, level)[0]
        rows = [
            (printable(label), *map(cell, shares, limits, marks), percent(total, digits))
            for label, shares, limits, marks, total in zip(self.rows, self.shares, bounds, outside, totals, strict=True)
        ]
        rows.append(("all", *(percent(share, digits) for share in below), f"{1:.0%}"))
        of = f"{self.told_both:,} people told both"
        title = f"{self.names[0]} by {self.names[1]}: {of}, {100 * level:.10g}% intervals"
        headings = (self.names[0], *map(printable, self.columns), "all")
        notes = [str(self.test), *(f"note: {english(note)}" for note in self.evidence.notes)]
        if outside.any():
            notes.append(f"* {unbiased_outside(int(outside.sum()))}")
        return Table(title, headings, rows, notes)

    def summary(self) -> str:
        """Whether the answers to both questions go together."""
        return f"{english(people(self.told_both))} told both. {go_together(self.names, self.test.p_value)}"

    def _frame(self, level: float) -> Rows:
        about = {
            "rows": self.names[0], "columns": self.names[1], "n": self.n, "level": level,
            "p_value": self.test.p_value, "statistic": self.test.statistic, "df": self.test.df,
        }  # fmt: skip
        return cell_rows(about, self.rows, self.columns, self.shares, self.stderr, self.interval(level))

    def __repr__(self) -> str:
        return f"CrossTable({self.names[0]} by {self.names[1]}, n={self.n})"


def _cell(digits: int, share: float, limits: Vector, outside: bool) -> str:
    """A share with its interval, starred if it lies outside of it."""
    low, high = (percent(bound, digits) for bound in limits)
    return f"{starred(percent(share, digits), outside)} ({low} to {high})"
