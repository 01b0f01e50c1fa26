"""Two rows of a crossed table: whether an answer is more frequent in one than in the other, and by how much."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from deniable.estimation.finding import Finding
from deniable.estimation.table import printable
from deniable.estimation.words import gap_in_words
from deniable.protocol.say import Statement


@dataclass(frozen=True, slots=True)
class RowContrast(Finding):
    """The share of ``column`` in the row ``first`` less that in the row ``second``, with an interval."""

    names: tuple[str, str]
    first: Hashable
    second: Hashable
    column: Hashable
    value: float
    low: float
    high: float
    level: float
    """How often the difference lies from ``low`` to ``high``, at least."""

    @property
    def least(self) -> float:
        """How large the difference is at least, either way; 0 or less if there may be none."""
        return max(self.low, -self.high)

    @property
    def turned(self) -> RowContrast:
        """The same the other way round."""
        ends = -self.value, -self.high, -self.low
        return RowContrast(self.names, self.second, self.first, self.column, *ends, self.level)

    @property
    def statement(self) -> Statement:
        """The verdict, in people of a hundred, rounded outward."""
        first, second, column = map(printable, (self.first, self.second, self.column))
        if self.least <= 0:
            return Statement(
                "whether_is_more_frequent",
                column=column, first=first, second=second,
            )  # fmt: skip
        if self.high < 0:
            return self.turned.statement
        return Statement(
            "is_more_frequent_among",
            column=column, first=first, second=second, gap=gap_in_words(self.low, self.high),
        )  # fmt: skip
