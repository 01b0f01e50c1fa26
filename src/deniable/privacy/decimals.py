"""Sums of levels, read as the decimals that people write, so that ten times 0.1 is 1."""

from __future__ import annotations

import math
from fractions import Fraction


def added(*levels: float) -> float:
    """The sum of levels, each read as the decimal that it is written as.

    >>> added(0.1, 0.2), added(1.0, math.inf)
    (0.3, inf)
    """
    if math.inf in levels:
        return math.inf
    return float(sum((Fraction(repr(float(level))) for level in levels), Fraction(0)))


def times(level: float, reports: int) -> float:
    """The sum of so many equal levels.

    >>> times(0.1, 3)
    0.3
    """
    return math.inf if level == math.inf else float(Fraction(repr(float(level))) * reports)
