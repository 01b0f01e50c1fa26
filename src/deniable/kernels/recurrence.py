"""Zeros of linear recurrences modulo a prime: the compiled loop under the Singer difference sets."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Positions
from deniable.kernels.compiled import compiled

Residues: TypeAlias = npt.NDArray[np.uint32]

RING = 64  # the last terms that are kept: a power of two above every degree


@compiled()
def common_zeros(prime: int, taps: Residues, lags: Residues, length: int, rows: int) -> Positions:
    """Write the recurrence in rows of ``length`` terms each: the columns that are zero in every row, ascending.

    s[i] = sum of taps[k] * s[i - lags[k]] modulo ``prime``, after a start of 0, ..., 0, 1. The lags are below 64 and
    the sum of products below 2^32: a 32-bit remainder costs a third of a 64-bit one.
    """
    ring = np.zeros(RING, np.uint32)
    ring[RING - 1] = 1
    modulus = np.uint32(prime)
    alive = np.ones(length, np.uint8)
    step = 0
    for _ in range(rows):
        for column in range(length):
            term = np.uint32(0)
            for k in range(len(taps)):
                term += taps[k] * ring[(step - lags[k]) & (RING - 1)]
            term = np.uint32(term % modulus)
            ring[step & (RING - 1)] = term
            step += 1
            if term != 0:
                alive[column] = 0
    zeros = np.empty(np.sum(alive), np.int32)
    found = 0
    for column in range(length):
        if alive[column]:
            zeros[found] = column
            found += 1
    return zeros
