"""Errors of surveys that ask the same people again: two days' estimates, and rounds of which each person answers some.

People who kept their answer sent both days' reports from one permanent report, so the two estimates err together. The
permanent mechanism supports a label with probability g or h; p(q) = q(1 - q). Derived: given the permanent report, what
is drawn each day is independent, and the coin that keeps the report cancels.
"""

from __future__ import annotations

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.theory.risk.support import Support, variance_population, variance_sample
from deniable.theory.risk.variance import Target


def day_covariances(
    fresh: Support, permanent: Support, shares: Vector, both: Matrix, stay: Matrix, target: Target
) -> Matrix:
    """The covariance matrix of one label's estimates on several days, times the number of people.

    ``both`` holds, for each pair of days, the share of people with the label on both, ``stay`` of those with any one
    label on both; their diagonals are not used. Two days have [both p(g) + (stay - both) p(h)] / (g - h)^2 in common,
    and people who changed add nothing.

    >>> both, stay = np.full((2, 2), 0.15), np.full((2, 2), 0.7)
    >>> supports = Support.response(16, 1.0), Support.response(16, 2.0)
    >>> day_covariances(*supports, np.array([0.2, 0.25]), both, stay, "sample")[0].round(4).tolist()
    [7.292, 0.6955]
    """
    own, other = permanent.g * permanent.miss, permanent.h * (1 - permanent.h)
    found: Matrix = (both * own + (stay - both) * other) / permanent.gap**2
    if target == "population":
        found = found + both - np.outer(shares, shares)
    variances = variance_population if target == "population" else variance_sample
    np.fill_diagonal(found, variances(fresh, 1, shares))
    return found


def least_covariance(permanent: Support, before: Vector, after: Vector, stayed: float) -> Vector:
    """The least covariance of each label's estimates on two days, times the number of people of both.

    Known are the shares on both days and that a share ``stayed`` of the people held the same answer: so at least
    max(share) - (1 - stayed) held the label on both days, and at most the least of all three. The covariance is linear
    in that number.

    >>> least_covariance(Support.response(2, 2.0), np.array([0.3]), np.array([0.3]), 1.0).round(4).tolist()
    [0.391]
    """
    own, other = permanent.g * permanent.miss, permanent.h * (1 - permanent.h)
    fewest = np.maximum(0, np.maximum(before, after) - (1 - stayed))
    most = np.maximum(fewest, np.minimum(np.minimum(before, after), stayed))
    found = [
        (both * own + np.maximum(stayed - both, 0) * other) / permanent.gap**2 + both - before * after
        for both in (fewest, most)
    ]
    return np.asarray(np.minimum(*found))


def some_rounds(support: Support, rounds: int, asked: int, share: float, *, by_answered: bool = False) -> float:
    """The variance of a share in one round, times the number of people, each of whom answers ``asked`` of ``rounds``.

    Which ones is drawn beforehand. (T/R)(theta + V) - theta, V the variance if everybody
    answered: those who are silent count as 0. Divided by those who answered instead of all, it is about
    (T/R)(V + theta (1 - theta)) - theta (1 - theta).
    """
    answer = float(variance_sample(support, 1, np.array([share]))[0])
    spread = share * (1 - share) if by_answered else share
    return rounds / asked * (spread + answer) - spread
