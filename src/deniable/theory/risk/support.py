"""Risks of support counting, as functions of (g, h, n, p) alone.

A report supports label j with probability g if the value is j and h otherwise. So m_j = h + (g-h) p_j is the
probability that j is supported, and (f_j - n h)/(n (g-h)) the unbiased estimate from f_j supports.

Two kinds of risk: *population*, where values are drawn from p and the loss is against p (kairouz2016, ye2017), and
*sample*, where the people are fixed and the loss is against their own shares theta (wang2016). They differ by the
drawing: l2_population = l2_sample + (1 - sum p^2)/n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from deniable.arrays import Vector
from deniable.theory.binomials import binomial_cdf, binomial_pmf
from deniable.theory.risk import largest
from deniable.theory.risk.variance import Loss, Target, combined

MIRRORED = 3
"""Among up to so many errors that add up to 0, the largest equals half of l1, since it has a sign of its own."""


@dataclass(frozen=True, slots=True)
class Support:
    """``g`` and ``h``, with ``gap`` = g - h and ``miss`` = 1 - g stored too, so that nothing cancels at any epsilon.

    >>> round(Support.subset(16, 4, 1.0).g, 8), round(Support.subset(16, 4, 1.0).h, 8)
    (0.47536689, 0.23497554)
    """

    g: float
    h: float
    gap: float
    miss: float = math.nan

    def __post_init__(self) -> None:
        if math.isnan(self.miss):
            object.__setattr__(self, "miss", 1 - self.g)

    @classmethod
    def exact(cls, g: Fraction, h: Fraction) -> Support:
        """The floats of exact ``g`` and ``h``, whose difference is taken before rounding."""
        return cls(float(g), float(h), float(g - h), float(1 - g))

    @classmethod
    def subset(cls, d: int, k: int, epsilon: float) -> Support:
        """k-subset: g = kE/(kE+d-k), g - h = k(d-k)M/((d-1)(kE+d-k)) (ye2017)."""
        excess = math.expm1(epsilon)
        total = d + k * excess
        return cls(
            g=k * (excess + 1) / total,
            h=k * ((k - 1) * excess + d - 1) / ((d - 1) * total),
            gap=k * (d - k) * excess / ((d - 1) * total),
            miss=(d - k) / total,
        )

    @classmethod
    def response(cls, d: int, epsilon: float) -> Support:
        """k-ary randomized response, g = E/(E+d-1) and h = 1/(E+d-1) (kairouz2016): subsets of one."""
        return cls.subset(d, 1, epsilon)

    @classmethod
    def rappor(cls, epsilon: float) -> Support:
        """k-RAPPOR: every bit flipped with probability h = 1/(S+1), S = e^(epsilon/2) (kairouz2016)."""
        excess = math.expm1(epsilon / 2)
        flip = 1 / (excess + 2)
        return cls(g=(excess + 1) * flip, h=flip, gap=excess * flip, miss=flip)

    @classmethod
    def optimized_unary(cls, epsilon: float) -> Support:
        """OUE: the own bit is a fair coin, the others are set with probability 1/(E+1)."""
        excess = math.expm1(epsilon)
        return cls(g=0.5, h=1 / (excess + 2), gap=excess / (2 * excess + 4), miss=0.5)


def marginals(s: Support, p: Vector) -> Vector:
    """m_j = h + (g-h) p_j, the probability that label j is supported."""
    return s.h + s.gap * p


def _complements(s: Support, p: Vector) -> Vector:
    """1 - m_j = (1-g) + (g-h)(1-p_j), a sum of nonnegative terms, so that nothing cancels."""
    return s.miss + s.gap * (1 - p)


def variance_population(s: Support, n: int, p: Vector) -> Vector:
    """Var_j = m_j (1-m_j) / (n (g-h)^2), each label's squared error against p."""
    return marginals(s, p) * _complements(s, p) / (n * s.gap**2)


def variance_sample(s: Support, n: int, theta: Vector) -> Vector:
    """Var_j = [theta_j g(1-g) + (1-theta_j) h(1-h)] / (n (g-h)^2) (wang2016), against the people's own shares."""
    own, other = s.g * s.miss, s.h * (s.miss + s.gap)
    return (theta * own + (1 - theta) * other) / (n * s.gap**2)


