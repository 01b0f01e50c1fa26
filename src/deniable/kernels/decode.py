"""Decoding arithmetic in single passes: the affine inversion of support counts, and the projection on the simplex.

Limit: reading the counts once and writing the estimate once; the projection reads its input a handful of times.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

Vector: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]


@njit(cache=True, nogil=True)
def affine(counts: Counts, scale: float, offset: float) -> Vector:
    """``scale * counts - offset``."""
    out = np.empty(len(counts))
    for j in range(len(counts)):
        out[j] = scale * counts[j] - offset
    return out


@njit(cache=True, nogil=True)
def project_simplex(v: Vector) -> Vector:
    """The nearest distribution: max(v - level, 0), with the level that makes it add up to 1.

    Michelot's (1986) algorithm: the level of all entries, then of those above it, until no entry drops out. It ends,
    since entries only drop out, and never all of them.
    """
    level, kept = -np.inf, -1
    while True:
        total, above = 0.0, 0
        for entry in v:
            if entry > level:
                total += entry
                above += 1
        if above == kept:
            break
        level, kept = (total - 1) / above, above
    return np.maximum(v - level, 0)
