"""Of a crossed table the shares within rows: how many of those who come by bus are late; and two rows compared."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from deniable.arrays import Flags, Indices, Matrix, Stack, Vector
from deniable.checks import check_level, check_place
from deniable.estimation.cell_grid import CellGrid
from deniable.estimation.contrast import ContrastTable, RowContrast
from deniable.estimation.drawing import INTERVAL
from deniable.estimation.frame import Rows, TabledFrame, cell_rows
from deniable.estimation.ratios import Ratios
from deniable.estimation.share import digits_of
from deniable.estimation.sources import CombinedEvidence
from deniable.estimation.table import Table, printable
from deniable.estimation.words import decimals, people, percent, signed
from deniable.protocol.say import Statement, english

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TOO_FEW = Statement("too_few_to_say")
EVERYBODY = "everybody"


@dataclass(frozen=True, eq=False, repr=False)
class RowShares(TabledFrame):
    """Of the people of each row the shares who gave each column's answer, with Fieller's intervals.

    Nothing is said of a row whose own share is within three standard errors of nobody.
    """

    names: tuple[str, str]
    rows: Sequence[Hashable]
    columns: Sequence[Hashable]
    n: int
    """How many people told both answers."""
    margins: tuple[CombinedEvidence, CombinedEvidence]
    """Of the rows, and of the columns: the latter are everybody's shares."""
    places: Indices
    """Of the rows that are clearly more than nobody."""
    ratios: Ratios
    """Of their cells, row after row."""

    @cached_property
    def shares(self) -> Matrix:
        """The shares [rows, columns], which add up to 1 in each row; nan where there are too few to say."""
        return self._table(self.ratios.values, np.nan)

    @cached_property
    def stderr(self) -> Matrix:
        """The standard errors [rows, columns], by the delta method; infinite where there are too few to say."""
        return self._table(self.ratios.stderr, np.inf)

    def interval(self, level: float = 0.95) -> Stack:
        """Bounds [rows, columns, 2] on each share by itself; from 0 to 1 where there are too few to say."""
        bounds = np.tile([0.0, 1.0], (len(self.rows), len(self.columns), 1))
        bounds[self.places] = self.ratios.interval(1 - check_level(level)).reshape(-1, len(self.columns), 2)
        return bounds

    def _table(self, values: Vector, missing: float) -> Matrix:
        """Numbers of the cells as [rows, columns]; ``missing`` in rows with too few people."""
        table = np.full((len(self.rows), len(self.columns)), missing)
        table[self.places] = values.reshape(-1, len(self.columns))
        return table

    @property
    def are_seen(self) -> Flags:
        """Which rows are large enough to say something."""
        return np.isin(np.arange(len(self.rows)), self.places)

    @property
    def of_all(self) -> Vector:
        """The share of each row among all people who were asked."""
        return self.margins[0].unbiased()

    def everybody(self, level: float = 0.95) -> tuple[Vector, Matrix]:
        """The shares of the columns among all people who were asked, with bounds."""
        evidence = self.margins[1]
        return evidence.unbiased(), np.clip(evidence.interval(1 - check_level(level)), 0, 1)

    # --- rows compared ----------------------------------------------------------------------------------------------

    def difference(self, first: Hashable, second: Hashable) -> RowDifference:
        """The shares of the first row less those of the second, each with an interval of its own."""
        return RowDifference(self, (self._row(first), self._row(second)))

    def _row(self, label: Hashable) -> int:
        return check_place(f"a row of {self.names[0]!r}", label, self.rows)

    def differences(self, pairs: Indices, column: int, alpha: float) -> tuple[Vector, Matrix]:
        """Of pairs [pairs, 2] of rows the differences of one column's share, and their bounds."""
        values, bounds = np.full(len(pairs), np.nan), np.tile([-1.0, 1.0], (len(pairs), 1))
        are_known = self.are_seen[pairs].all(axis=1)
        cells = np.searchsorted(self.places, pairs[are_known]) * len(self.columns) + column
        values[are_known], bounds[are_known] = self.ratios.differences(cells, alpha)
        return values, bounds

    def clearest(self, level: float = 0.95) -> RowContrast | None:
        """The two rows that surely differ most, with an interval that holds for all pairs of rows at once; or None."""
        pairs = self.places[np.stack(np.triu_indices(len(self.places), 1), axis=1)]
        columns = range(1 if len(self.columns) == 2 else len(self.columns))  # of two answers one tells the other
        if not len(pairs):
            return None
        alpha, contrasts = (1 - check_level(level)) / (len(pairs) * len(columns)), []
        for column in columns:
            values, bounds = self.differences(pairs, column, alpha)
            k = int(np.maximum(bounds[:, 0], -bounds[:, 1]).argmax())
            first, second = (self.rows[int(place)] for place in pairs[k])
            (low, high), value = bounds[k].tolist(), float(values[k])
            contrasts.append(RowContrast(first, second, value, low, high, level, self.names, self.columns[column]))
        best = max(contrasts, key=lambda each: each.least)
        return (best if best.value > 0 else best.reversed) if best.least > 0 else None

    # --- shown ------------------------------------------------------------------------------------------------------

    def plot(self, level: float = 0.95) -> Figure:
        """A panel for each column, with everybody's share as a dashed line; rows with too few people stay empty."""
        bounds, everybody = self.interval(level), self.everybody(level)[0]
        grid = CellGrid.of(self.names, (self.rows, self.columns), (self.of_all, everybody))

        def panel(axes: Axes, column: int) -> None:
            shares = self.shares[grid.rows, column]
            rows = np.flatnonzero(np.isfinite(shares))
            low, high = bounds[grid.rows[rows], column].T
            axes.hlines(rows, low, high, label=f"{100 * level:.10g}% interval", **INTERVAL)
            axes.plot(np.clip(shares[rows], 0, 1), rows, "o", color="black", markersize=4, label="estimate")
            axes.axvline(everybody[column], color="black", linewidth=0.9, linestyle="--", label="everybody")

        title = f"{self.names[1]} within {self.names[0]}, {english(people(self.n))} told both"
        return grid.figure(panel, title, "share of the row's people")

    def table(self, level: float = 0.95) -> Table:
        """A row for each answer to the first question, and one for everybody; at the right each row's share of all."""
        digits = digits_of(self.stderr.ravel())
        everybody, around = self.everybody(level)
        rows = [
            (printable(label), *_cells(shares, bounds, digits), percent(size, digits))
            for label, shares, bounds, size in zip(
                self.rows, self.shares, self.interval(level), self.of_all, strict=True
            )
        ]
        rows.append((EVERYBODY, *_cells(everybody, around, digits), f"{1:.0%}"))
        first, second = self.names
        title = f"{second} within {first}: {self.n:,} people told both, {100 * level:.10g}% intervals"
        return Table(title, (first, *map(printable, self.columns), "of all"), rows, self._notes())

    def _notes(self) -> list[str]:
        notes = [
            "note: each interval holds on its own, and may reach farther to one side: a row's size is an estimate too"
        ]
        if len(self.places) < len(self.rows):
            notes.append(f"note: {english(TOO_FEW)} where a row's own share is within three standard errors of nobody")
        return notes

    def summary(self) -> str:
        """Which two rows surely differ most, if any do."""
        contrast = self.clearest()
        words = f"No two answers to {self.names[0]} can be told apart." if contrast is None else contrast.sentence
        return f"{english(people(self.n))} told both. {words}"

    def _frame(self, level: float) -> Rows:
        everybody, around = self.everybody(level)
        about: dict[str, Any] = {
            "rows": self.names[0], "columns": self.names[1], "n": self.n, "level": level,
            "everybody": {"share": everybody.tolist(), "low": around[:, 0].tolist(), "high": around[:, 1].tolist()},
        }  # fmt: skip
        return cell_rows(about, self.rows, self.columns, self.shares, self.stderr, self.interval(level))

    def __repr__(self) -> str:
        return f"RowShares({self.names[1]} within {self.names[0]}, n={self.n})"


