"""Effective sample sizes: how many people without noise would tell as much as n reports (kairouz2016, prop. 1).

Without noise the shares among n people have a squared error of (1 - 1/d)/n at the worst truth, the uniform one. The
effective sample size of reports is the n at which that equals their own worst risk. It is the same for l2 and for l1.
"""

from __future__ import annotations

import math

from deniable.checks import check_size, check_users
from deniable.protocol.checks import check_epsilon, check_positive
from deniable.theory.lower_bounds.assouad import minimax_l2


def effective_users(d: int, risk: float) -> float:
    """The number of people without noise that gives this squared error at the worst truth: (1 - 1/d)/risk.

    >>> effective_users(2, 0.002)
    250.0
    """
    return (1 - 1 / check_size(d)) / check_positive("risk", risk)


def response_effective_users(d: int, epsilon: float, n: int) -> float:
    """The effective sample size of k-RR: n (M/(M + d))^2, about n eps^2/d^2 at small epsilon and n/4 at epsilon = ln d.

    >>> round(response_effective_users(100, 1.0, 10**6)), round(response_effective_users(100, 4.6, 10**6))
    (285, 246196)
    """
    excess = math.expm1(check_epsilon(epsilon))
    return check_users(n) * (excess / (excess + check_size(d))) ** 2


def rappor_effective_users(d: int, epsilon: float, n: int) -> float:
    """The effective sample size of k-RAPPOR: n/(1 + d^2 S/((d-1) (S-1)^2)), S = e^(eps/2).

    About n eps^2/(4 d) at small epsilon and n/sqrt(d) at epsilon = ln d.

    >>> round(rappor_effective_users(100, 1.0, 10**6)), round(rappor_effective_users(100, 4.6, 10**6))
    (2521, 74020)
    """
    excess, labels = math.expm1(check_epsilon(epsilon) / 2), check_size(d)
    return check_users(n) / (1 + labels**2 * (excess + 1) / ((labels - 1) * excess**2))


def most_effective_users(d: int, epsilon: float, n: int) -> float:
    """An upper bound on the effective sample size of n epsilon-LDP reports of any mechanism.

    kairouz2016's prop. 1 gives the order, n eps^2/d for epsilon up to 1; by ``minimax_l2``, derived, it is a quarter
    of that for many people, which the best subsets reach.

    >>> round(most_effective_users(100, 1.0, 10**6))
    3543
    """
    return min(float(check_users(n)), (1 - 1 / check_size(d)) / minimax_l2(d, epsilon, n))
