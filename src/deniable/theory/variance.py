"""Risks from a law of variances that is linear in the truth, less its square.

Nearly every unbiased estimate of a share has, per person,

    v_j(p) = base_j + sum_x p_x M[x, j] - p_j^2         against the population,
    v_j(theta) = the same with - theta_j                against the people's own shares.

M[x, j] is what a person who holds x adds to the second moment of label j. The l2 risk is sum_j v_j / n; l1 tends to
sum_j sqrt(2 v_j / (pi n)). Both are concave in the truth against the population, and so is l1 against the sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from deniable.kernels.decode import project_simplex
from deniable.theory.arguments import Vector

Loss: TypeAlias = Literal["l2", "l1"]
Target: TypeAlias = Literal["population", "sample"]
Map: TypeAlias = Callable[[Vector], Vector]

CERTAIN = 1e-7
"""Share of the largest l1 that the search may be proven to miss."""
STEPS = 2000


@dataclass(frozen=True, slots=True, eq=False)
class VarianceLaw:
    """``base`` beside M as two maps: ``spread`` takes p to sum_x p_x M[x, .], ``collect`` takes w to M w.

    >>> flat = VarianceLaw(np.full(2, 3.0), lambda p: p, lambda w: w)
    >>> flat.risk(100, "l2", np.array([0.5, 0.5]))
    0.065
    """

    base: Vector
    spread: Map
    collect: Map

    def variances(self, p: Vector, target: Target = "population") -> Vector:
        """Each v_j; rounding may not make one negative."""
        return np.asarray(np.maximum(self.base + self.spread(p) - (p**2 if target == "population" else p), 0))

    def risk(self, n: int, loss: Loss, p: Vector, target: Target = "population") -> float:
        """The error of n people at a truth; l1 is its limit for many."""
        variances = self.variances(p, target) / n
        return float(variances.sum() if loss == "l2" else np.sqrt(2 * variances / math.pi).sum())

    def worst_truth(self, loss: Loss, target: Target = "population") -> Vector:
        """The truth of the largest risk."""
        if loss == "l1":
            return self._worst_l1(target)
        gains = self.collect(np.ones(len(self.base)))
        if target == "population":  # gains.p - |p|^2: the nearest distribution to gains / 2
            return np.asarray(project_simplex(gains / 2))
        worst = np.zeros(len(gains))
        worst[np.argmax(gains)] = 1
        return worst

    def _worst_l1(self, target: Target) -> Vector:
        """Multiplicative ascent of the concave sum of roots, until the tangent proves that little is missing."""
        p, length = np.full(len(self.base), 1 / len(self.base)), 1.0
        value, slope = self._l1(p, target)
        for _ in range(STEPS):
            excess = slope - slope @ p
            if excess.max() <= CERTAIN * value:
                break
            raised = p * np.exp(np.clip(length * excess / np.abs(excess).max(), -1, 1))
            reached = raised / raised.sum()
            higher, tangent = self._l1(reached, target)
            if higher >= value:
                p, value, slope, length = reached, higher, tangent, min(1.0, 1.5 * length)
            else:
                length /= 3
        return p

    def _l1(self, p: Vector, target: Target) -> tuple[float, Vector]:
        """The sum of roots and its gradient."""
        roots = np.sqrt(np.maximum(self.variances(p, target), np.finfo(float).tiny))
        weights = 0.5 / roots
        return float(roots.sum()), self.collect(weights) - weights * (2 * p if target == "population" else 1)
