"""Pairwise levels: a guarantee for each ordered pair of labels, as the matrix E of acharya2019.

A channel Q[x, y] keeps E if Q[x, y] <= e^E[x, x'] Q[x', y] for all x != x' and y. An infinite entry is no constraint,
and the diagonal is never read. Plain LDP has the same level everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from deniable.arrays import Matrix
from deniable.protocol.checks import LARGEST_EPSILON, SMALLEST_EPSILON
from deniable.protocol.errors import ParameterError

ROUNDED = 1 - 1e-6
"""Code that rounds a channel to integers asks for levels lower by this factor; they are accepted here."""


def check_levels(levels: Any) -> Matrix:
    """The levels as a new square float matrix with zeros on its diagonal; refused unless 0, inf or certifiable."""
    try:
        matrix = np.array(levels, np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"levels must be a square matrix of numbers, got {type(levels).__name__}") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
        raise ParameterError(f"levels must be a square matrix of at least 2 rows, got shape {matrix.shape}")
    np.fill_diagonal(matrix, 0)
    if np.isnan(matrix).any():
        raise ParameterError("levels must be numbers from 0 on, or inf, got NaN")
    if matrix.min() < 0:
        raise ParameterError(f"levels must be numbers from 0 on, or inf, got {matrix.min():g}")
    return _check_range(matrix)


def _check_range(matrix: Matrix) -> Matrix:
    """Refuse positive finite levels outside the range of epsilon: their odds overflow or round to 1."""
    finite = matrix[np.isfinite(matrix) & (matrix > 0)]
    for level in finite[(finite < SMALLEST_EPSILON * ROUNDED) | (finite > LARGEST_EPSILON)]:
        raise ParameterError(
            f"levels must be 0, inf or between {SMALLEST_EPSILON:g} and {LARGEST_EPSILON:g}, got {level:g}"
        )
    return matrix


def closed(levels: Matrix) -> Matrix:
    """The least levels that the given ones imply: shortest paths, since levels along a path add.

    The same channels keep both matrices.

    >>> closed(np.array([[0.0, 1.0, 5.0], [1.0, 0.0, 1.0], [5.0, 1.0, 0.0]]))[0]
    array([0., 1., 2.])
    """
    paths = levels.copy()
    for middle in range(len(paths)):
        paths = np.minimum(paths, paths[:, [middle]] + paths[[middle]])
    return paths


def with_equal_rows(levels: Matrix) -> Matrix:
    """The levels with every 0 made mutual: if one row never exceeds another, they are equal, as both add up to 1."""
    paths = closed(levels)
    return np.where((paths == 0) | (paths.T == 0), 0, levels)


def plain(d: int, epsilon: float) -> Matrix:
    """Local differential privacy: one level for every pair."""
    levels = np.full((d, d), float(epsilon))
    np.fill_diagonal(levels, 0)
    return levels


def high_low(d: int, sensitive: list[int], epsilon: float) -> Matrix:
    """Level epsilon from each sensitive label to all others, infinite from the other labels (acharya2019)."""
    levels = np.full((d, d), np.inf)
    levels[sensitive] = epsilon
    np.fill_diagonal(levels, 0)
    return levels


def blocks(sizes: list[int], epsilon: float) -> Matrix:
    """Level epsilon between labels of one block, infinite between blocks: the block may be revealed (acharya2019)."""
    block = np.repeat(np.arange(len(sizes)), sizes)
    levels = np.where(block[:, None] == block, float(epsilon), np.inf)
    np.fill_diagonal(levels, 0)
    return levels


def excess(matrix: Matrix, levels: Matrix) -> float:
    """The most by which a channel exceeds its levels, as a log ratio; at most about 1e-15 if it keeps them.

    >>> excess(np.array([[0.75, 0.25], [0.25, 0.75]]), plain(2, 1.0)) < 0.1
    True
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(matrix)
        over = logs[:, None] - logs[None] - levels[:, :, None]
    over[np.isnan(over)] = -np.inf
    off_diagonal = ~np.eye(len(matrix), dtype=bool)
    return float(over[off_diagonal].max())
