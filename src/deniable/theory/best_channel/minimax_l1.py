"""The minimax absolute error for many people: the least that can be guaranteed at every truth, and its channel.

As in ``minimax``: a channel with a fixed unbiased estimator has the error R(p) = sum_j sqrt(2 v_j(p)/pi) at the truth
p, with v_j(p) = sum_x p_x M[x, j] - p_j^2, where M[x, j] is the mean square of what a report from x adds to label j. R
is concave in p, hence so is V(p), the least R(p) of all channels and estimators (``design.designed_for_roots``), and
every solved p gives a cut R above V. The largest V is a bound for all channels, the R of one channel at its own worst
truth is reached, and where the two meet both are optimal. That they meet is observed each time, not proven in advance:
roots do not average over channels as squares do.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector
from deniable.theory.best_channel.design import designed_for_roots, estimator
from deniable.theory.best_channel.minimax import FLOOR, ROUNDS, Saddle, least_at
from deniable.theory.risk.variance import CERTAIN, VarianceLaw

ROOT = math.sqrt(2 / math.pi)
"""The mean absolute value of a standard normal error."""


def saddle_l1(columns: Matrix) -> Saddle:
    """The saddle point, by cutting planes: until the worst truth under the cuts has the error that they predict."""
    truth = np.full(len(columns), 1 / len(columns))
    best, cut = _solved(columns, truth)
    cuts, bound = [cut], best.bound
    while len(cuts) < ROUNDS and best.value - bound > CERTAIN * bound:
        found, cut = _solved(columns, _least_favourable(cuts, best.truth))
        cuts.append(cut)
        best, bound = _better(best, found), max(bound, found.bound)
    return replace(best, value=max(best.value, bound), bound=bound)


def _better(one: Saddle, other: Saddle) -> Saddle:
    """The one with the lower worst error; of two that differ by rounding, the one whose own truth is harder."""
    if abs(one.value - other.value) <= CERTAIN * one.value:
        return max(one, other, key=lambda saddle: saddle.bound)
    return min(one, other, key=lambda saddle: saddle.value)


def worst_absolute(moments: Matrix) -> float:
    """The largest sum_j sqrt(2 v_j/pi) over all truths; M are the ``moments``.

    >>> round(worst_absolute(np.ones((2, 2))), 6)
    1.381977
    """
    law = VarianceLaw(np.zeros(len(moments)), lambda p: p @ moments, lambda weights: moments @ weights)
    return law.risk(1, "l1", law.worst_truth("l1"))


def _solved(columns: Matrix, truth: Vector) -> tuple[Saddle, Matrix]:
    """The best channel at one truth with its worst error anywhere, and the cut that it gives."""
    weights, least = designed_for_roots(columns, truth)
    channel = columns * weights
    moments = np.asarray(channel @ (estimator(channel, truth) ** 2).T, np.float64)
    return Saddle(weights, truth, worst_absolute(moments), ROOT * least), moments


def _least_favourable(cuts: list[Matrix], start: Vector) -> Vector:
    """The truth that maximizes the least R of the ``cuts``, each of which is an M."""
    d, moments = cuts[0].shape[0], np.array(cuts)
    size = float(np.sqrt(moments.max()))

    def roots(p: Vector) -> Matrix:
        return np.asarray(np.sqrt(np.maximum(p @ moments - p**2, FLOOR**2)), np.float64)

    def spare(x: Vector) -> Vector:
        return np.asarray(roots(x[:d]).sum(axis=1) / size - x[d], np.float64)

    def slopes(x: Vector) -> Matrix:
        weights = 0.5 / roots(x[:d])
        by_truth = np.einsum("kxj,kj->kx", moments, weights) - 2 * x[:d] * weights
        return np.column_stack([by_truth / size, -np.ones(len(cuts))])

    below = scipy.optimize.NonlinearConstraint(spare, 0, np.inf, jac=slopes)

    def error(x: Vector) -> float:
        return -float(x[d])

    def slope(x: Vector) -> Vector:
        return np.asarray(-np.eye(d + 1)[d], np.float64)

    return least_at(np.append(start, spare(np.append(start, 0.0)).min()), error, slope, below)
