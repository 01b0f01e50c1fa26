"""Small moves from a column of the cone to others: one label as high or as low as the rest allows, or one of each."""

from __future__ import annotations

import numpy as np

from deniable.arrays import Matrix, Vector


def moved(column: Vector, levels: Matrix) -> Matrix:
    """The columns reached by moving one label to its end, or by raising one and lowering another; ``levels`` closed.

    >>> moved(np.array([3.0, 1.0, 1.0]), np.log([[1.0, 3.0, 3.0], [3.0, 1.0, 3.0], [3.0, 3.0, 1.0]])).shape
    (3, 15)
    """
    others = np.where(np.eye(len(levels), dtype=bool), np.inf, levels)
    with np.errstate(divide="ignore"):
        logs = np.log(column / column.max())
    raised = _each(logs, _highest(logs[None], others)[0])
    lowered = _each(logs, _lowest(logs[None], others)[0])
    exchanged = np.concatenate([_each(row, low) for row, low in zip(raised, _lowest(raised, others), strict=True)])
    found = np.concatenate([raised, lowered, exchanged])
    found = found[np.isfinite(found.max(axis=1))]
    return np.asarray(np.exp(found - found.max(axis=1, keepdims=True)).T, np.float64)


def _each(logs: Vector, ends: Vector) -> Matrix:
    """Copies of the logs as rows, each with one label moved to its end; unchanged if there is no end."""
    rows = np.repeat(logs[None], len(logs), axis=0)
    np.fill_diagonal(rows, np.where(ends < np.inf, ends, logs))
    return rows


def _highest(rows: Matrix, levels: Matrix) -> Matrix:
    """The largest log that each label may have while the others stay, for each row."""
    with np.errstate(invalid="ignore"):
        ceilings = rows[:, None] + levels
    return np.asarray(np.where(levels < np.inf, ceilings, np.inf).min(axis=2), np.float64)


def _lowest(rows: Matrix, levels: Matrix) -> Matrix:
    """The smallest log that each label may have while the others stay, for each row."""
    return np.asarray((rows[:, :, None] - levels).max(axis=1), np.float64)
