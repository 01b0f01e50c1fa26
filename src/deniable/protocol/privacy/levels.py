"""Sums of levels, as the decimals that people write, and levels that follow by way of third values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_CEILING, Context
from fractions import Fraction

from ..odds import LARGEST

UP = 1 + 2.0**-40
"""A bound on the rounding error of a formula in floats."""


def added(*levels: float) -> float:
    """The sum of levels, each read as the decimal that it is written as.

    >>> added(0.1, 0.2)
    0.3
    """
    if math.inf in levels:
        return math.inf
    return float(sum((Fraction(repr(float(level))) for level in levels), Fraction(0)))


def in_json(level: float) -> float | str:
    """A level as JSON holds it, which has no infinity."""
    return "inf" if level == math.inf else level


def rounded_up(level: float) -> float:
    """A level in three digits, never below it.

    >>> rounded_up(0.5901), rounded_up(0.591), rounded_up(0.0)
    (0.591, 0.591, 0.0)
    """
    return float(Context(prec=3, rounding=ROUND_CEILING).create_decimal(repr(float(level))))


def times(level: float, count: int) -> float:
    """The sum of so many equal levels."""
    return math.inf if level == math.inf else float(Fraction(repr(float(level))) * count)


def off_diagonal(levels: Sequence[Sequence[float]]) -> Iterator[float]:
    """The levels of pairs of different values: all but the diagonal."""
    return (level for x, row in enumerate(levels) for z, level in enumerate(row) if x != z)


def provable(levels: Iterable[Iterable[float]]) -> list[list[float]]:
    """The levels; those beyond the largest that can be proven become infinite."""
    return [[math.inf if level > LARGEST else level for level in row] for row in levels]


def closed(levels: Sequence[Sequence[float]]) -> list[list[float]]:
    """The levels that follow by way of third values: shortest paths, raised a little to allow for rounding."""
    paths = [list(row) for row in levels]
    if 2 * min(off_diagonal(levels)) >= max(off_diagonal(levels)):  # no way round is shorter
        return paths
    for middle, onward in enumerate(paths):
        for row in paths:
            if (start := row[middle]) < math.inf:
                row[:] = [min(level, start + further) for level, further in zip(row, onward, strict=True)]
    return [
        [path * UP if path < level else level for path, level in zip(short, row, strict=True)]
        for short, row in zip(paths, levels, strict=True)
    ]
