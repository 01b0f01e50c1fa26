"""Numbers as the kernels take them: one after another, in one type. What is so already is not copied."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Vector


def reals(values: npt.NDArray[Any]) -> Vector:
    """As double-precision numbers.

    >>> reals(np.array([1, 2, 3])[::2]).tolist()
    [1.0, 3.0]
    """
    return np.ascontiguousarray(values, np.float64)


def integers(values: npt.NDArray[Any]) -> Counts:
    """As 64-bit integers.

    >>> integers(np.array([1, 2, 3], np.int32)).dtype
    dtype('int64')
    """
    return np.ascontiguousarray(values, np.int64)
