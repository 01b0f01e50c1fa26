"""What people report who draw the points near their number."""

from __future__ import annotations

import numpy as np

from deniable.arrays import Counts, Indices
from deniable.theory.numbers.points import Points


def reported(channel: Points, levels: int, places: Indices, steps: int, rng: np.random.Generator) -> Counts:
    """The counts [L, J] of what people at these places report."""
    points, outputs = channel.rows.shape
    level = rng.integers(levels, size=len(places))
    below, rest = np.divmod(places * (points - 1), steps)
    at = below + (rest * levels > rng.integers(steps, size=len(places)) + level * steps)
    output = (rng.random(len(places))[:, None] > np.cumsum(channel.chances, axis=1)[at][:, :-1]).sum(axis=1)
    return np.bincount(level * outputs + output, minlength=levels * outputs).reshape(levels, outputs)
