"""Mutual information between a uniform value and its report, in nats."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammaln

from deniable.theory.arguments import Vector


def subset(d: int, k: int, epsilon: float) -> float:
    """I_k = kE eps/(kE + d-k) - log1p(kM/d) (wang2016), by its series where the two terms nearly cancel."""
    excess = math.expm1(epsilon)
    share = k / d
    if epsilon < 1e-4:
        spread = share * (1 - share)
        return spread * epsilon**2 / 2 * (1 + epsilon * (1 - 2 * share) * 2 / 3)
    return k * (excess + 1) * epsilon / (k * excess + d) - math.log1p(share * excess)


def response(d: int, epsilon: float) -> float:
    """k-ary randomized response is 1-subset."""
    return subset(d, 1, epsilon)


def two_level(log_copies: Vector, members: Vector, log_low: Vector, epsilon: float, d: int) -> float:
    """Messages that are e^epsilon times likelier from ``members`` of the d values than from the others.

    ``exp(log_copies)`` messages of a kind have probability ``exp(log_low)`` from the other values. Each kind adds its
    total probability times the information of a message of that kind, which is what a subset of that size carries.
    """
    excess = math.expm1(epsilon)
    weight = np.exp(log_copies + log_low) * (1 + members / d * excess)
    return float(weight @ _information(members / d, epsilon))


def _information(share: Vector, epsilon: float) -> Vector:
    """I_k as a function of k/d, which may be 0 or 1."""
    excess = math.expm1(epsilon)
    if epsilon < 1e-4:
        return share * (1 - share) * epsilon**2 / 2 * (1 + epsilon * (1 - 2 * share) * 2 / 3)
    return share * (excess + 1) * epsilon / (share * excess + 1) - np.log1p(share * excess)


def unary(d: int, epsilon: float, log_low: Vector) -> float:
    """Reports of d bits whose probability depends only on their weight 0..d (and on the own bit, e^epsilon)."""
    weights = np.arange(d + 1.0)
    log_copies = gammaln(d + 1) - gammaln(weights + 1) - gammaln(d - weights + 1)
    return two_level(log_copies, weights, log_low, epsilon, d)


def rappor(d: int, epsilon: float) -> float:
    """wang2016, eq. 8: a report of weight k has probability S^(d-k-1)/(S+1)^d from a value it does not hold."""
    k = np.arange(d + 1.0)
    log_low = (d - k - 1) * epsilon / 2 - d * np.logaddexp(0, epsilon / 2)
    return unary(d, epsilon, log_low)


def optimized_unary(d: int, epsilon: float) -> float:
    """A report of weight k has probability q^k (1-q)^(d-1-k) / 2 from a value it does not hold, q = 1/(1+E)."""
    k = np.arange(d + 1.0)
    log_low = (d - 1 - k) * epsilon - (d - 1) * np.logaddexp(0, epsilon) - math.log(2)
    return unary(d, epsilon, log_low)
