"""Mutual information between a uniform value and its report, in nats (wang2016).

In all these mechanisms a message is E = e^epsilon times likelier from the k labels that it holds than from the d-k
others. Such a message leaves a posterior of q = kE/(kE+d-k) on its k labels, so it tells

    I_k = q ln(q/r) + (1-q) ln((1-q)/(1-r)) = kE eps/(kE+d-k) - ln(1 + kM/d),    r = k/d, M = E-1.

A channel tells the mean of I_k over its messages; if all messages hold the same number k of labels, that is I_k.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import scipy

from deniable.arrays import Vector
from deniable.theory.binomials import binomial_pmf
from deniable.theory.risk.support import Support

_NEAR = 0.1
"""Below this size, 16 terms of the series are exact to the last digit."""
_SERIES = [0.0, 0.0, *((-1) ** j / (j * (j - 1)) for j in range(2, 18))]
_DROPPED = 50.0
"""Numbers of set bits whose tail probability is below e^-50 are left out."""


def surprise(u: Vector) -> Vector:
    """(1+u) ln(1+u) - u, which is nonnegative; by its series near 0, where the two terms cancel."""
    near = np.polynomial.polynomial.polyval(np.clip(u, -_NEAR, _NEAR), _SERIES)
    return np.where(np.abs(u) < _NEAR, near, scipy.special.xlog1py(1 + u, u) - u)


def by_share(share: Vector, epsilon: float) -> Vector:
    """I_k as a function of r = k/d, which may be any number between 0 and 1.

    As r f(q/r - 1) + (1-r) f((1-q)/(1-r) - 1), f(u) = (1+u) ln(1+u) - u: a sum of positive terms, exact at any epsilon.
    """
    excess = math.expm1(epsilon)
    lift = excess / (1 + share * excess)
    return share * surprise((1 - share) * lift) + (1 - share) * surprise(-share * lift)


def subset(d: int, k: int, epsilon: float) -> float:
    """I_k of k-subset (wang2016).

    >>> round(subset(16, 5, 1.0), 8)
    0.12288088
    """
    return float(by_share(np.array([k / d]), epsilon)[0])


def response(d: int, epsilon: float) -> float:
    """I_1, the information of k-ary randomized response, whose reports hold one label.

    >>> round(response(16, 1.0), 8)
    0.05140853
    """
    return subset(d, 1, epsilon)


def rappor(d: int, epsilon: float) -> float:
    """The mean of I_k over the number k of bits set in a k-RAPPOR report: wang2016, eq. 8, summed from 0 (its erratum).

    >>> round(rappor(16, 1.0), 8)
    0.11446395
    """
    return _unary(d, Support.rappor(epsilon), epsilon)


def optimized_unary(d: int, epsilon: float) -> float:
    """The same for optimized unary encoding, whose messages too are E times likelier from the labels that they hold."""
    return _unary(d, Support.optimized_unary(epsilon), epsilon)


def _unary(d: int, s: Support, epsilon: float) -> float:
    """The mean of I_k when the number of set bits is Bernoulli(g) for the own bit plus Binomial(d-1, h) for the others.

    Only numbers within the Bernstein bound for e^-50 are summed; the others are negligible.
    """
    mean, variance = (d - 1) * s.h, (d - 1) * s.h * (1 - s.h)
    reach = _DROPPED / 3 + math.sqrt(_DROPPED**2 / 9 + 2 * _DROPPED * variance)
    others = np.arange(max(0, math.floor(mean - reach)), min(d - 1, math.ceil(mean + reach)) + 1)
    weights = binomial_pmf(others, d - 1, s.h)
    information = s.g * by_share((others + 1) / d, epsilon) + s.miss * by_share(others / d, epsilon)
    return float(weights @ information)


def two_level(
    log_copies: Vector, members: Vector | npt.NDArray[np.int64], log_low: Vector, epsilon: float, d: int
) -> float:
    """The information of any channel whose messages are e^epsilon times likelier from the values they hold.

    ``exp(log_copies)`` messages of a kind hold ``members`` of the ``d`` values each, and have probability
    ``exp(log_low)`` from a value that they do not hold. In logs, because there are many unary reports, each unlikely.

    >>> two_level(np.log([2.0]), np.array([1.0]), np.log([0.25]), math.log(3), 2) == response(2, math.log(3))
    True
    """
    share = members / d
    likelihood = np.exp(log_copies + log_low) * (1 + share * math.expm1(epsilon))
    return float(likelihood @ by_share(share, epsilon))
