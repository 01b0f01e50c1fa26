"""Where the uncertainty of a share, or of a mean, comes from: from asking some people, and from protecting them."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass

from deniable.estimation.binomial import quantile
from deniable.estimation.finding import Finding
from deniable.estimation.saying import LEVEL
from deniable.estimation.share import Estimated
from deniable.estimation.table import printable
from deniable.estimation.words import counted, joined, points, precise
from deniable.protocol.say import Figure, Statement


@dataclass(frozen=True, slots=True)
class ErrorSources(Finding):
    """The reach of a 95% interval in two parts, whose squares add up to its square.

    ``sampling`` is what it would be without protection, since some people are asked and not everybody; all else is due
    to the protection. Shares are parts of 1, means in units of their scale.
    """

    label: Hashable | None
    """The label whose share it is; None if it is a mean."""
    n: int
    """How many people were asked about it."""
    whole: float
    """How far the interval reaches to its farther side."""
    sampling: float
    privacy: float
    worth: int
    """How many people without any protection would tell as much."""
    of_all: bool = False
    """Whether all whom the survey is about told, so that only the protection errs."""
    unit: str | None = None
    """What a mean is counted in; None if it is a share."""

    @property
    def statement(self) -> Statement:
        whole, sampling, privacy = map(self._written, (self.whole, self.sampling, self.privacy))
        reach = Statement("points", points=whole) if self.unit is None else counted(whole, self.unit)
        parts = Statement("give_or_take_from_asking_people", sampling=sampling, people=self.n, privacy=privacy)
        if self.of_all:
            parts = Statement("all_of_it_from_protecting")
        if self.label is None:
            statement = Statement("for_the_mean_give_or_take", reach=reach, parts=parts)
            worth = Statement("for_this_mean_the_protected", answers=self.n, worth=self.worth)
            return joined([statement, worth])
        statement = Statement("for_give_or_take", label=printable(self.label), reach=reach, parts=parts)
        worth = Statement("for_this_share_the_protected", answers=self.n, worth=self.worth)
        return joined([statement, worth])

    def _written(self, reach: float) -> Figure:
        return points(reach) if self.unit is None else precise(reach, self.whole / 2)


def error_sources(estimate: Estimated, place: int, simultaneous: bool, size: float) -> ErrorSources | None:
    """Of one label's share among so many people; None where it is too close to none or all to be split.

    Of a share among those asked sampling is of so many people; that how many is an estimate is due to the protection.
    """
    people = max(round(getattr(estimate.evidence, "people_asked", estimate.n)), 1)
    size = getattr(estimate.evidence, "size", size) * people / estimate.n
    value, error = float(estimate.unbiased[place]), float(estimate.stderr[place])
    share, alpha = min(max(value, 0.0), 1.0), (1 - LEVEL) / (len(estimate.labels) if simultaneous else 1)
    low, high = estimate.evidence.interval(alpha)[place].tolist()
    whole = max(high - value, value - low)
    return split(estimate.labels[place], people, share * (1 - share), error, whole, alpha, size=size)


def split(
    label: Hashable | None,
    n: int,
    variance: float,
    error: float,
    whole: float,
    alpha: float = 1 - LEVEL,
    unit: str | None = None,
    size: float = math.inf,
) -> ErrorSources | None:
    """The parts of an interval's reach ``whole``, by its standard ``error`` and one person's unprotected ``variance``.

    ``size`` is how many people it is about: without end where that is not known.
    """
    sampling = max(variance / n - variance / size, 0.0)
    if not (variance > 0 and math.isfinite(error) and error**2 >= sampling):
        return None
    reach = min(quantile(alpha / 2) * math.sqrt(sampling), whole)
    worth = max(1, round(1 / (error**2 / variance + 1 / size)))
    return ErrorSources(label, n, whole, reach, math.sqrt(whole**2 - reach**2), worth, n == size, unit)
