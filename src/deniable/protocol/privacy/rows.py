"""A channel in exact form: integer weights, one row per value, with one total for all rows."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ..errors import ParameterError
from ..odds import LARGEST, exp_lower, log_upper

Ratio: TypeAlias = Fraction | float
"""A ratio of two probabilities: a Fraction, or infinity."""


@dataclass(frozen=True)
class Rows:
    """Weights [values][reports] that add up to ``total`` in every row."""

    weights: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if len({(len(row), sum(row)) for row in self.weights}) != 1 or self.total < 1:
            raise ParameterError("weights must be rows of one length that add up to one total, got others")

    @classmethod
    def reduced(cls, weights: Iterable[Iterable[int]]) -> Rows:
        """Rows without their common divisor."""
        listed = [list(row) for row in weights]
        divisor = math.gcd(*(w for row in listed for w in row)) or 1
        return cls(tuple(tuple(w // divisor for w in row) for row in listed))

    @property
    def total(self) -> int:
        """What every row adds up to."""
        return sum(self.weights[0])

    def worst_ratio(self, above: Iterable[int], below: Iterable[int]) -> Ratio:
        """The largest ratio of a weight in the rows ``above`` to one of the same report in the rows ``below``."""
        highest = [max(column) for column in zip(*(self.weights[x] for x in above), strict=True)]
        lowest = [min(column) for column in zip(*(self.weights[x] for x in below), strict=True)]
        return largest(zip(highest, lowest, strict=True))


def largest(pairs: Iterable[tuple[int, int]]) -> Ratio:
    """The largest ratio above/below of the pairs with above > 0; at least 1.

    >>> largest([(3, 2), (0, 0), (5, 3)]), largest([(1, 0)])
    (Fraction(5, 3), inf)
    """
    worst, over = 1, 1
    for above, below in pairs:
        if above > 0 and below == 0:
            return math.inf
        if above * over > worst * below:
            worst, over = above, below
    return Fraction(worst, over)


def level(ratio: Ratio) -> float:
    """The least epsilon that can be proven for a worst ratio."""
    if isinstance(ratio, float):
        return math.inf
    return 0.0 if ratio == 1 else log_upper(ratio)


def within(ratio: Ratio, epsilon: float) -> bool:
    """Whether a ratio is proven to be at most e^epsilon."""
    if epsilon == math.inf:
        return True
    return isinstance(ratio, Fraction) and ratio <= exp_lower(min(epsilon, float(LARGEST)))
