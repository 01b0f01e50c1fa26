"""The best sizes of k-subset: for squared error (ye2017) and for mutual information (wang2016)."""

from __future__ import annotations

import math

from deniable.theory.information import subset


def _variance(d: int, k: int, excess: float) -> float:
    """(d-1)^2 (kE + d-k)^2 / (d k (d-k) M^2) without what does not depend on k."""
    return (k * excess + d) ** 2 / (k * (d - k))


def best_l2_size(d: int, epsilon: float) -> int:
    """k#: the better of floor and ceil of d/(1 + E), within 1..d-1.

    >>> best_l2_size(16, 1.0)
    4
    """
    middle = d / (1 + math.exp(epsilon))
    sizes = {min(max(k, 1), d - 1) for k in (math.floor(middle), math.ceil(middle))}
    return min(sorted(sizes), key=lambda k: _variance(d, k, math.expm1(epsilon)))


def convenient_size(d: int, epsilon: float) -> int:
    """ye2017's ceil(d/(E + 1)), within 1..d-1."""
    return min(max(math.ceil(d / (math.exp(epsilon) + 1)), 1), d - 1)


def beta(d: int, epsilon: float) -> float:
    """wang2016's real-valued size of most information, (eps E - E + 1) d / M^2; d/2 - d eps/6 + ... for small eps."""
    if epsilon < 1e-3:
        return d * (0.5 - epsilon / 6 + epsilon**3 / 180)
    excess = math.expm1(epsilon)
    return (epsilon * math.exp(epsilon) - excess) * d / excess**2


def best_information_size(d: int, epsilon: float) -> int:
    """k*: the better of floor and ceil of beta, within 1..d-1.

    >>> best_information_size(16, 1.0)
    5
    """
    middle = beta(d, epsilon)
    sizes = {min(max(k, 1), d - 1) for k in (math.floor(middle), math.ceil(middle))}
    return max(sorted(sizes), key=lambda k: subset(d, k, epsilon))
