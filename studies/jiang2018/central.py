"""The least error of a curator who sees every bit, under centralized information privacy (jiang2018, Def. 4, Prop. 5).

Our reading: whatever is released, each person's chance of a 1 stays within [L, U], L = max(P/t, 1-(1-P)t) and
U = min(Pt, 1-(1-P)/t) with t = e^eps. So the posterior mean of the sum S stays between the sums of L and of U. The best
release under these bounds reveals the middle of S and pools each tail to the mean that bounds it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Vector
from deniable.checks import check_users
from deniable.protocol.checks import check_epsilon
from deniable.protocol.errors import ParameterError
from deniable.theory.binomials import binomial_pmf
from deniable.theory.informed.baselines import ROUNDING


def central_loss(users: Any, p: Any, epsilon: Any) -> float:
    """The least error of the sum of ``users`` bits, each 1 with probability ``p``.

    The people are exchangeable, so bounds on the mean of the sum are bounds on each of them. If the pools would
    overlap, the best release has only these two outcomes.

    >>> round(central_loss(10, 0.3, 0.5), 8)
    0.46963722
    """
    n, share = check_users(users), _share(p)
    low, high = _bounds(np.array([share]), check_epsilon(epsilon))
    return _least(binomial_pmf(np.arange(n + 1), n, share), n * low, n * high)


def central_bound(priors: Iterable[float], epsilon: Any) -> float:
    """A lower bound on the error of any curator's sum when each person has their own prior.

    Only the mean of the sum is held to its bounds, not each person's; with equal priors it is ``central_loss``.

    >>> round(central_bound([0.3] * 10, 0.5), 8), central_bound([0.1, 0.5], 0.5) < central_bound([0.1, 0.5], 0.4)
    (0.46963722, True)
    """
    shares = np.array([_share(p) for p in priors])
    if not len(shares):
        raise ParameterError("priors must be of at least one person, got none")
    chances = np.ones(1)
    for share in shares:
        chances = np.convolve(chances, (1 - share, share))
    return _least(chances, *_bounds(shares, check_epsilon(epsilon)))


def _bounds(shares: Vector, epsilon: float) -> tuple[float, float]:
    """The sums over people of their lower bounds L and upper bounds U."""
    t = math.exp(epsilon)
    low = np.maximum(shares / t, 1 - (1 - shares) * t)
    return float(low.sum()), float(np.minimum(shares * t, 1 - (1 - shares) / t).sum())


def _least(chances: Vector, low: float, high: float) -> float:
    """The mean of Var(S|z) over the best release z with E[S|z] in [low, high]."""
    sums: npt.NDArray[np.float64] = np.arange(float(len(chances)))
    lower, upper = _pooled(sums - low, chances), _pooled((high - sums)[::-1], chances[::-1])[::-1]
    if (lower + upper > chances * (1 + ROUNDING) + ROUNDING**2).any():
        mean = float(chances @ sums)
        return float(chances @ (sums - mean) ** 2) - (high - mean) * (mean - low)
    return float(lower @ (sums - low) ** 2 + upper @ (sums - high) ** 2)


def _pooled(excess: Vector, chances: Vector) -> Vector:
    """How much of each outcome a pool takes, from the first on, until its mean ``excess`` (increasing) reaches 0."""
    owed = -float(np.minimum(excess, 0) @ chances)
    gains = np.maximum(excess, 0) * chances
    before = np.cumsum(gains) - gains
    parts = np.clip(owed - before, 0, gains) / np.where(gains > 0, gains, 1)
    return np.where(excess <= 0, 1.0, parts) * chances


def _share(p: Any) -> float:
    """``p`` as a float from 0 to 1."""
    if isinstance(p, bool) or not isinstance(p, int | float) or not 0 <= p <= 1:
        raise ParameterError(f"p must be between 0 and 1, got p={p!r}")
    return float(p)
