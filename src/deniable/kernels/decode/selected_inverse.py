"""The diagonal of the inverse of a sparse symmetric matrix from its factor L D L' (Takahashi, Fagan and Chin 1973).

Of the inverse only the entries are computed at which L is not zero; they need no others.

Limit: for each column of L the columns of its rows are read once.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Vector
from deniable.kernels.compiled import compiled

Places: TypeAlias = npt.NDArray[np.signedinteger[Any]]


@compiled()
def inverse_diagonal(starts: Places, rows: Places, lower: Vector, pivots: Vector) -> Vector:
    """The diagonal, from the columns of L (each from its diagonal of 1 downwards, rows in order) and of D."""
    size = len(pivots)
    found = np.zeros(len(lower))
    place = np.full(size, -1)
    sums = np.zeros(size)
    for step in range(size):
        j = size - 1 - step
        first, last = starts[j] + 1, starts[j + 1]
        for at in range(first, last):
            place[rows[at]] = at
            sums[at - first] = 0.0
        for at in range(first, last):
            column = rows[at]
            sums[at - first] += found[starts[column]] * lower[at]
            for inner in range(starts[column] + 1, starts[column + 1]):
                other = place[rows[inner]]
                if other >= 0:
                    sums[other - first] += found[inner] * lower[at]
                    sums[at - first] += found[inner] * lower[other]
        diagonal = 1 / pivots[j]
        for at in range(first, last):
            found[at] = -sums[at - first]
            diagonal -= found[at] * lower[at]
            place[rows[at]] = -1
        found[starts[j]] = diagonal
    return found[starts[:-1]]
