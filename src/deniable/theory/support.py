"""Risks of support counting, a function of (g, h, n, p) alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy import stats

from deniable.theory.arguments import Vector


@dataclass(frozen=True, slots=True)
class Support:
    """Pr[j supported] is ``g`` from value j and ``h`` from any other; ``gap`` = g - h, kept so that nothing cancels."""

    g: float
    h: float
    gap: float

    @classmethod
    def exact(cls, g: Fraction, h: Fraction) -> Support:
        """From the realised rationals."""
        return cls(float(g), float(h), float(g - h))


def marginals(s: Support, p: Vector) -> Vector:
    """m_j = h + (g - h) p_j, the probability that j is supported."""
    return s.h + s.gap * p


def variance_population(s: Support, n: int, p: Vector) -> Vector:
    """m_j (1 - m_j) / (n (g - h)^2): values drawn from p, error against p."""
    m = marginals(s, p)
    return m * (1 - m) / (n * s.gap**2)


def variance_sample(s: Support, n: int, theta: Vector) -> Vector:
    """wang2016: values fixed with histogram theta, error against theta."""
    return (theta * s.g * (1 - s.g) + (1 - theta) * s.h * (1 - s.h)) / (n * s.gap**2)


def l2_population(s: Support, n: int, p: Vector) -> float:
    """Expected squared error summed over the labels, against p."""
    return float(variance_population(s, n, p).sum())


def l2_sample(s: Support, n: int, d: int) -> float:
    """Expected squared error against the sampled people's histogram: the same for every histogram."""
    return (s.g * (1 - s.g) + (d - 1) * s.h * (1 - s.h)) / (n * s.gap**2)


def l1_asymptotic(s: Support, n: int, p: Vector) -> float:
    """sum_j sqrt(2 Var_j / pi), the limit of the expected absolute error."""
    return float(np.sqrt(2 * variance_population(s, n, p) / math.pi).sum())


def l1_sample(s: Support, n: int, theta: Vector) -> float:
    """The same limit against the sampled people's histogram."""
    return float(np.sqrt(2 * variance_sample(s, n, theta) / math.pi).sum())


def l1_population(s: Support, n: int, p: Vector) -> float:
    """Exact expected absolute error: binomial mean absolute deviations (de Moivre), 2 v (1-q) Pr[Bin = v]."""
    m = marginals(s, p)
    v = np.minimum(np.floor(n * m) + 1, n)
    deviation = 2 * v * (1 - m) * stats.binom.pmf(v, n, m)
    return float(deviation.sum() / (n * s.gap))


def leverage(s: Support) -> float:
    """(1 - h)/(g - h): a share beta of fake reports lifts one label by at most beta times this."""
    return (1 - s.h) / s.gap
