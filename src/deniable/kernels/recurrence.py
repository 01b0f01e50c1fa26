"""Zeros of linear recurrences modulo a prime: the loop under the Singer difference sets."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Positions
from deniable.kernels._kernels import recurrence_zeros

Residues: TypeAlias = npt.NDArray[np.uint32]


def common_zeros(prime: int, taps: Residues, lags: Residues, length: int, rows: int) -> Positions:
    """Write the recurrence in rows of ``length`` terms each: the columns that are zero in every row, ascending.

    >>> common_zeros(2, np.array([1, 1], np.uint32), np.array([3, 2], np.uint32), 7, 1).tolist()
    [0, 4, 5]
    """
    alive = np.ones(length, np.uint8)
    recurrence_zeros(prime, taps, lags, rows, alive)
    return np.flatnonzero(alive).astype(np.int32)
