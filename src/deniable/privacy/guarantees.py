"""Guarantees: what a mechanism promises, tested on plain matrices of rational numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from deniable.privacy.exponential import exp_lower, log_upper
from deniable.privacy.matrix import read_rows
from deniable.theory.arguments import check_epsilon


def worst_ratio(rows: Iterable[Sequence[Fraction]]) -> Fraction | float:
    """The largest ratio of two exact probabilities of one output; infinity if only one of them is 0."""
    worst: Fraction | float = Fraction(1)
    for column in zip(*rows, strict=True):
        highest, lowest = max(column), min(column)
        if lowest < 0:
            return math.inf
        if highest > 0:
            worst = max(worst, highest / lowest if lowest else math.inf)
    return worst


def level(ratio: Fraction | float) -> float:
    """The least epsilon we can prove for a worst ratio: an upper bound of its logarithm."""
    if isinstance(ratio, float):
        return math.inf
    return 0.0 if ratio == 1 else log_upper(ratio)


def _ratio_of(channel: Any) -> Fraction | float:
    return worst_ratio(read_rows(getattr(channel, "exact", channel))[0])


@dataclass(frozen=True, slots=True, order=True)
class LDP:
    """Local differential privacy: no report is more than e^epsilon times likelier from one value than another.

    >>> LDP(1.0).holds([[0.7, 0.3], [0.3, 0.7]]), LDP(0.8).holds([[0.7, 0.3], [0.3, 0.7]])
    (True, False)
    """

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(self.epsilon))

    @classmethod
    def measured(cls, epsilon: float) -> LDP:
        """A level that was computed from a channel, where 0 and infinity are honest answers."""
        guarantee = object.__new__(cls)
        object.__setattr__(guarantee, "epsilon", epsilon)
        return guarantee

    def holds(self, channel: Any) -> bool:
        """Whether a channel, or a matrix of probabilities, keeps the promise, in exact arithmetic."""
        return self.allows(_ratio_of(channel))

    def allows(self, ratio: Fraction | float) -> bool:
        """Whether a worst ratio is proven to be at most e^epsilon; what cannot be proven is not allowed."""
        if self.epsilon == math.inf:
            return True
        return not isinstance(ratio, float) and ratio <= exp_lower(self.epsilon)

    def tightest(self, channel: Any) -> float:
        """The smallest epsilon that a channel, or a matrix of probabilities, is proven to keep."""
        return level(_ratio_of(channel))

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LDP"
