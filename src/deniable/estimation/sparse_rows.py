"""Rows of weights of which most are 0: there may be thousands, of thousands of labels."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from deniable.arrays import Indices, Matrix, Sparse, Vector

AT_ONCE = 1 << 19
"""Numbers of a matrix that are worked on at a time, where it may have billions."""


@dataclass(frozen=True, slots=True, eq=False)
class SparseRows:
    """Some rows of a matrix, which may be the same one several times."""

    matrix: Sparse
    places: Indices

    @classmethod
    def all_of(cls, matrix: Sparse) -> SparseRows:
        """Each row of a matrix once."""
        return cls(matrix, np.arange(matrix.shape[0]))

    def __len__(self) -> int:
        return len(self.places)

    def of(self, places: Indices) -> SparseRows:
        """Some of these rows alone."""
        return SparseRows(self.matrix, self.places[places])

    def to_matrix(self) -> Sparse:
        """These rows as a matrix."""
        return self.matrix[self.places]

    def times(self, values: Vector) -> Vector:
        """The sum of some values with each row's weights."""
        return np.asarray((self.matrix @ values)[self.places], np.float64)


def dense_if_small(weights: Matrix | Sparse) -> Matrix | Sparse:
    """Weights as a dense matrix if they are few: a sparse one takes longer to look through."""
    return weights if isinstance(weights, np.ndarray) or math.prod(weights.shape) > AT_ONCE else weights.toarray()


def scaled_rows(weights: Matrix | Sparse, factors: Vector) -> Matrix | Sparse:
    """Each row of weights times a factor of its own."""
    return weights * factors[:, None] if isinstance(weights, np.ndarray) else weights.multiply(factors[:, None]).tocsr()


def ends_of(weights: Matrix | Sparse) -> Matrix:
    """The least and the largest weight [2, rows] of each row.

    >>> ends_of(np.array([[1.0, -2.0], [0.0, 3.0]])).tolist()
    [[-2.0, 0.0], [1.0, 3.0]]
    """
    if isinstance(weights, np.ndarray):
        return np.stack([weights.min(axis=1), weights.max(axis=1)])
    return np.stack([weights.min(axis=1).toarray().ravel(), weights.max(axis=1).toarray().ravel()])


def sides_of(weights: Matrix | Sparse) -> tuple[Matrix | Sparse, Matrix | Sparse]:
    """The weights above 0, and the size of those below.

    >>> more, less = sides_of(np.array([[1.0, -2.0]]))
    >>> more.tolist(), less.tolist()
    ([[1.0, 0.0]], [[0.0, 2.0]])
    """
    if isinstance(weights, np.ndarray):
        return np.maximum(weights, 0), np.maximum(-weights, 0)
    return weights.maximum(0), (-weights).maximum(0)


def row_sums(rows: int, columns: int) -> Sparse:
    """The matrix that adds up the cells of a table, row after row, to its rows.

    >>> row_sums(2, 2).toarray().tolist()
    [[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
    """
    return scipy.sparse.kron(scipy.sparse.eye_array(rows), np.ones((1, columns)), format="csr")


def in_parts(rows: Indices, width: int) -> list[Indices]:
    """Rows of a matrix of this width, so many at a time that a part of it takes some megabytes."""
    return np.array_split(rows, max(1, -(-len(rows) * width // AT_ONCE)))
