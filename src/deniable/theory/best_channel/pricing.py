"""Linear programs over the cone of columns, for when its extreme rays are too many to list."""

from __future__ import annotations

import math

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector
from deniable.protocol.errors import CapacityError
from deniable.theory.levels import closed

WIDEST = 60
"""The largest number of labels in a linear program over columns."""
FINE = 1e-10
"""The finest tolerance of HiGHS."""
_TIGHT = 1e-6
"""Pairs this near to equality in a solution of HiGHS are taken to be tight."""


def best_column(weights: Vector, levels: Matrix, prior: Vector) -> Vector:
    """The extreme column v with the largest ``weights`` . v among those with ``prior`` . v = 1; no prior may be 0.

    >>> best_column(np.array([1.0, 0.0]), np.log([[1.0, 3.0], [3.0, 1.0]]), np.array([0.5, 0.5])).round(9).tolist()
    [1.5, 0.5]
    """
    off_diagonal = levels[~np.eye(len(levels), dtype=bool)]
    if np.ptp(off_diagonal) == 0 and np.isfinite(off_diagonal[0]):
        return _best_two_level(weights, float(off_diagonal[0]), prior)
    distances = closed(levels)
    low, high = reach(distances, prior)
    return snapped(solve(weights, distances, prior, low, high), distances, prior)


def _best_two_level(weights: Vector, epsilon: float, prior: Vector) -> Vector:
    """``best_column`` under plain LDP: the likelier labels are those with the most weight relative to their prior."""
    order = np.argsort(-weights / prior, kind="stable")
    excess = math.expm1(epsilon)
    won, spent = np.cumsum(weights[order])[:-1], np.cumsum(prior[order])[:-1]
    size = int(np.argmax((weights.sum() + excess * won) / (1 + excess * spent))) + 1
    column = np.ones(len(weights))
    column[order[:size]] += excess
    return np.asarray(column / (prior @ column), np.float64)


def check_width(d: int) -> None:
    """Refuse more labels than a linear program over columns can handle."""
    if d > WIDEST:
        raise CapacityError(f"levels must be of at most {WIDEST} labels to be optimised, got {d}")


def reach(levels: Matrix, prior: Vector) -> tuple[Vector, Vector]:
    """The smallest and the largest value of each entry of a column with ``prior`` . v = 1; ``levels`` closed."""
    return 1 / (prior @ np.exp(levels)), 1 / (np.exp(-levels) @ prior)


def solve(weights: Vector, levels: Matrix, prior: Vector, low: Vector, high: Vector) -> Vector:
    """The v in the cone with the largest ``weights`` . v, ``prior`` . v = 1 and entries between ``low`` and ``high``.

    Empty if there is no such v.
    """
    d = len(levels)
    above, below = np.nonzero(np.isfinite(levels) & ~np.eye(d, dtype=bool))
    half, pairs = np.exp(levels[above, below] / 2), np.arange(len(above))
    cone = np.zeros((len(above), d))
    cone[pairs, above], cone[pairs, below] = 1 / half, -half  # both sides times e^(-E/2), for better scaling
    scale = float(np.abs(weights).max()) or 1.0
    solution = scipy.optimize.linprog(
        -weights / scale,
        A_ub=cone,
        b_ub=np.zeros(len(above)),
        A_eq=prior[None],
        b_eq=[1.0],
        bounds=list(zip(low.tolist(), high.tolist(), strict=True)),
        method="highs-ds",
        options={"primal_feasibility_tolerance": FINE, "dual_feasibility_tolerance": FINE},
    )
    return np.zeros(0) if solution.x is None else np.asarray(solution.x, np.float64)


def snapped(column: Vector, levels: Matrix, prior: Vector) -> Vector:
    """The ray that an approximate solution stands for, to the last digit: its tight pairs determine its logs."""
    positive = column > 1e-9 * column.max()
    support = np.isfinite(levels[positive]).any(axis=0)
    inner = levels[np.ix_(support, support)]
    with np.errstate(divide="ignore"):
        ray = np.log(np.where(positive, column, 0)[support])
    ray = _lifted(_along_tight(_lifted(ray, inner), inner), inner)
    whole = np.zeros(len(column))
    whole[support] = np.exp(ray - ray.max())
    return np.asarray(whole / (prior @ whole), np.float64)


def _lifted(ray: Vector, levels: Matrix) -> Vector:
    """The ray with logs raised where the others demand it, so that the levels are kept to the last digit."""
    return np.asarray((ray[:, None] - levels).max(axis=0), np.float64)


def _along_tight(ray: Vector, levels: Matrix) -> Vector:
    """The logs recomputed from that of the first label, step by step along tight pairs."""
    slack = levels - ray[:, None] + ray
    order, before = scipy.sparse.csgraph.breadth_first_order(slack <= _TIGHT, 0, directed=False)
    exact = ray.copy()
    for label in order[1:]:
        last = before[label]
        up = slack[label, last] <= slack[last, label]
        exact[label] = exact[last] + (levels[label, last] if up else -levels[last, label])
    return exact
