"""A question with an ordered list of answers: its estimate, how that is read, and the difference of two."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, cast

import scipy

from deniable.arrays import Indices
from deniable.estimation.census import FEW
from deniable.estimation.difference import Difference
from deniable.estimation.estimate import Estimate
from deniable.estimation.finding import Significance
from deniable.estimation.frame import Rows
from deniable.estimation.numbers.number_saying import way_and_span
from deniable.estimation.numbers.quantity import Quantity, quantities_first
from deniable.estimation.reading import Reading, Truth
from deniable.estimation.saying import LEVEL, says_nothing
from deniable.estimation.scales.scale_mean import mean_place
from deniable.estimation.table import Table, printable
from deniable.estimation.words import decimals, fixed, joined, outward, precise
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement
from deniable.theory.risk.variance import Target

USELESS: Final = 0.5
"""If the mean may lie anywhere in so much of the scale, nothing is said of it."""
FINEST: Final = 2
"""So many decimals of a mean place at most: a hundredth of a step is as fine as a share in 100 people."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScaleEstimate(Estimate):
    """Shares of the answers on a scale, in its order, and the mean of their places.

    >>> import deniable as dn
    >>> survey = dn.Survey.plan("pay", [dn.Scale("fair", ["no", "partly", "yes"])], epsilon=2.0, people=3000)
    >>> answers = survey.answer_many({"fair": ["no", "partly", "yes", "yes"] * 750}, seed=1)
    >>> survey.estimate(survey.tally(answers))["fair"].mean
    2.25031 (standard error 0.0225)
    """

    @classmethod
    def of(cls, shares: Estimate) -> ScaleEstimate:
        """The estimate of these shares, whose labels are in the order of the scale."""
        return cls(shares.labels, shares.decoded, shares.origin, shares.census)

    @property
    def mean(self) -> Quantity:
        """The mean of the places, counted from 1: of the unbiased shares, whatever the decoder."""
        return mean_place(self.evidence, len(self.labels))

    @property
    def _keeps_sample_error(self) -> bool:
        """Whether the mean has the error of a sample: shares may have exact bounds where it has none."""
        return self.size < math.inf and self.n < FEW

    def statement(self, is_open: bool = False) -> Statement:
        said = Estimate.statement(self, is_open)
        mean = mean_beside(self)
        return said if mean is None else joined([said, mean])

    def reading(
        self, level: float = 0.95, simultaneous: bool = False, target: Target = "population", truth: Truth | None = None
    ) -> Reading:
        """The shares of the answers, and the mean below them: to print or to export."""
        return ScaleReading(self, level, simultaneous, target, truth)

    def difference(self, other: Estimate, stayed: float | None = None) -> Difference:
        """The mean and the shares of other people, minus these; of people who stayed, the shares alone."""
        difference = Estimate.difference(self, other, stayed)
        if stayed is not None:
            return difference
        if not isinstance(other, ScaleEstimate):
            raise ParameterError(f"other must be of the same scale, got {type(other).__name__}")
        return ScaleDifference(self, other)


class ScaleReading(Reading):
    """The reading of a scale; see ``Reading``."""

    __slots__ = ()

    @property
    def mean(self) -> Quantity:
        """The mean of the places."""
        return cast("ScaleEstimate", self.estimate).mean

    def _below(self, places: Indices) -> list[str]:
        mean = self.mean
        value, low, high = (precise(number, mean.error) for number in (mean.value, *mean.interval(self.level)))
        interval = f"{100 * self.level:.10g}% interval {low} to {high}"
        return [
            f"mean of the places 1 to {len(self.estimate.labels)}: {value}, {interval}",
            *Reading._below(self, places),
        ]

    @property
    def about(self) -> dict[str, Any]:
        return {**super().about, "mean": self.mean.to_dict(self.level)}

    @property
    def listed(self) -> dict[str, list[Any]]:
        return quantities_first({"mean": self.mean}, self.columns, self.level)


def mean_beside(estimate: ScaleEstimate) -> Statement | None:
    """What is said of the mean beside what is said of the shares; nothing where nothing can be."""
    low, high = estimate.mean.interval(LEVEL)
    is_useless = says_nothing(estimate) or high - low > USELESS * (len(estimate.labels) - 1)
    return None if is_useless else mean_sentence(estimate)


def mean_sentence(estimate: ScaleEstimate) -> Statement:
    """Between which places the mean lies, rounded outward, and what the ends and the middle of the scale mean."""
    most, digits = len(estimate.labels), min(decimals(estimate.mean.error), FINEST)
    bounds = outward(*estimate.mean.interval(LEVEL), 10.0**digits)
    low, high = (fixed(min(max(end, 1), most), digits) for end in bounds)
    first, last = _place(estimate, 1), _place(estimate, most)
    if most > 2 and most % 2:
        middle = _place(estimate, (most + 1) // 2)
        key = "on_the_scale_from_over_to_the_mean"
        return Statement(key, first=first, middle=middle, last=last, low=low, high=high)
    return Statement("on_the_scale_from_to_the_mean", first=first, last=last, low=low, high=high)


def _place(estimate: ScaleEstimate, place: int) -> str:
    """A place, and its answer unless that is the number itself."""
    label = printable(estimate.labels[place - 1])
    return str(place) if label == str(place) else f"{place} ({label})"


@dataclass(frozen=True, eq=False, repr=False)
class ScaleDifference(Difference):
    """The second estimate on a scale minus the first: of the mean place, and of each answer's share.

    >>> import deniable as dn
    >>> survey = dn.Survey.plan("pay", [dn.Scale("fair", 5)], epsilon=2.0, people=10_000)
    >>> given = {"fair": [1, 2, 3, 4] * 2500}, {"fair": [2, 3, 4, 4] * 2500}
    >>> week, next_week = (survey.estimate(survey.tally(survey.answer_many(each, seed=1)))["fair"] for each in given)
    >>> found = week.difference(next_week)
    >>> round(found.mean.value, 1), found.mean_test.p_value < 1e-6
    (0.8, True)
    """

    first: ScaleEstimate
    second: ScaleEstimate

    @cached_property
    def mean(self) -> Quantity:
        """How much higher the mean place is."""
        return self.second.mean.minus(self.first.mean)

    @property
    def mean_test(self) -> Significance:
        """Whether both have equal means, by the normal law."""
        z = abs(self.mean.value) / self.mean.stderr if self.mean.stderr > 0 else 0.0
        return Significance("both have equal means", "normal test", float(2 * scipy.special.ndtr(-z)))

    @property
    def remark_statement(self) -> Statement:
        way, span = way_and_span(self.mean, LEVEL)
        if not way:
            return Statement("no_difference_of_the_means", span=span)
        if way > 0:
            return Statement("the_mean_on_the_scale_is_higher", span=span)
        return Statement("the_mean_on_the_scale_is_lower", span=span)

    def table(self, level: float = 0.95) -> Table:
        table, mean = Difference.table(self, level), self.mean
        value, low, high = (precise(number, mean.error) for number in (mean.value, *mean.interval(level)))
        line = f"difference of the means on the scale: {value}, {100 * level:.10g}% interval {low} to {high}"
        return replace(table, notes=[*table.notes, line, str(self.mean_test)])

    def _frame(self, level: float) -> Rows:
        rows = Difference._frame(self, level)
        mean = {**self.mean.to_dict(level), "p": self.mean_test.p_value}
        return Rows({**rows.about, "mean": mean}, rows.columns)
