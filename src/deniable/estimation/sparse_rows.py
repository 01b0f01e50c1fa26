"""Rows of weights of which most are 0: there may be thousands, of thousands of labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from deniable.arrays import Indices, Sparse, Vector

AT_ONCE = 1 << 19
"""Numbers of a matrix that are worked on at a time, where it may have billions."""


@dataclass(frozen=True, slots=True, eq=False)
class SparseRows:
    """Some rows of a matrix, which may be the same one several times."""

    matrix: Sparse
    places: Indices

    @classmethod
    def all_of(cls, matrix: Sparse) -> SparseRows:
        """Each row once."""
        return cls(matrix, np.arange(matrix.shape[0]))

    def __len__(self) -> int:
        return len(self.places)

    def of(self, places: Indices) -> SparseRows:
        """Some of these rows alone."""
        return SparseRows(self.matrix, self.places[places])

    def picked(self) -> Sparse:
        """These rows as a matrix."""
        return self.matrix[self.places]

    def times(self, values: Vector) -> Vector:
        """The sum of some values with each row's weights."""
        return np.asarray((self.matrix @ values)[self.places], np.float64)


def rows_of(rows: int, columns: int) -> Sparse:
    """What adds up the cells of a table, row after row, to its rows.

    >>> rows_of(2, 2).toarray().tolist()
    [[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
    """
    return scipy.sparse.kron(scipy.sparse.eye_array(rows), np.ones((1, columns)), format="csr")


def columns_of(rows: int, columns: int) -> Sparse:
    """What adds them up to its columns.

    >>> columns_of(2, 2).toarray().tolist()
    [[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]]
    """
    return scipy.sparse.kron(np.ones((1, rows)), scipy.sparse.eye_array(columns), format="csr")


def in_parts(rows: Indices, width: int) -> list[Indices]:
    """Rows of a matrix of this width, so many at a time that a part of it takes some megabytes."""
    return np.array_split(rows, max(1, -(-len(rows) * width // AT_ONCE)))
