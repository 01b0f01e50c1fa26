"""Sums over the set bits of packed reports."""

from __future__ import annotations

import numpy as np

from deniable.arrays import Packed, Vector
from deniable.kernels import _kernels
from deniable.kernels.contiguous import reals


def mass_packed(reports: Packed, p: Vector) -> Vector:
    """For each report, the sum of ``p`` over its set bits.

    >>> mass_packed(np.array([[1], [3]], np.uint8), np.array([0.25, 0.5])).tolist()
    [0.25, 0.75]
    """
    sums = np.empty(len(reports))
    _kernels.mass_packed(np.ascontiguousarray(reports), reals(p), sums)
    return sums


def collect_packed(reports: Packed, weights: Vector, symbols: int) -> Vector:
    """For each symbol, the sum of ``weights`` over the reports that hold it.

    >>> collect_packed(np.array([[1], [3]], np.uint8), np.array([0.25, 0.5]), 2).tolist()
    [0.75, 0.5]
    """
    sums = np.empty(symbols)
    _kernels.collect_packed(np.ascontiguousarray(reports), reals(weights), sums)
    return sums
