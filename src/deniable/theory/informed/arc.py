"""Channels in closed form: the paper's, and ARC, which is feasible for every prior."""

from __future__ import annotations

import math

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.theory.informed.cells import Release

_SAME, _SAME_FOCUS = 1e-13, 1e-9


def truth(mass: Vector) -> Release:
    """One output for each cell, focused on it alone: jiang2018's channel, feasible if no mass is below 1/(1+t)."""
    return Release(mass, np.diag(1 / mass))


def arc(mass: Vector, epsilon: float) -> Release:
    """Cells as intervals of a circle of length 1, in their order; an output is focused on an arc of length 1/(1+t).

    The arcs are those that begin or end at the boundary of a cell. Between two of them the focus is linear in the
    offset, so a release with half of each gap on either side has the marginals of a uniformly drawn arc: each cell's
    mass. It is the optimum for two cells, and the paper's channel if that is feasible.

    >>> release = arc(np.array([0.9, 0.1]), 1.0)
    >>> release.chances.round(6).tolist(), (release.focus @ release.chances).round(6).tolist()
    ([0.731059, 0.268941], [1.0, 1.0])
    """
    length = 1 / (1 + math.exp(epsilon))
    starts = np.cumsum(mass) - mass
    offsets = np.sort(np.concatenate([starts, (starts - length) % 1]))
    offsets = offsets[np.diff(offsets, append=offsets[0] + 1) > _SAME]
    after = np.diff(offsets, append=offsets[0] + 1)
    return _merged((after + np.roll(after, 1)) / 2, _overlaps(starts, mass, offsets, length) / (mass[:, None] * length))


def _overlaps(starts: Vector, mass: Vector, offsets: Vector, length: float) -> Matrix:
    """How much of each cell (row) an arc from each offset (column) covers."""
    covered = np.zeros((len(mass), len(offsets)))
    for turn in (0, 1):
        begin = starts[:, None] + turn
        covered += np.maximum(np.minimum(offsets + length, begin + mass[:, None]) - np.maximum(offsets, begin), 0)
    return covered


def _merged(chances: Vector, focus: Matrix) -> Release:
    """Merge neighbouring outputs with equal focus; arcs within one cell have such."""
    new = np.abs(focus - np.roll(focus, 1, axis=1)).max(axis=0) > _SAME_FOCUS
    new[0] |= not new.any()
    turn = -int(np.argmax(new))  # the first output may continue the last
    chances, focus, new = np.roll(chances, turn), np.roll(focus, turn, axis=1), np.roll(new, turn)
    return Release(np.add.reduceat(chances, np.flatnonzero(new)), focus[:, new])
