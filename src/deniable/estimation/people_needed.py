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
from deniable.estimation.words import rounded_up


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
    def sentence(self) -> str:
        """How many are needed, and how many there were."""
        every = "every share" if self.unit is None else "the mean"
        what = every if self.label is None else f"the share of “{printable(self.label)}”"
        if self.people is None:
            return f"However many people answer, reports cannot tell {what}."
        points = f"{100 * self.margin:.4g} points"
        margin = points if self.unit is None else f"{self.margin:.4g} {self.unit}".rstrip()
        right = f"{what} is right within {margin} in 19 of 20 surveys"
        if self.people > self.n:
            return f"It takes about {self.people:,} answers until {right}; {self.n:,} came."
        return f"About {self.people:,} answers are enough so that {right}; {self.n:,} came."


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
