"""Two groups of people: whether the mean of a number is larger in one than in the other, and by how much."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from deniable.estimation.finding import Finding
from deniable.estimation.table import printable
from deniable.estimation.words import counted, outward_by, precise
from deniable.protocol.say import Phrase, Statement


@dataclass(frozen=True, slots=True)
class MeanContrast(Finding):
    """The mean of a number in the group ``first`` less that in the group ``second``, with an interval."""

    names: tuple[Phrase, Phrase]
    """The question that tells the groups, and the number."""
    first: Hashable
    second: Hashable
    value: float
    low: float
    high: float
    unit: str
    dated: bool
    """Whether the number is a date, which is later rather than larger."""
    level: float
    """How often the difference lies from ``low`` to ``high``, at least."""

    @property
    def turned(self) -> MeanContrast:
        """The same the other way round."""
        ends = -self.value, -self.high, -self.low
        return MeanContrast(self.names, self.second, self.first, *ends, self.unit, self.dated, self.level)

    @property
    def statement(self) -> Statement:
        """The verdict, in the units of the number, rounded outward."""
        if self.high < 0:
            return self.turned.statement
        number, first, second = self.names[1], printable(self.first), printable(self.second)
        if self.low <= 0:
            return self._open(number, first, second)
        error = (self.high - self.low) / 4
        least, most = (precise(end, error) for end in outward_by(self.low, self.high, error))
        span = counted(Statement("to_first_last", first=least, last=most), self.unit)
        if self.dated:
            return Statement(
                "is_later_in_the_mean_among",
                number=number, first=first, second=second, span=span,
            )  # fmt: skip
        return Statement(
            "is_larger_in_the_mean",
            number=number, first=first, second=second, span=span,
        )  # fmt: skip

    def _open(self, number: Phrase, first: str, second: str) -> Statement:
        """That it cannot be told."""
        if self.dated:
            return Statement(
                "whether_is_later_in_the_mean",
                number=number, first=first, second=second,
            )  # fmt: skip
        return Statement(
            "whether_is_larger_in_the_mean",
            number=number, first=first, second=second,
        )  # fmt: skip
