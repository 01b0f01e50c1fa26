"""The Square Wave mechanism and its decoder EMS (Li and others 2020), which reports of ranges are compared with.

A number v in [0, 1] is reported as one in [-b, 1 + b], e^epsilon times likelier within b of v than elsewhere. The
distribution is found by expectation maximization, smoothed after every step.
"""

from __future__ import annotations

import math

import numpy as np

from deniable.arrays import Counts, Matrix, Vector

STEPS, CLOSE = 10_000, 1e-3
"""How many steps are made at most, and the gain in log-likelihood at which it stops."""


def half_width(epsilon: float) -> float:
    """How far from the number reports are likely: the b of most mutual information.

    >>> round(half_width(1.0), 6)
    0.256083
    """
    odds, excess = math.exp(epsilon), math.expm1(epsilon)
    return (epsilon * odds - excess) / (2 * odds * (excess - epsilon))


def square_wave(cells: int, outputs: int, epsilon: float) -> Matrix:
    """The chances [cells, outputs] of equal pieces of [-b, 1 + b] for a number in the middle of each cell.

    >>> square_wave(4, 8, 1.0).sum(axis=1).round(12).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    b, odds = half_width(epsilon), math.exp(epsilon)
    edges = np.linspace(-b, 1 + b, outputs + 1)
    middles = (np.arange(cells)[:, None] + 0.5) / cells
    near = np.diff(np.clip(edges, middles - b, middles + b), axis=1)
    return np.asarray((np.diff(edges) + math.expm1(epsilon) * near) / (2 * b * odds + 1), np.float64)


def smoothed(counts: Counts, chances: Matrix) -> Vector:
    """EMS: the shares of the cells from the counts of outputs."""
    cells = len(chances)
    found: Vector = np.full(cells, 1 / cells)
    before = -math.inf
    for _ in range(STEPS):
        expected = found @ chances
        likelihood = float(counts @ np.log(np.maximum(expected, 1e-300)))
        if likelihood - before < CLOSE:
            break
        before = likelihood
        found = _smooth(found * (chances @ (counts / np.maximum(expected, 1e-300))))
    return found


def _smooth(shares: Vector) -> Vector:
    """Each cell's share averaged with its neighbours', weights 1, 2, 1; at the ends 2, 1."""
    inner = np.convolve(np.pad(shares, 1), [1.0, 2.0, 1.0], "valid")
    weights = np.convolve(np.pad(np.ones(len(shares)), 1), [1.0, 2.0, 1.0], "valid")
    found = inner / weights
    return np.asarray(found / found.sum(), np.float64)
