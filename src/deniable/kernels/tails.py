"""Bounds on tails that are never too small: of a sum over random hashes, and of a sum of two binomials.

Over hashes it is the sum of the cells of a field [C, r] that they hit in each cohort.

In a cohort h uniform hashes hit k different symbols with probability ``occupied[k]``, and given k all sets of k are
equally likely. So the moments of e^(t sum) are means of elementary symmetric polynomials, which are computed as running
means: no term exceeds the largest, whatever r and h are.

With K(t) = log E e^(t sum), and its mean K', variance K'' and R >= sum of absolute third moments under weights of
e^(t sum), for every t > 0

    Pr[sum >= s] <= e^(K(t) - t s) min(1, 1 / (t sqrt(2 pi K'')) + 1.12 R / K''^1.5).

The first factor is Chernoff's bound. The second is E_t[e^(-t (sum - s)); sum >= s], the integral over x of t e^(-t x)
Pr_t[s <= sum <= s + x], where Pr_t exceeds the normal law's x / sqrt(2 pi K'') by at most twice the error of Berry and
Esseen, 0.56 R / K''^1.5 (Shevtsova 2010). Nothing here is an approximation: the bound is never too small.

Limit: an exponential for each cell of the field and each t; some five values of t per sum.

Of two binomials, x people support a label with probability g, and the n - x others with h.
"""

from __future__ import annotations

import math

import numpy as np

from deniable.arrays import Counts, Matrix, Vector
from deniable.kernels import _kernels
from deniable.kernels._kernels import cumulants
from deniable.kernels.contiguous import integers

ESSEEN = 2 * 0.56
STEPS, NEAR = 12, 0.1
"""The most Newton steps towards the best t, and the distance in standard deviations at which they stop (0.5% loss)."""
CERTAIN = 1e-9
"""A sum with a smaller variance, relative to the square of the field's largest entry, counts as constant."""
ENOUGH = -40.0
"""A logarithm of probability (4e-18) that is small enough for any purpose."""


def log_chernoff(at_t: tuple[float, float, float, float], t: float) -> float:
    """The logarithm of the bound for s = 0, from K, K', K'' and R at t; subtract t s for another s."""
    k0, _, k2, third = at_t
    if k2 <= CERTAIN:
        return k0
    return k0 + math.log(min(1.0, 1 / (t * math.sqrt(2 * math.pi * k2)) + ESSEEN * third / k2**1.5))


def log_tail(field: Matrix, occupied: Vector, s: float, limit: float) -> float:
    """The logarithm of a bound on Pr[sum >= s], the best of several t up to ``limit``; stops early below ENOUGH."""
    _, mean, variance, _ = cumulants(field, 0.0, occupied)
    if s <= mean or variance <= CERTAIN:
        return 0.0
    low, high, best = 0.0, limit, 0.0
    t = min((s - mean) / variance, limit)
    for _ in range(STEPS):
        at_t = cumulants(field, t, occupied)
        _, mean_at_t, variance_at_t, _ = at_t
        best = min(best, log_chernoff(at_t, t) - t * s)
        excess = mean_at_t - s
        if best < ENOUGH or variance_at_t <= CERTAIN or abs(excess) <= NEAR * math.sqrt(variance_at_t):
            break
        if excess > 0:
            high = t
        else:
            low = t
        newton = t - excess / variance_at_t
        t = newton if low < newton < high else (low + high) / 2
    return best


def least_holders(
    counts: Counts, people: Counts, g: float, not_g: float, h: float, not_h: float, error: float, guesses: Counts
) -> Counts:
    """For each count the smallest x, at most ``people``, whose upper tail exceeds ``error``; searched from a guess.

    x of the people support a label with probability ``g``, the others with ``h``; ``not_g`` is 1 - g, ``not_h`` 1 - h.
    A tail is never too small, so an interval from x can only be too wide.

    >>> three, none = np.array([3]), np.array([0])
    >>> least_holders(three, np.array([5]), 1.0, 0.0, 0.0, 1.0, 0.5, none)
    array([3])
    """
    found = np.empty(len(counts), np.int64)
    _kernels.least_holders(integers(counts), integers(people), integers(guesses), g, not_g, h, not_h, error, found)
    return found
