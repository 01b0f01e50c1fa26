"""The channel of least variance at a known truth p: an A-optimal design, solved by an interior-point method.

A report y of likelihoods v_y has probability z_y = p . v_y. With an orthonormal basis C of the contrasts of labels, the
unbiased estimator of least variance adds p + C' N C v_y / z_y for each report y, where N is the inverse of
C (sum_y w_y v_y v_y' / z_y) C'. Its squared error for one person, summed over the labels, is tr N: convex in the
weights, without cancellation. Its slope is -|N C v_y|^2 / z_y, so that by Cauchy and Schwarz, for every other channel,
tr N' >= (tr N)^2 / (the most that any weights gain in these slopes): a bound that any prices certify.

For absolute errors the sum of roots sum_j sqrt(c_j) is minimized, c_j being the squared error of label j. It is convex
in the weights too. Reweighting each label's squared error by 1/sqrt(c_j) of the last round makes designs of least
weighted squared error converge to it. If the slopes at a design gain at most G, no other design has a smaller sum of
roots than sqrt((sum of roots)^3 / G): by the tangent at this design, and because scaling the weights by a scales the
roots by 1/sqrt(a).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.linalg import LinAlgError

from deniable.arrays import Matrix, Vector
from deniable.protocol.errors import ParameterError
from deniable.theory.best_channel.goals import Goal
from deniable.theory.best_channel.weighting import Balance, Weighted

STEPS = 100
ROUNDS, CLOSE = 60, 1e-9
"""How often the reweighting is repeated at most, and the relative gap at which it stops."""
PRECISION = 1e-11
"""The complementarity (the gap but for rounding), relative to the value, at which the interior-point method stops."""


def variance(matrix: Matrix, truth: Vector) -> float:
    """The squared error of one report, summed over the labels, of the estimator of least variance at ``truth``.

    >>> round(variance(np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([0.5, 0.5])), 9)
    2.0
    """
    return float(np.trace(_inverse(matrix, truth)))


def estimator(matrix: Matrix, truth: Vector) -> Matrix:
    """The unbiased estimator of least variance at ``truth``: what each report adds per label, [labels, reports].

    >>> estimator(np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([0.5, 0.5])).round(9).tolist()
    [[1.5, -0.5], [-0.5, 1.5]]
    """
    contrasts, means = scipy.linalg.helmert(len(matrix)), truth @ matrix
    relative = contrasts @ matrix / np.where(means > 0, means, 1)
    return np.asarray(truth[:, None] + contrasts.T @ _inverse(matrix, truth) @ relative, np.float64)


def second_moments(matrix: Matrix, truth: Vector) -> Vector:
    """E |a report's contribution|^2 for each label; the estimator's error at p is their mean under p minus |p|^2."""
    return np.asarray(matrix @ (estimator(matrix, truth) ** 2).sum(axis=0), np.float64)


def _inverse(matrix: Matrix, truth: Vector) -> Matrix:
    """N of the module's text: the inverse of C (sum_y v_y v_y' / z_y) C' for a channel."""
    spread, means = scipy.linalg.helmert(len(matrix)) @ matrix, truth @ matrix
    size = float(np.abs(spread).max()) or 1.0
    gram = (spread / np.where(means > 0, means, 1)) @ spread.T / size**2
    if np.linalg.matrix_rank(gram) < len(gram):
        raise ParameterError("a channel's rows must be linearly independent to estimate, got linearly dependent rows")
    return np.asarray(np.linalg.inv(gram) / size**2, np.float64)


def spreads(matrix: Matrix, truth: Vector) -> Vector:
    """The squared error of one report for each label, of the estimator of least variance at ``truth``.

    >>> spreads(np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([0.5, 0.5])).round(9).tolist()
    [1.0, 1.0]
    """
    contrasts = scipy.linalg.helmert(len(matrix))
    return np.asarray((contrasts * (_inverse(matrix, truth) @ contrasts)).sum(axis=0), np.float64)


def slopes(inverse: Matrix, truth: Vector, importance: Vector | None = None) -> Goal:
    """The gains |N C v|^2 / z at a design, a goal for the next columns and the bound; ``importance`` is by label."""
    contrasts = scipy.linalg.helmert(len(truth))
    factor = inverse @ contrasts
    if importance is not None:
        factor = np.sqrt(importance)[:, None] * (contrasts.T @ factor)
    form = factor.T @ factor
    entries = _dominating_diagonal(form, truth)

    def gains(columns: Matrix, prior: Vector) -> Vector:
        return np.asarray(((factor @ columns) ** 2).sum(axis=0) / (prior @ columns), np.float64)

    def slope(column: Vector, prior: Vector) -> Vector:
        mean = float(prior @ column)
        return 2 * form @ column / mean - prior * float(((factor @ column) ** 2).sum()) / mean**2

    return Goal(gains, slope, lambda total, prior: total, lambda v, prior: entries * (v - 1) ** 2)


def _dominating_diagonal(square: Matrix, truth: Vector) -> Vector:
    """A diagonal form that dominates a quadratic form on vectors whose mean under the truth is 0."""
    diagonal, balanced = np.diag(square), scipy.linalg.null_space(truth[None])
    both = balanced.T @ square @ balanced, (balanced.T * diagonal) @ balanced
    largest = scipy.linalg.eigh(*both, eigvals_only=True)[-1]
    return np.asarray(largest * diagonal, np.float64)


