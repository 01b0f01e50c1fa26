"""Weights that make columns a channel: sum_y w_y v_y = 1, in coordinates without cancellation at small levels.

The constant part of the equations is separated from the contrasts between labels, which may be tiny and are scaled to
equal size.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector
from deniable.theory.best_channel.goals import Goal
from deniable.theory.best_channel.pricing import FINE

_ROUNDING_ERROR = 1e-13
"""Contrasts this small relative to the columns are rounding errors."""
_DROPPED = (1e-10, 1e-13, 0.0)
"""Weights below these fractions of the largest are dropped, if rows still add up to 1 without them."""
_EXACT = 1e-14
"""How near to 1 rows must then add up."""


@dataclass(frozen=True, slots=True)
class Balance:
    """The equations ``rows`` w = (1, 0, ..., 0) of given columns: of their means, and of ``contrasts`` times them."""

    columns: Matrix
    rows: Matrix
    contrasts: Matrix

    @classmethod
    def of(cls, columns: Matrix) -> Balance:
        """The equations for columns: their means and principal contrasts, without contrasts that are always 0."""
        contrasts = scipy.linalg.helmert(len(columns))
        axes, sizes, _ = np.linalg.svd(contrasts @ columns, full_matrices=False)
        is_varied = sizes > _ROUNDING_ERROR * np.linalg.norm(columns)
        scaled = axes[:, is_varied].T / sizes[is_varied, None]
        rows = np.vstack([columns.mean(axis=0), scaled @ (contrasts @ columns)])
        return cls(columns, rows, scaled @ contrasts)

    @property
    def target(self) -> Vector:
        """The right side of the equations: a mean of 1 and contrasts of 0."""
        return np.asarray(np.eye(len(self.rows))[0], np.float64)

    def prices(self, multipliers: Vector) -> Vector:
        """The vector mu with mu . v = ``multipliers`` . row for every column v."""
        return np.asarray(multipliers[0] / self.contrasts.shape[1] + multipliers[1:] @ self.contrasts, np.float64)

    def bound(self, gains: Vector, multipliers: Vector) -> float:
        """An upper bound on the gain of any weights, by weak duality, whatever the multipliers are."""
        return float(multipliers[0] + ((gains - multipliers @ self.rows) / self.rows[0]).max())

    def best(self, gains: Vector) -> tuple[Vector, Vector]:
        """The weights with the most gain and their multipliers, by HiGHS; gains are scaled so that tiny ones count."""
        scale = float(np.abs(gains).max()) or 1.0
        solution = scipy.optimize.linprog(
            -gains / scale,
            A_eq=self.rows,
            b_eq=self.target,
            method="highs-ds",
            options={"primal_feasibility_tolerance": FINE, "dual_feasibility_tolerance": FINE},
        )
        weights = np.maximum(np.asarray(solution.x, np.float64), 0)  # the solver may go below 0 by its tolerance
        return self.polished(weights), -scale * np.asarray(solution.eqlin.marginals, np.float64)

    def polished(self, weights: Vector) -> Vector:
        """Weights corrected so that rows add up to 1 to the last digit; small ones are dropped unless they matter."""
        best = weights
        for least in _DROPPED:
            corrected = self._corrected(np.where(weights > least * weights.max(), weights, 0))
            if self._row_error(corrected) < self._row_error(best):
                best = corrected
            if self._row_error(best) < _EXACT:
                break
        return best

    def _row_error(self, weights: Vector) -> float:
        return float(np.abs(self.columns @ weights - 1).max())

    def _corrected(self, weights: Vector) -> Vector:
        """Weights after Newton steps towards rows of sum 1, relative to the weights, so that none turns negative."""
        for _ in range(8):
            gram = (self.rows * weights) @ self.rows.T
            step = np.linalg.lstsq(gram, self.target - self.rows @ weights, rcond=None)[0]
            weights = weights * (1 + np.maximum(step @ self.rows, -0.5))
        return weights


@dataclass(frozen=True, slots=True)
class Weighted:
    """The best weights of given columns for a goal, the prices of the labels, and a bound on any weights' gain."""

    goal: Goal
    weights: Vector
    prices: Vector
    bound: float


def weighted(goal: Goal, columns: Matrix, prior: Vector) -> Weighted:
    """The best weights of given columns for a goal that adds up over columns, by a linear program."""
    balance, gains = Balance.of(columns), goal.gains(columns, prior)
    weights, multipliers = balance.best(gains)
    return Weighted(goal, weights, balance.prices(multipliers), balance.bound(gains, multipliers))
