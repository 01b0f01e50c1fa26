"""The diagonal of the inverse of a sparse symmetric matrix from its factor L D L'."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Vector
from deniable.kernels import _kernels
from deniable.kernels.contiguous import integers, reals

Places: TypeAlias = npt.NDArray[np.signedinteger[Any]]


def inverse_diagonal(starts: Places, rows: Places, lower: Vector, pivots: Vector) -> Vector:
    """The diagonal, from the columns of L (each from its diagonal of 1 downwards, rows in order) and of D.

    >>> inverse_diagonal(np.array([0, 2, 3]), np.array([0, 1, 1]), np.array([1, 0.5, 1]), np.array([4.0, 1])).tolist()
    [0.5, 1.0]
    """
    found = np.empty(len(pivots))
    _kernels.inverse_diagonal(integers(starts), integers(rows), reals(lower), reals(pivots), found)
    return found
