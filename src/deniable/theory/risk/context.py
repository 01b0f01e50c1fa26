"""Variances of context-aware mechanisms (acharya2019), for labels with the sensitive ones first.

t = e^eps as realised, r = (t+1)/(t-1).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from deniable.arrays import Vector
from deniable.theory.risk.support import Support
from deniable.theory.risk.variance import VarianceLaw


def reach(t: Fraction) -> float:
    """The scale r = (t+1)/(t-1), which is also the leverage of one fake Hadamard report.

    >>> reach(Fraction(3))
    2.0
    """
    return float((t + 1) / (t - 1))


def high_low_hadamard(t: Fraction, sensitive: int, labels: int) -> VarianceLaw:
    """N Var = 2(t+1)/(t-1)^2 + r p(A) - p_i^2 for sensitive labels, r p_i - p_i^2 for the others (16).

    The first is acharya2019's r^2 (2 + (t-1) p(A))/(t+1), multiplied out.

    >>> law = high_low_hadamard(Fraction(np.e), 3, 6)
    >>> law.variances(np.array([0.3, 0.2, 0.1, 0.2, 0.15, 0.05])).round(6).tolist()
    [3.727113, 3.777113, 3.807113, 0.392791, 0.302093, 0.105698]
    """
    r, noise = reach(t), float(2 * (t + 1) / (t - 1) ** 2)
    high = np.arange(labels) < sensitive
    return VarianceLaw(
        np.where(high, noise, 0.0),
        lambda p: np.where(high, r * p[:sensitive].sum(), r * p),
        lambda weights: np.where(high, r * weights[:sensitive].sum(), r * weights),
    )


def block_hadamard(t: Fraction, sizes: Sequence[int]) -> VarianceLaw:
    """N Var = r^2 p(X_j) - p_x^2 for a label x of block j (19).

    >>> law = block_hadamard(Fraction(np.e), [3, 3])
    >>> law.variances(np.array([0.3, 0.2, 0.1, 0.2, 0.15, 0.05])).round(6).tolist()
    [2.719617, 2.769617, 2.799617, 1.833078, 1.850578, 1.870578]
    """
    squared, starts = reach(t) ** 2, np.cumsum([0, *sizes])[:-1]

    def by_block(amounts: Vector) -> Vector:
        return np.repeat(squared * np.add.reduceat(amounts, starts), sizes)

    return VarianceLaw(np.zeros(sum(sizes)), by_block, by_block)


def supports(groups: Sequence[tuple[Support, int]], closed: bool = False) -> VarianceLaw:
    """Variances where each group (support, number of labels) has its own g and h: h(1-h)/gap^2 + (1-2h) p/gap - p^2.

    ``closed`` if the estimates always add up to 1.

    >>> supports([(Support(0.75, 0.25, 0.5), 2)]).variances(np.array([0.5, 0.5])).tolist()
    [1.0, 1.0]
    """
    sizes = [count for _, count in groups]
    base = np.repeat([s.h * (1 - s.h) / s.gap**2 for s, _ in groups], sizes)
    slope = np.repeat([(1 - 2 * s.h) / s.gap for s, _ in groups], sizes)
    return VarianceLaw(base, lambda p: slope * p, lambda weights: slope * weights, closed)
