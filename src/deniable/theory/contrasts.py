"""Bounds of the difference of two estimates from bounds of each, and the ranks that bounds of many leave."""

from __future__ import annotations

import numpy as np

from deniable.arrays import Indices, Matrix, Stack, Vector


def correlation(errors: Matrix, variances: Vector | None) -> Vector:
    """How the errors [pairs, 2] of two estimates go together, by the variance of their difference.

    It is -1, the worst for the difference, where that variance is not known.

    >>> errors = np.array([[3.0, 4.0]])
    >>> correlation(errors, np.array([25.0])).tolist(), correlation(errors, None).tolist()
    ([0.0], [-1.0])
    """
    known = np.isfinite(errors).all(axis=1) & errors.all(axis=1)
    found = np.full(len(errors), -1.0)
    if variances is not None and known.any():
        pairs = errors[known]
        covariances = (np.einsum("ij,ij->i", pairs, pairs) - variances[known]) / 2
        found[known] = np.clip(covariances / pairs.prod(axis=1), -1, 1)
    return found


def difference_bounds(values: Matrix, bounds: Stack, together: Vector | None = None) -> Matrix:
    """Bounds [pairs, 2] of first values less second ones, from bounds [pairs, 2, 2] of both and correlations of errors.

    The limits of each stay what they are and are added in squares with the correlation (Zou and Donner 2008, which is
    Newcombe's method for correlated shares); without one they are of other people (Newcombe 1998).

    >>> ends = difference_bounds(np.array([[5.0, 1.0]]), np.array([[[2.0, 8.0], [-3.0, 5.0]]]))
    >>> ends.round(6).tolist()
    [[-1.0, 9.0]]
    """
    (one, other), (low, high), (least, most) = values.T, bounds[:, 0].T, bounds[:, 1].T
    gap = one - other
    down, up = _combined_reach(one - low, most - other, together), _combined_reach(high - one, other - least, together)
    return np.stack([gap - down, gap + up], axis=1)


def _combined_reach(one: Vector, other: Vector, together: Vector | None) -> Vector:
    """How far a difference reaches if each of its parts reaches so far by itself."""
    if together is None:  # either may reach without end
        return np.asarray(np.hypot(one, other), np.float64)
    return np.asarray(np.sqrt(np.maximum(one * one + other * other - 2 * together * one * other, 0.0)))


def rank_ranges(bounds: Matrix) -> Indices:
    """The first and the last rank [values, 2] that each value can have within bounds of all; 1 is the largest.

    >>> rank_ranges(np.array([[0.5, 0.6], [0.2, 0.3], [0.25, 0.35]])).tolist()
    [[1, 1], [2, 3], [2, 3]]
    """
    low, high = bounds.T
    first = 1 + len(low) - np.searchsorted(np.sort(low), high, side="right")
    last = len(high) - np.searchsorted(np.sort(high), low, side="left")
    return np.stack([first, last], axis=1)
