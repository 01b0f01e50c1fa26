"""What can be said of a question in one sentence, and where its uncertainty comes from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from deniable.estimation.estimate import Estimate
from deniable.estimation.table import printable
from deniable.pages.words import listed, points, share_in_words

LEVEL: Final = 0.95
USELESS: Final = 0.5
"""If every interval is wider than this, nothing can be said."""
MOST_NAMED: Final = 4


def sentence(estimate: Estimate, is_open: bool) -> str:
    """What can be said. Of a period that is open nothing is compared: who looks until it pleases is misled."""
    bounds = estimate.interval(LEVEL, simultaneous=True)
    shares = np.where(np.isfinite(estimate.unbiased), estimate.unbiased, -np.inf)
    leader = int(np.argmax(shares))
    if (bounds[:, 1] - bounds[:, 0]).min() > USELESS:
        return "Nothing can be said yet: with so few answers every interval is wider than 50 in 100 people."
    if is_open:
        said = share_in_words(*bounds[leader].tolist())  # chosen for its value, so its own interval would be too short
        return f"So far {quoted(estimate, leader)} has the largest estimate: {said} people."
    if len(estimate.labels) == 2 and estimate.adds_up:
        return _of_two(estimate)
    return _of_many(estimate, leader)


def _of_two(estimate: Estimate) -> str:
    """Of two answers one share says all."""
    low, high = estimate.interval(LEVEL)[0].tolist()
    said = share_in_words(low, high)
    more = "more than half" if low > 0.5 else "fewer than half" if high < 0.5 else "whether that is a majority is open"
    return f"{said[:1].upper()}{said[1:]} people answer {quoted(estimate, 0)}: {more}."


def _of_many(estimate: Estimate, leader: int) -> str:
    """The largest answer, if it can be told, or those that may be it."""
    bounds = estimate.interval(LEVEL, simultaneous=True)
    low, high = bounds.T
    rivals = [j for j in range(len(low)) if j != leader and high[j] >= low[leader]]
    said = share_in_words(*bounds[leader].tolist())
    if not rivals:
        gap = math.floor(round(100 * (low[leader] - np.delete(high, leader).max()), 9))
        more = f", at least {gap} in 100 more than any other" if gap else ", more than any other"
        return f"{quoted(estimate, leader)} is the most frequent answer: {said} people{more}."
    if len(rivals) < MOST_NAMED:
        named = listed([quoted(estimate, place) for place in (leader, *rivals)])
        return f"Which answer is the most frequent cannot be told: it is one of {named}."
    return f"Which answer is the most frequent cannot be told: {len(rivals) + 1} of {len(low)} may be it."


@dataclass(frozen=True)
class Noise:
    """Where the give or take of one share comes from, in points; the two parts add up as squares."""

    label: str
    people: int
    """How many were asked this question; of a survey that asks some of everybody fewer than answered."""
    whole: str
    sampling: str
    privacy: str
    worth: int
    """How many people without any protection would tell as much."""


def noise(estimate: Estimate) -> Noise | None:
    """Of the largest share; nothing where it is too close to none or all to be split."""
    place = int(np.argmax(estimate.frequencies))
    share, error = float(np.clip(estimate.unbiased[place], 0, 1)), float(estimate.stderr[place])
    sampling = share * (1 - share) / estimate.n
    if not (sampling > 0 and math.isfinite(error) and error**2 >= sampling):
        return None
    reach = 1.96
    whole, own, added = (points(reach * math.sqrt(part)) for part in (error**2, sampling, error**2 - sampling))
    worth = max(1, round(share * (1 - share) / error**2))
    return Noise(printable(estimate.labels[place]), estimate.n, whole, own, added, worth)


def quoted(estimate: Estimate, place: int) -> str:
    """A label as it stands in a sentence."""
    return f"“{printable(estimate.labels[place])}”"