def l2_population(s: Support, n: int, p: Vector) -> float:
    """sum_j m_j (1-m_j) / (n (g-h)^2): the expected squared error against p, summed over the labels."""
    return float(variance_population(s, n, p).sum())


def l2_sample(s: Support, n: int, d: int) -> float:
    """[g(1-g) + (d-1) h(1-h)] / (n (g-h)^2): the total squared error against the people's shares, whatever they are.

    >>> round(l2_sample(Support.subset(16, 4, 1.0), 10_000, 16), 12)
    0.005097639306
    """
    return (s.g * s.miss + (d - 1) * s.h * (s.miss + s.gap)) / (n * s.gap**2)


def l1_population(s: Support, n: int, p: Vector) -> float:
    """sum_j MAD(n, m_j) / (n (g-h)), exact for every n, with the mean absolute deviation of a binomial (De Moivre).

    MAD(n, q) = 2 v C(n,v) q^v (1-q)^(n-v+1) with v = floor(nq) + 1, and MAD(n, q) = MAD(n, 1-q).
    """
    m, rest = marginals(s, p), _complements(s, p)
    q = np.minimum(m, rest)
    v = np.floor(n * q) + 1
    deviations = 2 * v * np.maximum(m, rest) * binomial_pmf(v, n, q)
    return float(deviations.sum() / (n * s.gap))


def l1_asymptotic(s: Support, n: int, p: Vector) -> float:
    """sum_j sqrt(2 Var_j / pi), the limit of the expected absolute error against p for many people."""
    return float(np.sqrt(variance_population(s, n, p) * 2 / math.pi).sum())


def l1_sample(s: Support, n: int, theta: Vector) -> float:
    """sum_j sqrt(2 Var_j / pi), the same limit against the people's own shares; largest if they are uniform."""
    return float(np.sqrt(variance_sample(s, n, theta) * 2 / math.pi).sum())


def negative_labels(s: Support, n: int, p: Vector) -> float:
    """The sum of Pr(f_j < n h), f_j binomial of chance m_j: the labels that are expected to be estimated below 0."""
    return float(np.sum(binomial_cdf(math.ceil(n * s.h) - 1, n, marginals(s, p))))


def l2_worst(s: Support, n: int, d: int) -> float:
    """The largest ``l2_population``, which is at the uniform p because m(1-m) is concave in p."""
    return d * l2_population(s, n, np.array([1 / d]))


def l1_worst(s: Support, n: int, d: int) -> float:
    """``l1_population`` at the uniform p, where its limit is largest; for few people a skewed p can exceed it."""
    return d * l1_population(s, n, np.array([1 / d]))


def risk(s: Support, n: int, d: int, loss: Loss, p: Vector | None, target: Target, *, closed: bool = False) -> float:
    """The error of the unbiased decoder over d labels at the truth ``p``, or at the worst truth if that is None.

    For l2 and the limit of l1 the worst truth is uniform; for linf it is uniform over some of the labels. Against the
    sample, l1 is its limit for many people. ``closed`` says that every report supports the same number of labels, so
    that estimates add up to 1.
    """
    if loss == "linf":
        return _largest(s, n, d, p, target, closed)
    if loss == "l2" and target == "sample":
        return l2_sample(s, n, d)
    truth = np.full(d, 1 / d) if p is None else p
    if loss == "l2":
        return l2_population(s, n, truth)
    return l1_population(s, n, truth) if target == "population" else l1_sample(s, n, truth)


def _largest(s: Support, n: int, d: int, p: Vector | None, target: Target, closed: bool) -> float:
    """The expected largest error: half of l1 if two or three estimates add up to 1, else a bound on its limit."""
    if closed and d <= MIRRORED:
        return risk(s, n, d, "l1", p, target) / 2
    variances = variance_population if target == "population" else variance_sample
    if p is not None:
        return combined(variances(s, n, p), "linf", closed)
    shared = [(np.array([m, d - m]), np.array([1 / m, 0.0])) for m in largest.few(d)]
    return max(combined(variances(s, n, shares), "linf", closed, copies) for copies, shares in shared)


def leverage(s: Support) -> float:
    """L = (1-h)/(g-h) = 1 + (1-g)/(g-h): a share beta of fake reports lifts one label by at most beta L.

    >>> leverage(Support.response(3, math.log(3))), leverage(Support.optimized_unary(math.log(3)))
    (2.0, 3.0)
    """
    return 1 + s.miss / s.gap
