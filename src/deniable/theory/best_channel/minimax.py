"""The minimax squared error: the least that can be guaranteed at every truth, with its channel and estimator.

A channel with a fixed unbiased estimator has the error c . p - |p|^2 at the truth p, where c_x is the mean squared norm
of what a report from x adds. Drawing one of two channels by a public coin averages their c, so the possible c are a
convex set and min and max may be exchanged: the minimax error is the largest, over p, of V(p), the least
error at a known p (``design``). V(p) + |p|^2 is a minimum of linear functions, hence V is strongly concave, and every
solved p gives a cut c . p - |p|^2 above it. Its largest V is a lower bound for all channels; the error of one channel
at its own worst truth is reached, and where the two meet both are optimal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector
from deniable.theory.best_channel.design import designed, second_moments, variance

ROUNDS = 60
FLOOR = 1e-7
"""The least probability of a label in the truths that are tried, so that every report has a positive probability."""
PRECISION = 1e-9


@dataclass(frozen=True, slots=True)
class Saddle:
    """Weights of the columns, the least favourable truth, their worst error, and a lower bound for any channel."""

    weights: Vector
    truth: Vector
    value: float
    bound: float


def worst_error(moments: Vector) -> float:
    """The largest c . p - |p|^2 over all truths p; c are the ``moments``.

    >>> worst_error(np.array([1.0, 1.0]))
    0.5
    """
    truth = _nearest(moments / 2)
    return float(moments @ truth - truth @ truth)


def saddle(columns: Matrix) -> Saddle:
    """The saddle point, by cutting planes: until the worst truth under the cuts has the error that they predict."""
    truth = np.full(len(columns), 1 / len(columns))
    best, cut = _solved(columns, truth)
    cuts, bound = [cut], best.bound
    while len(cuts) < ROUNDS and best.value - bound > PRECISION * bound:
        found, cut = _solved(columns, _least_favourable(np.array(cuts), truth))
        cuts.append(cut)
        best, bound = min(best, found, key=lambda s: s.value), max(bound, found.bound)
    return replace(best, bound=bound)


def _solved(columns: Matrix, truth: Vector) -> tuple[Saddle, Vector]:
    """The best channel at one truth with its worst error anywhere, and the cut that it gives."""
    found = designed(columns, truth)
    channel = columns * found.weights
    cut = second_moments(channel, truth)
    return Saddle(found.weights, truth, worst_error(cut), variance(channel, truth) ** 2 / found.bound), cut


def _least_favourable(cuts: Matrix, start: Vector) -> Vector:
    """The truth that maximizes the least of the cuts c . p - |p|^2."""
    d, size = cuts.shape[1], float(np.abs(cuts).max())
    below = scipy.optimize.LinearConstraint(np.column_stack([cuts / size, -np.ones(len(cuts))]), 0, np.inf)

    def error(x: Vector) -> float:
        return float(x[:d] @ x[:d]) / size - float(x[d])

    def slope(x: Vector) -> Vector:
        return np.append(2 * x[:d] / size, -1.0)

    return least_at(np.append(start, (cuts @ start).min() / size), error, slope, below)


def least_at(
    start: Vector,
    error: Callable[[Vector], float],
    slope: Callable[[Vector], Vector],
    below: scipy.optimize.LinearConstraint | scipy.optimize.NonlinearConstraint,
) -> Vector:
    """The truth that minimizes a function of a truth and a height, where the height stays below the cuts."""
    d = len(start) - 1
    total = scipy.optimize.LinearConstraint(np.append(np.ones(d), 0.0)[None], 1, 1)
    solution = scipy.optimize.minimize(
        error,
        start,
        method="SLSQP",
        jac=slope,
        bounds=scipy.optimize.Bounds(np.append(np.full(d, FLOOR), -np.inf), np.append(np.ones(d), np.inf)),
        constraints=[total, below],
        options={"ftol": 1e-14, "maxiter": 200},
    )
    truth = np.maximum(solution.x[:d], FLOOR)
    return np.asarray(truth / truth.sum(), np.float64)


def _nearest(point: Vector) -> Vector:
    """The distribution nearest to a point in squared distance."""
    point = point - point.max()  # changes nothing, and the 1 below is not lost beside large entries
    down = np.sort(point)[::-1]
    thresholds = (np.cumsum(down) - 1) / np.arange(1, len(point) + 1)
    return np.asarray(np.maximum(point - thresholds[np.flatnonzero(down > thresholds)[-1]], 0), np.float64)
