"""What a channel may be optimized for: goals that add up over its columns.

U(w v) = w U(v) for every goal, and U is convex, so that the best channel consists of extreme columns and its weights
solve a linear program. Every U here is 0 for a constant column: what the prior alone achieves is subtracted, as a
linear function of the column, and added again by ``value``, so that nothing cancels if reports tell little.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector

_NEAR = 1e-4
"""Below this size, three terms of the series are exact."""


@dataclass(frozen=True, slots=True)
class Goal:
    """``gains`` is U of every column, ``slope`` its gradient at one; ``value`` turns the total gain into the value.

    ``terms``, if any, are convex functions of the single entries v_x that add up to U if the mean of v is 1.
    """

    gains: Callable[[Matrix, Vector], Vector]
    slope: Callable[[Vector, Vector], Vector]
    value: Callable[[float, Vector], float]
    terms: Callable[[Vector, Vector], Vector] | None = None


def _relative(columns: Matrix, prior: Vector) -> tuple[Matrix, Vector]:
    """The relative columns v/z - 1 and their means z = prior . v."""
    means = prior @ columns
    return (columns - means) / np.where(means > 0, means, 1), means


def _divergence(excess: Matrix) -> Matrix:
    """(1 + x) ln(1 + x) - x, by its series near 0, where the terms cancel."""
    near = np.clip(excess, -_NEAR, _NEAR)
    direct = scipy.special.xlog1py(1 + excess, np.maximum(excess, -1)) - excess
    return np.asarray(np.where(near == excess, excess**2 * (0.5 - near / 6 + near**2 / 12), direct), np.float64)


def _information_gains(columns: Matrix, prior: Vector) -> Vector:
    """The information that each column contributes: sum_x p_x v_x ln(v_x / z), where z = p . v."""
    excess, means = _relative(columns, prior)
    return means * (prior @ _divergence(excess))


def _information_slope(column: Vector, prior: Vector) -> Vector:
    return prior * np.log(np.maximum(column / (prior @ column), 1e-30))


def _success_gains(columns: Matrix, prior: Vector) -> Vector:
    """How much each column adds to the chance of a right guess: max_x p_x v_x, less that of the likeliest label."""
    likeliest = np.argmax(prior)
    best: Vector = (prior[:, None] * columns).max(axis=0)
    return np.asarray(best - prior[likeliest] * columns[likeliest], np.float64)


def _success_slope(column: Vector, prior: Vector) -> Vector:
    slope, guess, likeliest = np.zeros(len(prior)), np.argmax(prior * column), np.argmax(prior)
    slope[guess] += prior[guess]
    slope[likeliest] -= prior[likeliest]
    return slope


def _bayes_gains(columns: Matrix, prior: Vector) -> Vector:
    """How much each column lowers the squared error of the posterior: z sum_x p_x^2 (v_x / z - 1)^2."""
    excess, means = _relative(columns, prior)
    return means * (prior**2 @ excess**2)


def _bayes_slope(column: Vector, prior: Vector) -> Vector:
    excess = column / (prior @ column) - 1
    inner = 2 * prior**2 * excess
    return inner - prior * float(inner @ (excess + 1)) + prior * float(prior**2 @ excess**2)


GOALS = {
    "information": Goal(
        _information_gains, _information_slope, lambda total, prior: total, lambda v, prior: prior * _divergence(v - 1)
    ),
    "success": Goal(_success_gains, _success_slope, lambda total, prior: float(prior.max()) + total),
    "bayes": Goal(
        _bayes_gains,
        _bayes_slope,
        lambda total, prior: 1 - float(prior @ prior) - total,
        lambda v, prior: prior**2 * (v - 1) ** 2,
    ),
}
"""The goals that are linear in the weights: mutual information in nats, probability of a right guess, Bayes error."""
