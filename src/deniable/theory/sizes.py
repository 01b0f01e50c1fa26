"""The best sizes of k-subset: for squared error (ye2017) and for mutual information (wang2016)."""

from __future__ import annotations

import math

import numpy as np

from deniable.theory.risk.information import by_share

_SERIES = [0.0, 0.0, *((j - 1) / math.factorial(j) for j in range(2, 24))]


def best_l2_size(d: int, epsilon: float) -> int:
    """k#, the size of least squared error: the smallest k >= 1 with E^2 k(k+1) >= (d-k)(d-k-1).

    It is the floor or the ceiling of ye2017's d/(1+E). Compared as (E^2 - 1) k(k+1) >= d(d-1-2k), whose right side is a
    whole number, because at small epsilon the two products of the definition agree in nearly all digits.

    >>> best_l2_size(16, 1.0)
    4
    """
    k = max(1, math.floor(d / (1 + math.exp(epsilon))))
    return k if math.expm1(2 * epsilon) * k * (k + 1) >= d * (d - 1 - 2 * k) else k + 1


def convenient_size(d: int, epsilon: float) -> int:
    """The size that ye2017's bounds (10) and (11) use, the ceiling of d/(E+1).

    >>> convenient_size(16, 1.0)
    5
    """
    return math.ceil(d / (math.exp(epsilon) + 1))


def best_share(epsilon: float) -> float:
    """beta/d = (eps E - E + 1) / M^2: the share of the domain in the most informative sets, 1/2 at small epsilon."""
    excess = math.expm1(epsilon)
    if epsilon < 1:  # the sum of eps^j (j-1)/j!, where eps E and M cancel
        return float(np.polynomial.polynomial.polyval(epsilon, _SERIES)) / excess**2
    return (epsilon * (excess + 1) - excess) / excess**2


def beta(d: int, epsilon: float) -> float:
    """wang2016's beta: the size of most mutual information if sizes could be any real number.

    >>> round(beta(16, 1.0), 7)
    5.4191502
    """
    return d * best_share(epsilon)


def best_information_size(d: int, epsilon: float) -> int:
    """k*, the size of most mutual information: the better of the floor and the ceiling of beta, from 1 to d-1.

    >>> best_information_size(16, 1.0)
    5
    """
    size = beta(d, epsilon)
    floor, ceiling = (min(max(k, 1), d - 1) for k in (math.floor(size), math.ceil(size)))
    told = by_share(np.array([floor, ceiling]) / d, epsilon)
    return floor if told[0] >= told[1] else ceiling
