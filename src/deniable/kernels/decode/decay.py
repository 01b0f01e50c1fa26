"""Sums over all labels of values that decay with the distance: one recursion up and one down.

Limit: a product and a sum per label and direction, each waiting for the one before.
"""

from __future__ import annotations

import numpy as np

from deniable.arrays import Vector
from deniable.kernels.compiled import compiled


@compiled()
def decayed(values: Vector, ratio: float) -> Vector:
    """The sums of ``ratio``^|x-y| values_y, for every x."""
    out = np.empty(len(values))
    carried = 0.0
    for x in range(len(values)):
        carried = ratio * carried + values[x]
        out[x] = carried
    carried = 0.0
    for x in range(len(values) - 1, -1, -1):
        out[x] += ratio * carried
        carried = ratio * carried + values[x]
    return out
