"""Where the uncertainty of a share comes from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from deniable.estimation.estimate import Estimate
from deniable.estimation.table import printable
from deniable.estimation.words import points
from deniable.pages.results.rows import LEVELS, drawn_bounds


@dataclass(frozen=True)
class Noise:
    """Where the give or take of one share comes from, in points, as its row has it; the squares of the parts add up.

    What asking fewer than all adds is what it would be without protection; all else is due to the protection.
    """

    label: str
    people: int
    """How many were asked this question; of a survey that asks some of everybody fewer than answered."""
    whole: str
    sampling: str
    privacy: str
    worth: int
    """How many people without any protection would tell as much."""
    of_all: bool = False
    """Whether all whom the survey is about told, so that only the protection errs."""


def noise(estimate: Estimate, among: Sequence[int], simultaneous: bool = False) -> Noise | None:
    """Of the largest share among those that are shown; nothing where it is too close to none or all to be split."""
    if not among:
        return None
    place = max(among, key=lambda each: float(estimate.frequencies[each]))
    share, error = min(max(float(estimate.unbiased[place]), 0.0), 1.0), float(estimate.stderr[place])
    spread, size = share * (1 - share), math.inf if estimate.census is None else estimate.census.size
    sampling = max(spread / estimate.n - spread / size, 0.0)
    if not (spread > 0 and math.isfinite(error) and error**2 >= sampling):
        return None
    low, high = drawn_bounds(estimate, LEVELS[0], simultaneous)[place]
    whole = max(high - float(estimate.unbiased[place]), float(estimate.unbiased[place]) - low)
    own = min(_errors(estimate, simultaneous) * math.sqrt(sampling), whole)
    parts = points(whole), points(own), points(math.sqrt(whole**2 - own**2))
    worth = max(1, round(1 / (error**2 / spread + 1 / size)))
    return Noise(printable(estimate.labels[place]), estimate.n, *parts, worth, of_all=estimate.n == size)


def _errors(estimate: Estimate, simultaneous: bool) -> float:
    """How many standard errors an interval reaches without protection, where no proof need be careful."""
    alpha = (1 - LEVELS[0]) / (len(estimate.labels) if simultaneous else 1)
    return NormalDist().inv_cdf(1 - alpha / 2)
