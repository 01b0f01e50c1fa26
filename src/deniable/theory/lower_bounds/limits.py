"""Limits of the errors of subsets, k-RR and k-RAPPOR, and the order of every mechanism's error (ye2017).

E = e^epsilon, M = E - 1; risks are for n people drawn from p (iid), at the worst p.
"""

from __future__ import annotations

import math

from deniable.checks import check_size, check_users
from deniable.protocol.checks import check_epsilon


def convenient_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 10, re-derived: an upper bound on the l2 risk of k-subset of size ceil(d/(E+1))."""
    d, e, excess, n = _check(d, epsilon, n)
    inner = 4 * d - 6 + e + 1 / e + (e + 1) / e * (1 / _spare(d, excess) + 1 / d)
    return e / (n * excess**2) * inner


def convenient_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 11, re-derived: the same for the expected absolute error of many people."""
    d, e, excess, n = _check(d, epsilon, n)
    least = 2 * (d - 1) / excess * math.sqrt(2 * e / (math.pi * n))
    return least * (1 + (e + 1) ** 2 / (8 * _spare(d, excess)))


def small_epsilon_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 12: the l2 risk of the best subsets is about 4 d E/(n M^2) for E << d."""
    d, e, excess, n = _check(d, epsilon, n)
    return 4 * d * e / (n * excess**2)


def small_epsilon_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 12: the l1 risk of the best subsets is about (d/M) sqrt(8 E/(pi n)) for E << d."""
    d, e, excess, n = _check(d, epsilon, n)
    return d / excess * math.sqrt(8 * e / (math.pi * n))


def large_epsilon_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 13: the l2 risk of the best subsets is about 4 d/(n E) for 1 << E << d."""
    d, e, _, n = _check(d, epsilon, n)
    return 4 * d / (n * e)


def large_epsilon_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 13: the l1 risk of the best subsets is about d sqrt(8/(pi n E)) for 1 << E << d."""
    d, e, _, n = _check(d, epsilon, n)
    return d * math.sqrt(8 / (math.pi * n * e))


def response_limit_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, prop. III.4: the l2 risk of k-RR is about d^2/(n E^2) for 1 << E << d."""
    d, e, _, n = _check(d, epsilon, n)
    return d**2 / (n * e**2)


def rappor_limit_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, prop. III.4: the l2 risk of k-RAPPOR is about d/(n sqrt E) for 1 << E << d."""
    d, e, _, n = _check(d, epsilon, n)
    return d / (n * math.sqrt(e))


def response_limit_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, prop. III.4: the l1 risk of k-RR is about (d^1.5/E) sqrt(2/(pi n)) for 1 << E << d."""
    d, e, _, n = _check(d, epsilon, n)
    return d * math.sqrt(d) / e * math.sqrt(2 / (math.pi * n))


def rappor_limit_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, prop. III.4: the l1 risk of k-RAPPOR is about d sqrt(2/(pi n sqrt E)) for 1 << E << d."""
    d, e, _, n = _check(d, epsilon, n)
    return d * math.sqrt(2 / (math.pi * n * math.sqrt(e)))


def order_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, thm. IV.1: no mechanism's l2 risk is of lower order than d E/(n M^2), for E << d.

    Only the order, as printed: ``minimax_l2`` is a bound with a constant.
    """
    return small_epsilon_l2(d, epsilon, n) / 4


def order_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, thm. IV.1: no mechanism's l1 risk is of lower order than (d/M) sqrt(E/n), for E << d.

    Only the order, as printed: ``minimax_l1`` is a bound with a constant.
    """
    d, e, excess, n = _check(d, epsilon, n)
    return d / excess * math.sqrt(e / n)


def _check(d: int, epsilon: float, n: int) -> tuple[int, float, float, int]:
    """The checked arguments d, E, M and n."""
    level = check_epsilon(epsilon)
    return check_size(d), math.exp(level), math.expm1(level), check_users(n)


def _spare(d: int, excess: float) -> float:
    """The term dE - E - 1 of ye2017's bounds, above 0 for every d and epsilon."""
    return d * excess + d - excess - 2
