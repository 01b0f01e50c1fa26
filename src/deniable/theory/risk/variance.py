"""Risks from variances that are linear in the truth, minus its square.

Nearly every unbiased estimate of a share has, per person,

    v_j(p) = base_j + sum_x p_x M[x, j] - p_j^2         against the population,
    v_j(theta) = the same with - theta_j                against the people's own shares.

M[x, j] is what a person who holds x adds to the second moment of label j. The l2 risk is sum_j v_j / n; l1 tends to
sum_j sqrt(2 v_j / (pi n)). Both are concave in the truth against the population, and so is l1 against the sample. The
limit of the largest error (linf) is at most what ``largest`` computes from the variances. It is not concave, and its
worst truth is found by a search: a few labels may share all people, since only the worst label counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from deniable.arrays import Counts, Vector
from deniable.kernels.arithmetic import project_simplex
from deniable.theory.risk import largest

Loss: TypeAlias = Literal["l2", "l1", "linf"]
Target: TypeAlias = Literal["population", "sample"]
Map: TypeAlias = Callable[[Vector], Vector]

CERTAIN = 1e-7
"""The relative gap at which searches for the largest risk stop; for l1 the gap is proven."""
STEPS = 2000
ASCENTS, CLIMB = 2, 100
"""From how many truths the search for the largest error climbs, and how many steps."""


@dataclass(frozen=True, slots=True, eq=False)
class VarianceLaw:
    """``base`` and the matrix M as two functions: ``spread`` maps p to sum_x p_x M[x, .], ``collect`` maps w to M w.

    ``closed`` says that the estimates always add up to 1.

    >>> flat = VarianceLaw(np.full(2, 3.0), lambda p: p, lambda w: w)
    >>> flat.risk(100, "l2", np.array([0.5, 0.5]))
    0.065
    """

    base: Vector
    spread: Map
    collect: Map
    closed: bool = False

    def variances(self, p: Vector, target: Target = "population") -> Vector:
        """The variance v_j of each label for one person at the truth p, at least 0 even after rounding."""
        return np.asarray(np.maximum(self.base + self.spread(p) - (p**2 if target == "population" else p), 0))

    def risk(self, n: int, loss: Loss, p: Vector, target: Target = "population") -> float:
        """The error of the unbiased estimate from n people at a truth; l1 and linf are their limits for many people."""
        return combined(self.variances(p, target) / n, loss, self.closed)

    def risk_at(self, n: int, loss: Loss, p: Vector | None, target: Target) -> float:
        """``risk`` at a truth, or at the worst one."""
        return self.risk(n, loss, self.worst_truth(loss, target) if p is None else p, target)

    def worst_truth(self, loss: Loss, target: Target = "population") -> Vector:
        """The truth with the largest risk; for linf the worst that a search finds."""
        if loss == "l1":
            return self._worst_l1(target)
        if loss == "linf":
            return self._worst_linf(target)
        gains = self.collect(np.ones(len(self.base)))
        if target == "population":  # gains.p - |p|^2: the nearest distribution to gains / 2
            return np.asarray(project_simplex(gains / 2))
        worst = np.zeros(len(gains))
        worst[np.argmax(gains)] = 1
        return worst

    def _worst_l1(self, target: Target) -> Vector:
        """The worst truth for l1, which is concave: the ascent stops when the tangent bounds the remaining gap."""
        return _ascended(np.full(len(self.base), 1 / len(self.base)), lambda p: self._l1(p, target), STEPS)

    def _worst_linf(self, target: Target) -> Vector:
        """The worst truth found for linf: uniform over the few labels with the largest terms, or an ascent from it."""
        d = len(self.base)
        rank = np.argsort(np.argsort(-self.collect(np.ones(d)), kind="stable"))
        starts = [np.where(rank < m, 1 / m, 0.0) for m in largest.few(d)]

        def error(p: Vector) -> float:
            return self.risk(1, "linf", p, target)

        starts.sort(key=error, reverse=True)
        mixed = [0.99 * p + 0.01 / d for p in starts[:ASCENTS]]
        climbed = [_ascended(p, lambda p: self._linf(p, target), CLIMB) for p in mixed]
        return max([*starts, *climbed, *([self._worst_l1(target)] if self.closed else [])], key=error)

    def _l1(self, p: Vector, target: Target) -> tuple[float, Vector]:
        """The l1 risk of one person at p, and its gradient."""
        roots = np.sqrt(np.maximum(self.variances(p, target), np.finfo(float).tiny))
        weights = 0.5 / roots
        return float(roots.sum()), self._tangent(weights, p, target)

    def _linf(self, p: Vector, target: Target) -> tuple[float, Vector]:
        """The linf risk of one person at p, and its gradient."""
        variances = self.variances(p, target)
        return largest.expected(variances), self._tangent(largest.slope(variances), p, target)

    def _tangent(self, weights: Vector, p: Vector, target: Target) -> Vector:
        """The gradient with respect to p of a function whose gradient with respect to the variances is ``weights``."""
        return self.collect(weights) - weights * (2 * p if target == "population" else 1)


def combined(variances: Vector, loss: Loss, closed: bool = False, copies: Counts | None = None) -> float:
    """The risk for one person from the variances of all labels, or of so many ``copies`` of each.

    If the estimates add up to 1 (``closed``), the largest error (linf) is at most half of l1.

    >>> round(combined(np.ones(4), "linf"), 4), combined(np.ones(2), "linf", closed=True) == combined(np.ones(1), "l1")
    (1.4647, True)
    """
    if loss == "l2":
        return _sum(variances, copies)
    l1 = _sum(np.sqrt(2 * variances / math.pi), copies)
    if loss == "l1":
        return l1
    bound = largest.expected(variances, copies)
    return min(bound, l1 / 2) if closed else bound


def _sum(amounts: Vector, copies: Counts | None) -> float:
    """The sum of amounts, each taken as often as ``copies`` says, or once."""
    return float(amounts.sum() if copies is None else amounts @ copies)


def _ascended(start: Vector, goal: Callable[[Vector], tuple[float, Vector]], steps: int) -> Vector:
    """Multiplicative ascent of ``goal``, which returns value and gradient, until its tangent allows little more."""
    p, length = start, 1.0
    value, slope = goal(p)
    for _ in range(steps):
        excess = slope - slope @ p
        if excess.max() <= CERTAIN * value:
            break
        raised = p * np.exp(np.clip(length * excess / np.abs(excess).max(), -1, 1))
        moved = raised / raised.sum()
        moved_value, moved_slope = goal(moved)
        if moved_value >= value:
            p, value, slope, length = moved, moved_value, moved_slope, min(1.0, 1.5 * length)
        else:
            length /= 3
    return p