def _cells(shares: Vector, bounds: Matrix, digits: int) -> list[str]:
    """Shares with their intervals, or that there are too few to say."""
    return [
        english(TOO_FEW)
        if np.isnan(share)
        else f"{percent(share, digits)} ({percent(low, digits)} to {percent(high, digits)})"
        for share, (low, high) in zip(shares.tolist(), bounds.tolist(), strict=True)
    ]


@dataclass(frozen=True, eq=False, repr=False)
class RowDifference(ContrastTable):
    """For each column its share within the row ``first`` less that within ``second``.

    Choose the rows for a reason of your own: of those that a picture sets apart some differ by chance alone, and
    ``RowShares.clearest`` allows for that. Nothing is said where there are too few people in either row.
    """

    within: RowShares
    places: tuple[int, int]

    @property
    def first(self) -> Hashable:
        """The row whose shares count as they are."""
        return self.within.rows[self.places[0]]

    @property
    def second(self) -> Hashable:
        """The row whose shares are taken off."""
        return self.within.rows[self.places[1]]

    @property
    def labels(self) -> Sequence[Hashable]:
        return self.within.columns

    @property
    def n(self) -> int:
        """How many people told both answers, in all rows."""
        return self.within.n

    @cached_property
    def values(self) -> Vector:
        """The differences, in the order of the columns; nan where there are too few to say."""
        return self._differences(0.05)[0]

    def _bounds(self, alpha: float) -> Matrix:
        """From Fieller's of both shares (Zou and Donner 2008)."""
        return self._differences(alpha)[1]

    @property
    def people(self) -> str:
        of, by = self.within.names[1], self.within.names[0]
        return f"{of} among {by} {printable(self.first)} minus {printable(self.second)}"

    def _differences(self, alpha: float) -> tuple[Vector, Matrix]:
        """The difference of each column, and its bounds."""
        pair = np.array([self.places])
        columns = [self.within.differences(pair, column, alpha) for column in range(len(self.labels))]
        values, bounds = zip(*columns, strict=True)
        return np.concatenate(values), np.concatenate(bounds)

    def contrast(self, column: Hashable, level: float = 0.95) -> RowContrast:
        """The difference of one column's shares, as a sentence and its numbers."""
        place = check_place(f"a column of {self.within.names[1]!r}", column, self.labels)
        [value], [ends] = self.within.differences(np.array([self.places]), place, 1 - check_level(level))
        names, (low, high) = self.within.names, ends.tolist()
        return RowContrast(self.first, self.second, float(value), low, high, level, names, column)

    def table(self, level: float = 0.95) -> Table:
        bounds = self.interval(level)
        digits = max(decimals(100 * float(bounds[:, 1].max() - bounds[:, 0].min()) / 4), 1)
        rows = [
            (printable(label), *(_signed(number, digits) for number in (value, *ends)))
            for label, value, ends in zip(self.labels, self.values.tolist(), bounds.tolist(), strict=True)
        ]
        notes = [f"{100 * level:.10g}% intervals, in points of a hundred; each holds on its own"]
        title = f"{self.people}: {english(people(self.n))} told both"
        return Table(title, (self.within.names[1], "difference", "at least", "at most"), rows, notes)

    def summary(self) -> str:
        """A sentence for each column; of two answers one tells the other."""
        columns = self.labels[:1] if len(self.labels) == 2 else self.labels
        return " ".join(self.contrast(column).sentence for column in columns)

    def _frame(self, level: float) -> Rows:
        low, high = self.interval(level).T
        about = {
            "rows": self.within.names[0], "columns": self.within.names[1], "first": self.first, "second": self.second,
            "n": self.n, "level": level,
        }  # fmt: skip
        columns = {"column": list(self.labels), "difference": self.values.tolist()}
        return Rows(about, {**columns, "low": low.tolist(), "high": high.tolist()}, ("column",))

    def __repr__(self) -> str:
        return f"RowDifference({self.within.names[1]} among {printable(self.first)} minus {printable(self.second)})"


def _signed(value: float, digits: int) -> str:
    return "unknown" if np.isnan(value) else signed(value, digits)
