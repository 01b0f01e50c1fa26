"""The Walsh-Hadamard transform of integers.

Limit: log2(K) passes over K numbers, in cache once a block fits: the small strides are done block by block.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

BLOCK = 1 << 12


@njit(cache=True, nogil=True)
def _butterflies(values: npt.NDArray[np.int64] | npt.NDArray[np.float64], start: int, stop: int) -> None:
    stride = start
    while stride < stop:
        for first in range(0, len(values), 2 * stride):
            for i in range(first, first + stride):
                left, right = values[i], values[i + stride]
                values[i], values[i + stride] = left + right, left - right
        stride *= 2


@njit(cache=True, nogil=True)
def walsh_hadamard(values: npt.NDArray[np.int64] | npt.NDArray[np.float64]) -> None:
    """In place, unnormalised: ``out[i] = sum_y (-1)^popcount(i & y) values[y]``; the length is a power of two."""
    size = len(values)
    block = min(size, BLOCK)
    for first in range(0, size, block):
        _butterflies(values[first : first + block], 1, block)
    _butterflies(values, block, size)
