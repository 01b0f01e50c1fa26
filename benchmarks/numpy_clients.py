"""Two mechanisms in NumPy alone: whole columns, its own generator, floating point; limited by the generator.

They are not exact and have no guarantee: they are here to be timed.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[np.int64]


def response(source: np.random.Generator, values: Column, d: int, epsilon: float) -> Column:
    """k-ary randomized response: the truth, or a uniform label."""
    gap = math.expm1(epsilon)
    truthful = source.random(len(values)) < gap / (gap + d)
    return np.where(truthful, values, source.integers(0, d, len(values)))


def hadamard(source: np.random.Generator, values: Column, size: int, parts: int, epsilon: float) -> Column:
    """Hadamard response: an output of the value's half of its row, or any."""
    gap = math.expm1(epsilon)
    truthful = source.random(len(values)) < gap / (gap + 2 * parts)
    word = source.integers(0, size * parts, len(values))
    part, row = np.divmod(values, size - 1)
    row += 1
    place = word & (size - 1)
    minus = np.bitwise_count(place & row) & 1
    own = part * size + (place ^ np.where(minus, row & -row, 0))
    return np.where(truthful, own, word)