def designed(columns: Matrix, truth: Vector, importance: Vector | None = None) -> Weighted:
    """The weights with the least variance at ``truth``, all of it positive; ``bound`` is for the gains in its slopes.

    ``importance`` weights the labels' squared errors.
    """
    balance, contrasts = Balance.of(columns), scipy.linalg.helmert(len(truth))
    whitened = contrasts @ columns / np.sqrt(truth @ columns)
    if importance is not None:
        root = scipy.linalg.cholesky((contrasts * importance) @ contrasts.T, lower=True)
        whitened = scipy.linalg.solve_triangular(root, whitened, lower=True)
    size = float(np.abs(whitened).max())
    weights, multipliers = _Interior.start(whitened / size, balance.rows).solved()
    weights = balance.polished(weights)
    goal = slopes(_inverse(columns * weights, truth), truth, importance)
    multipliers = multipliers / size**2
    bound = balance.bound(goal.gains(columns, truth), multipliers)
    return Weighted(goal, weights, balance.prices(multipliers), bound)


def designed_for_roots(columns: Matrix, truth: Vector) -> tuple[Vector, float]:
    """Weights with the least sum of roots of the labels' squared errors, and a lower bound on that sum."""
    importance, best, bound = np.ones(len(truth)), (np.inf, np.zeros(0)), 0.0
    for _ in range(ROUNDS):
        found = designed(columns, truth, importance)
        roots = np.sqrt(spreads(columns * found.weights, truth))
        total = float(roots.sum())
        best = min(best, (total, found.weights), key=lambda pair: pair[0])
        gained = _most_gained(columns, found.weights, truth, 1 / roots)
        bound = max(bound, math.sqrt(total**3 / gained))
        if best[0] - bound <= CLOSE * bound:
            break
        importance = 1 / roots
    return best[1], bound


def _most_gained(columns: Matrix, weights: Vector, truth: Vector, importance: Vector) -> float:
    """The most that any weights gain in the slopes at a design, from a linear program over the columns."""
    goal, balance = slopes(_inverse(columns * weights, truth), truth, importance), Balance.of(columns)
    gains = goal.gains(columns, truth)
    return balance.bound(gains, balance.best(gains)[1])


@dataclass(frozen=True, slots=True)
class _Interior:
    """A point of the primal-dual method that minimizes tr (sum w a a')^-1 with ``rows`` w = (1, 0, ...) and w >= 0.

    The vectors a are the columns of ``arms``, and w the ``weights``; ``multipliers`` are those of the rows, and
    ``surplus`` is by how much their prices exceed each column's gain.
    """

    arms: Matrix
    rows: Matrix
    weights: Vector
    multipliers: Vector
    surplus: Vector

    @classmethod
    def start(cls, arms: Matrix, rows: Matrix) -> _Interior:
        """The starting point: equal weights, and prices that no column beats."""
        weights = np.full(arms.shape[1], 1 / rows[0].sum())
        gains = ((np.linalg.inv((arms * weights) @ arms.T) @ arms) ** 2).sum(axis=0)
        multipliers = np.eye(len(rows))[0] * 1.1 * (gains / rows[0]).max()
        return cls(arms, rows, weights, multipliers, multipliers @ rows - gains)

    def solved(self) -> tuple[Vector, Vector]:
        """The weights and the multipliers at the end of the iteration."""
        point, target = self, np.eye(len(self.rows))[0]
        for _ in range(STEPS):
            powers, basis = np.linalg.eigh((point.arms * point.weights) @ point.arms.T)
            turned = basis.T @ point.arms / powers[:, None]
            gains, value = (turned**2).sum(axis=0), float((1 / powers).sum())
            missing = target - point.rows @ point.weights
            done = point.weights @ point.surplus <= PRECISION * value
            if powers[0] <= 0 or (done and np.abs(missing).max() < PRECISION):
                break
            try:
                point = point._step(gains, missing, turned * np.sqrt(powers)[:, None], 1 / powers)
            except LinAlgError:  # rounding prevents further progress; the bound shows how much is missing
                break
        return point.weights, point.multipliers

    def _step(self, gains: Vector, missing: Vector, turned: Matrix, spread: Vector) -> _Interior:
        """A Newton step towards a tenth of the present complementarity, shortened to keep all variables positive."""
        ratio = self.weights / self.surplus
        level = 0.1 * float(self.weights @ self.surplus) / len(ratio)
        one, other = np.triu_indices(len(spread))
        factor = (
            np.sqrt((spread[one] + spread[other]) * np.where(one == other, 1, 2))[:, None] * turned[one] * turned[other]
        )
        inner = scipy.linalg.cho_factor(np.eye(len(one)) + (factor * ratio) @ factor.T)

        def solve(right: Matrix) -> Matrix:  # (Hessian + surplus/weights)^-1 by Woodbury's identity
            scaled = ratio[:, None] * right
            return np.asarray(
                scaled - ratio[:, None] * (factor.T @ scipy.linalg.cho_solve(inner, factor @ scaled)), np.float64
            )

        right = gains - self.multipliers @ self.rows + level / self.weights
        solved = solve(np.column_stack([right, self.rows.T]))
        multiplier_step = np.linalg.lstsq(self.rows @ solved[:, 1:], self.rows @ solved[:, 0] - missing)[0]
        weight_step = solved[:, 0] - solved[:, 1:] @ multiplier_step
        surplus_step = level / self.weights - self.surplus - weight_step / ratio
        decrease = max(float((-weight_step / self.weights).max()), float((-surplus_step / self.surplus).max()))
        length = 0.95 / max(decrease, 0.95)
        return replace(
            self,
            weights=self.weights + length * weight_step,
            multipliers=self.multipliers + length * multiplier_step,
            surplus=self.surplus + length * surplus_step,
        )
