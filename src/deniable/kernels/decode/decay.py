"""Sums over all labels of values that decay with the distance."""

from __future__ import annotations

import numpy as np

from deniable.arrays import Vector
from deniable.kernels import _kernels
from deniable.kernels.contiguous import reals


def decayed(values: Vector, ratio: float) -> Vector:
    """The sums of ``ratio``^|x-y| values_y, for every x.

    >>> decayed(np.array([1.0, 0.0, 4.0]), 0.5).tolist()
    [2.0, 2.5, 4.25]
    """
    out = np.empty(len(values))
    _kernels.decayed(reals(values), ratio, out)
    return out
