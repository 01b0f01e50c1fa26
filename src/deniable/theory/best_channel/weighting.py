"""Weights that make columns a channel: sum_y w_y v_y = 1, in coordinates that do not cancel at small levels.

The constant part of the equations is kept apart from the contrasts between labels, which may be tiny: in coordinates
where each of them counts as much.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import helmert
from scipy.optimize import linprog

from deniable.arrays import Matrix, Vector
from deniable.theory.best_channel.goals import Goal
from deniable.theory.best_channel.pricing import FINE

_NOTHING = 1e-13
"""Contrasts this small beside the columns are rounding."""
_LEAST = (1e-10, 1e-13, 0.0)
"""Weights below these parts of the largest are left out, if rows still add up to 1 without them."""
_EXACT = 1e-14
"""How near."""


@dataclass(frozen=True, slots=True)
class Balance:
    """The equations ``rows`` w = (1, 0, ..., 0) of given columns: of their means, and of ``contrasts`` times them."""

    columns: Matrix
    rows: Matrix
    contrasts: Matrix

    @classmethod
    def of(cls, columns: Matrix) -> Balance:
        """The means of the columns, and their principal contrasts; those that are 0 for all columns are left out."""
        plain = helmert(len(columns))
        axes, sizes, _ = np.linalg.svd(plain @ columns, full_matrices=False)
        told = sizes > _NOTHING * np.linalg.norm(columns)
        turn = axes[:, told].T / sizes[told, None]
        return cls(columns, np.vstack([columns.mean(axis=0), turn @ (plain @ columns)]), turn @ plain)

    @property
    def target(self) -> Vector:
        """The right side: a mean of 1, and no contrast."""
        return np.asarray(np.eye(len(self.rows))[0], np.float64)

    def prices(self, multipliers: Vector) -> Vector:
        """The vector mu with mu . v = ``multipliers`` . row for every column v."""
        return np.asarray(multipliers[0] / self.contrasts.shape[1] + multipliers[1:] @ self.contrasts, np.float64)

    def bound(self, gains: Vector, multipliers: Vector) -> float:
        """What no weights gain more than, by weak duality and whatever the multipliers are."""
        return float(multipliers[0] + ((gains - multipliers @ self.rows) / self.rows[0]).max())

    def best(self, gains: Vector) -> tuple[Vector, Vector]:
        """The weights of most gain and their multipliers, by HiGHS; gains are scaled, or tiny ones count as none."""
        scale = float(np.abs(gains).max()) or 1.0
        found = linprog(
            -gains / scale,
            A_eq=self.rows,
            b_eq=self.target,
            method="highs-ds",
            options={"primal_feasibility_tolerance": FINE, "dual_feasibility_tolerance": FINE},
        )
        return self.polished(np.asarray(found.x, np.float64)), -scale * np.asarray(found.eqlin.marginals, np.float64)

    def polished(self, weights: Vector) -> Vector:
        """Weights that make rows of sum 1 to the last digit: few of them if that does, all where small ones matter."""
        best = weights
        for least in _LEAST:
            tried = self._corrected(np.where(weights > least * weights.max(), weights, 0))
            if self._miss(tried) < self._miss(best):
                best = tried
            if self._miss(best) < _EXACT:
                break
        return best

    def _miss(self, weights: Vector) -> float:
        return float(np.abs(self.columns @ weights - 1).max())

    def _corrected(self, weights: Vector) -> Vector:
        """Newton's steps, each in proportion to the weights, so that none turns negative."""
        for _ in range(8):
            gram = (self.rows * weights) @ self.rows.T
            step = np.linalg.lstsq(gram, self.target - self.rows @ weights, rcond=None)[0]
            weights = weights * (1 + np.maximum(step @ self.rows, -0.5))
        return weights


@dataclass(frozen=True, slots=True)
class Weighted:
    """The best weights of given columns for a goal, the prices of the labels, and a bound on what any weights gain."""

    goal: Goal
    weights: Vector
    prices: Vector
    bound: float


def weighted(goal: Goal, columns: Matrix, prior: Vector) -> Weighted:
    """The linear program of a goal that adds up over columns."""
    balance, gains = Balance.of(columns), goal.gains(columns, prior)
    weights, multipliers = balance.best(gains)
    return Weighted(goal, weights, balance.prices(multipliers), balance.bound(gains, multipliers))
