"""Bounds of the difference of two estimates from bounds of each, and the ranks that bounds of many leave."""

from __future__ import annotations

import math

import numpy as np

from deniable.arrays import Indices, Matrix, Vector


def correlation(errors: Vector, variance: float | None) -> float:
    """How the errors of two estimates go together, by the variance of their difference.

    It is -1, the worst for the difference, where that variance is not known.

    >>> correlation(np.array([3.0, 4.0]), 25.0), correlation(np.array([3.0, 4.0]), None)
    (0.0, -1.0)
    """
    if variance is None or not (errors.all() and np.isfinite(errors).all()):
        return -1.0
    return float(np.clip((errors @ errors - variance) / (2 * errors.prod()), -1, 1))


def difference_bounds(values: Vector, bounds: Matrix, together: float) -> tuple[float, float]:
    """Bounds of the first value less the second, from bounds [2, 2] of both and the correlation of their errors.

    The limits of each stay what they are and are added in squares with the correlation (Zou and Donner 2008, which is
    Newcombe's method for correlated shares).

    >>> [round(end, 6) for end in difference_bounds(np.array([5.0, 1.0]), np.array([[2.0, 8.0], [-3.0, 5.0]]), 0.0)]
    [-1.0, 9.0]
    """
    (low, high), (least, most) = bounds.tolist()
    one, other = values.tolist()
    gap = one - other
    return gap - _reach(one - low, most - other, together), gap + _reach(high - one, other - least, together)


def _reach(one: float, other: float, together: float) -> float:
    """How far a difference reaches if each of its parts reaches so far by itself."""
    return math.sqrt(max(one * one + other * other - 2 * together * one * other, 0.0))


def rank_ranges(bounds: Matrix) -> Indices:
    """The first and the last rank [values, 2] that each value can have within bounds of all; 1 is the largest.

    >>> rank_ranges(np.array([[0.5, 0.6], [0.2, 0.3], [0.25, 0.35]])).tolist()
    [[1, 1], [2, 3], [2, 3]]
    """
    low, high = bounds.T
    first = 1 + len(low) - np.searchsorted(np.sort(low), high, side="right")
    last = len(high) - np.searchsorted(np.sort(high), low, side="left")
    return np.stack([first, last], axis=1)
