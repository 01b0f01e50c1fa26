"""Risks of Hadamard response with B parts of b outputs each, t = e^epsilon as realised (acharya2019's plain baseline).

Labels fill the parts in order, b-1 each; a label owns half of its part's outputs, with weight t against 1. Its estimate
adds (D/(t-1))/n, D = 2B-1+t, for a report in its own half and subtracts it for one in its part's other half, so

    n Var_x = (D/(t-1))^2 (2 + (t-1) p(part))/D - p_x^2        against p,
    the same with - theta_x in place of - p_x^2                 against the people's own shares theta.

Below, D/(t-1) = 1 + 2B/(t-1) is multiplied out: the remaining terms are nonnegative, and nothing cancels.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import scipy

from deniable.arrays import Vector
from deniable.theory.risk.variance import Loss, Target, VarianceLaw

Odds: TypeAlias = float | Fraction


def size_of_part(d: int, parts: int) -> int:
    """b, the least power of two above the ceiling of d/B, because row 0, all plus, is not used."""
    return 1 << (-(-d // parts)).bit_length()


def leverage(t: Odds, parts: int) -> float:
    """D/(t-1): how many people one fake report can count for.

    >>> leverage(3.0, parts=1)
    2.0
    """
    return 1 + 2 * parts / float(t - 1)


def symbol_variance(t: Odds, parts: int, n: int, p_symbol: Vector, p_part: Vector) -> Vector:
    """Each label's squared error against p, from its own probability and that of its whole part."""
    return _sample_variance(t, parts, n, p_symbol, p_part) + p_symbol * (1 - p_symbol) / n


def _sample_variance(t: Odds, parts: int, n: int, own: Vector, part: Vector) -> Vector:
    excess = float(t - 1)
    noise = 2 * leverage(t, parts) / excess + 2 * parts / excess * part
    return (noise + (part - own)) / n


def _part_shares(p: Vector, size: int) -> Vector:
    """For each label, the probability of the part that it lies in."""
    rows = size - 1
    return np.repeat(np.add.reduceat(p, np.arange(0, len(p), rows)), rows)[: len(p)]


def variance_population(t: Odds, parts: int, size: int, n: int, p: Vector) -> Vector:
    """Each label's expected squared error against the distribution p that the people are drawn from."""
    return symbol_variance(t, parts, n, p, _part_shares(p, size))


def variance_sample(t: Odds, parts: int, size: int, n: int, theta: Vector) -> Vector:
    """Each label's squared error against the people's own shares."""
    return _sample_variance(t, parts, n, theta, _part_shares(theta, size))


def law(t: Odds, parts: int, size: int, d: int) -> VarianceLaw:
    """The labels' variances as a ``VarianceLaw``: a constant and what the people of each label add.

    >>> p = np.array([0.5, 0.3, 0.2])
    >>> np.allclose(law(3.0, 1, 4, 3).variances(p), variance_population(3.0, 1, 4, 1, p))
    True
    """
    excess = float(t - 1)
    noise, mates = 2 * leverage(t, parts) / excess, 1 + 2 * parts / excess

    def by_part(amounts: Vector) -> Vector:
        return mates * _part_shares(amounts, size)

    return VarianceLaw(np.full(d, noise), by_part, by_part)


def l2_population(t: Odds, parts: int, size: int, n: int, p: Vector) -> float:
    """The expected squared error against p, summed over the labels."""
    return float(variance_population(t, parts, size, n, p).sum())


def l2_sample(t: Odds, parts: int, size: int, n: int, theta: Vector) -> float:
    """The expected squared error against the people's own shares, summed over the labels."""
    return float(variance_sample(t, parts, size, n, theta).sum())


def l1_asymptotic(t: Odds, parts: int, size: int, n: int, p: Vector, target: Target = "population") -> float:
    """sum_x sqrt(2 Var_x / pi), the limit of the expected absolute error for many people."""
    variance = variance_population if target == "population" else variance_sample
    return float(np.sqrt(variance(t, parts, size, n, p) * 2 / math.pi).sum())


def worst_truth(t: Odds, parts: int, size: int, d: int, loss: Loss = "l2", target: Target = "population") -> Vector:
    """The truth with the largest risk: uniform over the labels of full parts and over those of the last part.

    l2 is a constant plus the sum of D/(t-1) c_x p_x - p_x^2, c_x the number of labels in x's part. Labels of a smaller
    last part would get D/(t-1)/2 > 1/2 less than the others, who have less than 1/2: they get nothing. l1 is concave,
    so symmetric labels have equal shares, and the last part's share is found by a search; linf is searched too.
    """
    if loss == "linf":
        return law(t, parts, size, d).worst_truth(loss, target)
    full = _labels_of_full_parts(size, d)
    if full == d:
        return np.full(d, 1 / d)
    share = _worst_l1_share(t, parts, size - 1, full, d - full, target) if loss == "l1" else 0.0
    return np.where(np.arange(d) < full, (1 - share) / full, share / (d - full))


def _labels_of_full_parts(size: int, d: int) -> int:
    """How many labels lie in parts that are full; all labels if they do not fill even one part."""
    return d - d % (size - 1) if d >= size else d


def _worst_l1_share(t: Odds, parts: int, rows: int, full: int, rest: int, target: Target) -> float:
    """The share of the last part at the truth with the largest l1; its ``rest`` labels are fewer than ``rows``."""
    variance = symbol_variance if target == "population" else _sample_variance

    def negative(share: float) -> float:
        own, part = np.array([(1 - share) / full, share / rest]), np.array([(1 - share) * rows / full, share])
        return -float(np.array([full, rest]) @ np.sqrt(variance(t, parts, 1, own, part)))

    found = scipy.optimize.minimize_scalar(negative, bounds=(0.0, 1.0), method="bounded", options={"xatol": 1e-9})
    return min(0.0, float(found.x), key=negative)  # the search stays inside the bounds


def worst_sample_l2(t: Odds, parts: int, size: int, n: int, d: int) -> float:
    """The largest ``l2_sample`` over all truths, which is reached when everybody's label is in a full part."""
    excess, labels = float(t - 1), min(size - 1, d)
    return (2 * d * leverage(t, parts) / excess + 2 * parts * labels / excess + labels - 1) / n


def worst_population_l2(t: Odds, parts: int, size: int, n: int, d: int) -> float:
    """The largest ``l2_population`` over all truths, at ``worst_truth``."""
    return worst_sample_l2(t, parts, size, n, d) + (1 - 1 / _labels_of_full_parts(size, d)) / n


def best_parts(d: int, epsilon: float) -> tuple[int, int]:
    """The number of parts B, a power of two, with the least l2 at the uniform truth, and the size b of a part.

    >>> best_parts(100, 3.0)
    (8, 16)
    """
    t = math.exp(epsilon)
    choices = [(1 << i, size_of_part(d, 1 << i)) for i in range((d - 1).bit_length() + 1)]
    return min(choices, key=lambda choice: _uniform_l2(t, choice[0], choice[1], d))


def _uniform_l2(t: Odds, parts: int, size: int, d: int) -> float:
    """``l2_sample`` of one person at the uniform truth, from the sizes of the parts, without an array of labels."""
    excess, (full, rest) = float(t - 1), divmod(d, size - 1)
    mates = (full * (size - 1) ** 2 + rest**2) / d
    return 2 * d * leverage(t, parts) / excess + 2 * parts * mates / excess + mates - 1
