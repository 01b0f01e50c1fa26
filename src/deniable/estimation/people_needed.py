"""How many people must answer until a result is as sure as one wants it, by how sure it is now."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from deniable.estimation.finding import Finding
from deniable.estimation.saying import LEVEL, USELESS
from deniable.estimation.share import Estimated
from deniable.estimation.table import printable
from deniable.estimation.words import counted, rounded_up
from deniable.protocol.say import Figure, Phrase, Statement


@dataclass(frozen=True, slots=True)
class PeopleNeeded(Finding):
    """About how many people leave a 95% interval that reaches ``margin`` to either side.

    An interval narrows with the root of the number of people.
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

    @property
    def statement(self) -> Statement:
        """How many are needed, and how many there were."""
        if self.people is None:
            return Statement("never_right", what=self._what)
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


def people_needed(estimate: Estimated, places: slice, margin: float) -> int | None:
    """How many leave each of these shares, by itself, an interval with this reach; None where none can be."""
    if not np.isfinite(np.asarray(estimate.stderr)[places]).all():
        return None
    bounds = np.asarray(estimate.evidence.interval(1 - LEVEL))[places]
    return scaled(estimate.n, float((bounds[:, 1] - bounds[:, 0]).max()) / 2, margin)


def scaled(n: int, reach: float, margin: float) -> int:
    """How many people leave an interval the reach ``margin``, if ``n`` of them leave it another one.

    >>> scaled(1000, 0.1, 0.05), scaled(1000, 0.01, 0.05)
    (4000, 40)
    """
    return rounded_up(max(n * (reach / margin) ** 2, 1.0))


def people_to_say(estimate: Estimated) -> int | None:
    """About how many answers leave an interval of which anything can be said; None if these are enough.

    Intervals are taken as they are: one that is cut off at 0 and 100 would seem to need fewer.
    """
    low, high = np.asarray(estimate.evidence.interval((1 - LEVEL) / len(estimate.labels))).T
    narrowest = float((high - low).min())
    return scaled(estimate.n, narrowest, USELESS) if USELESS < narrowest < math.inf else None
