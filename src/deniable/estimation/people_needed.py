"""How many people must answer until a result is as sure as one wants it, by how sure it is now."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from deniable.estimation.binomial import quantile
from deniable.estimation.census import spread_of_shares
from deniable.estimation.finding import Finding
from deniable.estimation.saying import LEVEL, USELESS
from deniable.estimation.share import Estimated
from deniable.estimation.table import printable
from deniable.estimation.words import counted, rounded_up
from deniable.protocol.say import Figure, Phrase, Statement


@dataclass(frozen=True, slots=True)
class PeopleNeeded(Finding):
    """About how many people leave a 95% interval that reaches ``margin`` to either side.

    An interval narrows with the root of the number of people; in a census faster, as far as people differ at all.
    """

    label: Hashable | None
    """The label whose share it is; None if every share is to be so sure, or a mean."""
    margin: float
    """The reach that is wanted: a part of 1, or units of a number's scale."""
    n: int
    """How many people answered."""
    people: int | None
    """How many are needed in all, rounded up; None where no number of people would do."""
    unit: str | None = None
    """What a mean is counted in; None of shares."""
    population: int | None = None
    """How many people there are, if that is known."""

    @property
    def is_beyond_all(self) -> bool:
        """Whether it takes more people than there are."""
        return self.population is not None and self.people is not None and self.people > max(self.population, self.n)

    @property
    def statement(self) -> Statement:
        if self.people is None:
            return Statement("never_right", what=self._what)
        if self.is_beyond_all:
            return Statement(
                "takes_more_than_there_are",
                answers=self.people, what=self._what, margin=self._margin, people=self.population or 0,
            )  # fmt: skip
        key = "takes_until_right" if self.people > self.n else "enough_until_right"
        return Statement(key, answers=self.people, what=self._what, margin=self._margin, came=self.n)

    @property
    def _what(self) -> Statement:
        if self.label is not None:
            return Statement("the_share_of", label=printable(self.label))
        return Statement("every_share" if self.unit is None else "the_mean_word")

    @property
    def _margin(self) -> Phrase:
        if self.unit is None:
            return Statement("points", points=Figure(f"{100 * self.margin:.4g}"))
        return counted(Figure(f"{self.margin:.4g}"), self.unit)


def people_needed(estimate: Estimated, places: slice, margin: float, size: float) -> int | None:
    """How many of ``size`` leave each of these shares an interval that reaches ``margin`` each way; None if none do."""
    if not np.isfinite(np.asarray(estimate.stderr)[places]).all():
        return None
    bounds = np.asarray(estimate.evidence.interval(1 - LEVEL))[places]
    spreads = spread_of_shares(np.asarray(estimate.unbiased)[places])
    reaches = zip((bounds[:, 1] - bounds[:, 0]).tolist(), spreads.tolist(), strict=True)
    return max(people_for(estimate.n, width / 2, margin, size, spread) for width, spread in reaches)


def people_for(n: int, reach: float, margin: float, size: float = math.inf, spread: float = 0.0) -> int:
    """How many people leave a 95% interval that reaches ``margin`` to either side, if ``n`` of them leave it ``reach``.

    Of ``size`` people, who vary by ``spread``, what the mean of all of them varies by is no part of either reach. If it
    takes more than these, it is said how many it takes of ever more people who all answer.

    >>> people_for(1000, 0.1, 0.05), people_for(1000, 0.01, 0.05)
    (4000, 40)
    >>> people_for(60, 0.1, 0.05, 120, 0.25), people_for(60, 0.1, 0.01, 120, 0.25)
    (110, 6000)
    """
    common = quantile((1 - LEVEL) / 2) ** 2 * spread / size
    people = rounded_up(max(n * (reach**2 + common) / (margin**2 + common), 1.0))
    return people if people <= size else rounded_up(max(n * (reach / margin) ** 2, 1.0))


def people_to_say(estimate: Estimated, size: float = math.inf) -> int | None:
    """About how many answers of ``size`` leave an interval of which anything can be said; None if these are enough.

    Intervals are taken as they are: one that is cut off at 0 and 100 would seem to need fewer.
    """
    low, high = np.asarray(estimate.evidence.interval((1 - LEVEL) / len(estimate.labels))).T
    place = int(np.argmin(high - low))
    narrowest, spread = float((high - low)[place]), float(spread_of_shares(np.asarray(estimate.unbiased)[place]))
    if not USELESS < narrowest < math.inf:
        return None
    return people_for(estimate.n, narrowest / 2, USELESS / 2, size, spread)
