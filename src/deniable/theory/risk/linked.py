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
    and people who changed add nothing. ``fresh`` is what one day's reports support, ``shares`` the label's by day.

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


def least_covariance(
    permanent: Support, shares: tuple[Vector, Vector], people: tuple[Vector, Vector], stayed: float
) -> Vector:
    """The least covariance of each label's estimates on two days, of which only shares and numbers of people are known.

    A share ``stayed`` of the fewer people held the same answer on both days. Of a label's holders on a day the others
    can be at most all who did not stay, so at least the rest of them, and at most all holders of either day, held it
    on both. Of those who changed at most half can have held the label on each day, if all of them answered twice. The
    covariance is concave in the number of those who held it on both, so that one of its ends is the least.

    >>> each, n = np.array([0.3]), np.array([100.0])
    >>> (least_covariance(Support.response(2, 2.0), (each, each), (n, n), 1.0) * 100).round(4).tolist()
    [0.391]
    """
    own, other = permanent.g * permanent.miss, permanent.h * (1 - permanent.h)
    both_days = np.minimum(*people)
    stayers = stayed * both_days
    holders = [share * n for share, n in zip(shares, people, strict=True)]
    most = np.minimum(np.minimum(*holders), stayers)
    fewest = np.maximum.reduce([h - (n - stayers) for h, n in zip(holders, people, strict=True)])
    fewest = np.clip(fewest, 0, most)  # shares that are estimated may contradict each other
    found = [
        (both * own + (stayers - both) * other) / permanent.gap**2
        + both
        - (both + (both_days - stayers) / 2) ** 2 / np.maximum(both_days, 1)
        for both in (fewest, most)
    ]
    return np.asarray(np.minimum(*found) / np.maximum(people[0] * people[1], 1))


def some_rounds(support: Support, rounds: int, asked: int, share: float, *, by_answered: bool = False) -> float:
    """The variance of a share in one round, times the number of people, each of whom answers ``asked`` of ``rounds``.

    Which ones is drawn beforehand. (T/R)(theta + V) - theta, V the variance if everybody
    answered: those who are silent count as 0. Divided by those who answered instead of all, it is about
    (T/R)(V + theta (1 - theta)) - theta (1 - theta).
    """
    answer = float(variance_sample(support, 1, np.array([share]))[0])
    spread = share * (1 - share) if by_answered else share
    return rounds / asked * (spread + answer) - spread
