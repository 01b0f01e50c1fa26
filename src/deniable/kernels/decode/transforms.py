"""The Walsh-Hadamard transform of integers.

Limit: log2(K) additions for each of K numbers. Two strides share a pass, so memory is read half as often; the small
strides are done block by block, in the L1 cache.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.kernels.compiled import compiled
from deniable.kernels.early import SMALL

Numbers: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]
BLOCK = 1 << 12


@compiled(early=SMALL)
def _pairs(values: Numbers, stride: int) -> None:
    """One butterfly pass: sums and differences of numbers ``stride`` apart, in place."""
    for first in range(0, len(values), 2 * stride):
        a, b = values[first:][:stride], values[first + stride :][:stride]
        for i in range(stride):
            a[i], b[i] = a[i] + b[i], a[i] - b[i]


@compiled(early=SMALL)
def _quads(values: Numbers, stride: int) -> None:
    """Two butterfly passes in one, of ``stride`` and its double, in place."""
    for first in range(0, len(values), 4 * stride):
        a, b = values[first:][:stride], values[first + stride :][:stride]
        c, d = values[first + 2 * stride :][:stride], values[first + 3 * stride :][:stride]
        for i in range(stride):
            p, q, r, s = a[i] + b[i], a[i] - b[i], c[i] + d[i], c[i] - d[i]
            a[i], b[i], c[i], d[i] = p + r, q + s, p - r, q - s


@compiled(early=SMALL)
def _butterflies(values: Numbers, start: int, stop: int) -> None:
    """All butterfly passes with strides from ``start`` to below ``stop``, in place."""
    stride = start
    while 2 * stride < stop:
        _quads(values, stride)
        stride *= 4
    if stride < stop:
        _pairs(values, stride)


@compiled(early=SMALL)
def walsh_hadamard(values: Numbers) -> None:
    """In place, unnormalised: ``out[i] = sum_y (-1)^popcount(i & y) values[y]``; the length is a power of two."""
    size = len(values)
    block = min(size, BLOCK)
    for first in range(0, size, block):
        _butterflies(values[first : first + block], 1, block)
    _butterflies(values, block, size)
