"""How the shares and the mean place of two estimates on one scale differ, from different people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import scipy

from deniable.estimation.difference import Compared, Difference
from deniable.estimation.frame import Rows
from deniable.estimation.numbers.number_saying import way_and_span
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.saying import LEVEL
from deniable.estimation.significance import Significance
from deniable.estimation.table import Table
from deniable.estimation.words import precise
from deniable.protocol.say import Statement


class Placed(Compared, Protocol):
    """An estimate on a scale."""

    @property
    def mean(self) -> Quantity:
        """The mean of the places."""


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

    first: Placed
    second: Placed

    @cached_property
    def mean(self) -> Quantity:
        """How much higher the mean place is."""
        return self.second.mean.minus(self.first.mean)

    @property
    def mean_test(self) -> Significance:
        """Whether both have equal means, by the normal law."""
        more = self.mean
        away = abs(more.value) / more.stderr if more.stderr > 0 else 0.0
        return Significance("both have equal means", "normal test", float(2 * scipy.special.ndtr(-away)))

    @property
    def remark_statement(self) -> Statement:
        """Whether the mean place is higher or lower, and by how much."""
        way, span = way_and_span(self.mean, LEVEL)
        if not way:
            return Statement("no_difference_of_the_means", span=span)
        if way > 0:
            return Statement("the_mean_on_the_scale_is_higher", span=span)
        return Statement("the_mean_on_the_scale_is_lower", span=span)

    def table(self, level: float = 0.95) -> Table:
        """A row for each answer; the mean is below them."""
        found, more = Difference.table(self, level), self.mean
        value, low, high = (precise(number, more.error) for number in (more.value, *more.interval(level)))
        line = f"difference of the means on the scale: {value}, {100 * level:.10g}% interval {low} to {high}"
        return replace(found, notes=[*found.notes, line, str(self.mean_test)])

    def _frame(self, level: float) -> Rows:
        rows = Difference._frame(self, level)
        mean = {**self.mean.to_dict(level), "p": self.mean_test.p_value}
        return Rows({**rows.about, "mean": mean}, rows.columns)
