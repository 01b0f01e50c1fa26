"""The best sizes of k-subset: for squared error (ye2017), also of high-low surveys, and for information (wang2016)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from deniable.theory.risk.designs import Hiding, worst_high_low
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


def best_high_low_size(sensitive: int, labels: int, epsilon: float) -> int:
    """The size of least squared error at the worst truth, of sets of sensitive labels in a high-low survey.

    The error falls and then rises with the size: the smallest size whose next one is no better is found by halving.

    >>> best_high_low_size(16, 100, 1.0), best_high_low_size(16, 100, 3.0)
    (4, 1)
    """
    odds = Fraction(math.exp(epsilon))

    def error(size: int) -> float:
        return worst_high_low(Hiding(sensitive, size, odds), sensitive, labels)

    least, most = 1, max(sensitive - 1, 1)
    while least < most:
        middle = (least + most) // 2
        if error(middle) <= error(middle + 1):
            most = middle
        else:
            least = middle + 1
    return least
