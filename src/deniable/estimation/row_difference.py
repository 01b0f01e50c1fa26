"""The shares within one row of a crossed table less those within another."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from deniable.arrays import Indices, Matrix, Vector
from deniable.checks import check_level
from deniable.estimation.cross_picture import Gridded
from deniable.estimation.frame import Framed, Rows
from deniable.estimation.row_contrast import RowContrast
from deniable.estimation.table import Table, printable
from deniable.estimation.words import decimals, people, signed
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import english


class RowsCompared(Gridded, Protocol):
    """What a difference needs of the shares within rows."""

    @property
    def n(self) -> int:
        """How many people told both answers."""

    def differences(self, pairs: Indices, column: int, alpha: float) -> tuple[Vector, Matrix]:
        """Differences of pairs of rows, and their bounds."""


@dataclass(frozen=True, eq=False, repr=False)
class RowDifference(Framed):
    """For each column its share within the row ``first`` less that within ``second``.

    Choose the rows for a reason of your own: of those that a picture sets apart some differ by chance alone, and
    ``RowShares.clearest`` allows for that. Nothing is said where there are too few people in either row.
    """

    within: RowsCompared
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
    def columns(self) -> Sequence[Hashable]:
        """The answers whose shares are compared."""
        return self.within.columns

    @property
    def n(self) -> int:
        """How many people told both answers, in all rows."""
        return self.within.n

    @cached_property
    def values(self) -> Vector:
        """The differences, in the order of the columns; nan where there are too few to say."""
        return self._told(0.05)[0]

    def interval(self, level: float = 0.95) -> Matrix:
        """Bounds [columns, 2] on each difference by itself, from Fieller's of both shares (Zou and Donner 2008)."""
        return self._told(1 - check_level(level))[1]

    def _told(self, alpha: float) -> tuple[Vector, Matrix]:
        pair = np.array([self.places])
        told = [self.within.differences(pair, column, alpha) for column in range(len(self.columns))]
        values, bounds = zip(*told, strict=True)
        return np.concatenate(values), np.concatenate(bounds)

    def contrast(self, column: Hashable, level: float = 0.95) -> RowContrast:
        """The difference of one column's shares, as a sentence and its numbers."""
        if column not in self.columns:
            raise ParameterError(
                f"the column must be one of the {len(self.columns)} of {self.within.names[1]!r}, got another"
            )
        place = list(self.columns).index(column)
        [value], [ends] = self.within.differences(np.array([self.places]), place, 1 - check_level(level))
        names, (low, high) = self.within.names, ends.tolist()
        return RowContrast(names, self.first, self.second, column, float(value), low, high, level)

    def table(self, level: float = 0.95) -> Table:
        """A row for each column's share, in points of a hundred."""
        bounds = self.interval(level)
        digits = max(decimals(100 * float(bounds[:, 1].max() - bounds[:, 0].min()) / 4), 1)
        rows = [
            (printable(label), *(_signed(number, digits) for number in (value, *ends)))
            for label, value, ends in zip(self.columns, self.values.tolist(), bounds.tolist(), strict=True)
        ]
        of, by = self.within.names[1], self.within.names[0]
        title = f"{of} among {by} {printable(self.first)} minus {printable(self.second)}"
        notes = [f"{100 * level:.10g}% intervals, in points of a hundred; each holds on its own"]
        return Table(
            f"{title}: {english(people(self.n))} told both", (of, "difference", "at least", "at most"), rows, notes
        )

    def summary(self) -> str:
        """A sentence for each column; of two answers one tells the other."""
        columns = self.columns[:1] if len(self.columns) == 2 else self.columns
        return " ".join(self.contrast(column).sentence for column in columns)

    def _frame(self, level: float) -> Rows:
        low, high = self.interval(level).T
        about = {
            "rows": self.within.names[0], "columns": self.within.names[1], "first": self.first, "second": self.second,
            "n": self.n, "level": level,
        }  # fmt: skip
        columns = {"column": list(self.columns), "difference": self.values.tolist()}
        return Rows(about, {**columns, "low": low.tolist(), "high": high.tolist()}, ("column",))

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        return f"RowDifference({self.within.names[1]} among {printable(self.first)} minus {printable(self.second)})"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def _signed(value: float, digits: int) -> str:
    return "unknown" if np.isnan(value) else signed(value, digits)
