"""Reports that are labels (jiang2018, proposition 3): which label each report is read as, at the least mean error.

The numbering of reports does not matter to the curator's posterior mean. For readers who take a report as a label, the
paper asks for the order with the least E|X - Y|; over columns and labels that is an assignment problem.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from deniable.arrays import Matrix, Vector

Indices: TypeAlias = npt.NDArray[np.intp]

TIE = 1e-12
"""Among orders whose errors differ by less than this, one that leaves reports in place is preferred."""


def reading_costs(prior: Vector, matrix: Matrix, values: Vector | None = None) -> Matrix:
    """How much reading each report (row) as each label (column) adds to E|X - Y|, or without values to Pr[X is not Y].

    >>> reading_costs(np.array([0.5, 0.5]), np.array([[0.75, 0.25], [0.25, 0.75]])).tolist()
    [[0.125, 0.375], [0.375, 0.125]]
    """
    joint = prior[:, None] * matrix
    if values is None:
        return np.asarray(joint.sum(axis=0)[:, None] - joint.T)
    return np.asarray(joint.T @ np.abs(values[:, None] - values))


def read_as(costs: Matrix, groups: Indices) -> Indices:
    """The label of each report: one label per group of reports, assigned at the least total cost.

    >>> read_as(np.array([[0.4, 0.1], [0.1, 0.4], [1e-9, 0.0]]), np.array([0, 1, 0])).tolist()
    [1, 0, 1]
    """
    d = costs.shape[1]
    merged = np.zeros((d, d))
    np.add.at(merged, groups, costs)
    labels = scipy.optimize.linear_sum_assignment(merged - TIE * np.eye(d))[1]
    return np.asarray(labels[groups])


def joined(points: Matrix, chances: Vector, most: int) -> Indices:
    """Group numbers of reports, at most ``most`` groups, merged pairwise where the posterior means lose least.

    Merging two reports of probabilities a and b costs the curator a b/(a+b) times their squared distance (Ward 1963).

    >>> joined(np.array([[0.1], [0.9], [0.2]]), np.array([0.4, 0.4, 0.2]), 2).tolist()
    [0, 1, 0]
    """
    size = len(chances)
    points, chances, of = points.copy(), chances.copy(), np.arange(size)
    if size <= most:
        return of
    costs = np.stack([_joining(points, chances, report) for report in range(size)])
    for _ in range(size - most):
        kept, gone = sorted(divmod(int(costs.argmin()), size))
        both = chances[kept] + chances[gone]
        points[kept] = (chances[kept] * points[kept] + chances[gone] * points[gone]) / (both or 1)
        chances[kept] = both
        of[of == gone] = kept
        costs[kept] = np.where(np.isinf(costs[kept]), np.inf, _joining(points, chances, kept))
        costs[:, kept] = costs[kept]
        costs[gone], costs[:, gone] = np.inf, np.inf
    return np.unique(of, return_inverse=True)[1]


def _joining(points: Matrix, chances: Vector, report: int) -> Vector:
    """The cost of merging one report with each other one; infinite with itself."""
    norms = np.einsum("ij,ij->i", points, points)
    squares = np.maximum(norms + norms[report] - 2 * (points @ points[report]), 0)
    both = chances + chances[report]
    costs = np.where(both > 0, chances * chances[report] / np.where(both > 0, both, 1), 0) * squares
    costs[report] = np.inf
    return np.asarray(costs)
