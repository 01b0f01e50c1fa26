"""Arithmetic on whole arrays: inversions, projections, decaying sums, a sparse inverse, zeros of linear recurrences."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Positions, Vector
from deniable.kernels import _kernels
from deniable.kernels._kernels import recurrence_zeros
from deniable.kernels.contiguous import integers, reals

Places: TypeAlias = npt.NDArray[np.signedinteger[Any]]
Residues: TypeAlias = npt.NDArray[np.uint32]


def affine(counts: Counts, scale: float, offset: float) -> Vector:
    """``scale * counts - offset`` in one pass, as floats."""
    out = np.empty(len(counts))
    _kernels.affine(integers(counts), scale, offset, out)
    return out


def project_simplex(v: Vector) -> Vector:
    """The nearest distribution in squared distance: max(v - level, 0), with the level that makes it add up to 1.

    >>> project_simplex(np.array([0.75, 0.5])).tolist()
    [0.625, 0.375]
    """
    point = np.empty(len(v))
    _kernels.project_simplex(reals(v), point)
    return point


def affine_projected(counts: Counts, scale: float, offset: float) -> tuple[Vector, Vector]:
    """``affine`` and ``project_simplex`` of it."""
    out = affine(counts, scale, offset)
    return out, project_simplex(out)


def decayed(values: Vector, ratio: float) -> Vector:
    """The sums of ``ratio``^|x-y| values_y, for every x.

    >>> decayed(np.array([1.0, 0.0, 4.0]), 0.5).tolist()
    [2.0, 2.5, 4.25]
    """
    out = np.empty(len(values))
    _kernels.decayed(reals(values), ratio, out)
    return out


def inverse_diagonal(starts: Places, rows: Places, lower: Vector, pivots: Vector) -> Vector:
    """The diagonal of (L D L')^-1, from the columns of L (each from its diagonal of 1 downwards) and D, the ``pivots``.

    >>> inverse_diagonal(np.array([0, 2, 3]), np.array([0, 1, 1]), np.array([1, 0.5, 1]), np.array([4.0, 1])).tolist()
    [0.5, 1.0]
    """
    found = np.empty(len(pivots))
    _kernels.inverse_diagonal(integers(starts), integers(rows), reals(lower), reals(pivots), found)
    return found


def common_zeros(prime: int, taps: Residues, lags: Residues, length: int, rows: int) -> Positions:
    """Write a recurrence in ``rows`` of ``length`` terms each: the columns that are zero in every row, ascending.

    Its terms are s[i] = sum of taps[k] s[i - lags[k]] modulo ``prime``, after a start of 0, ..., 0, 1.

    >>> common_zeros(2, np.array([1, 1], np.uint32), np.array([3, 2], np.uint32), 7, 1).tolist()
    [0, 4, 5]
    """
    alive = np.ones(length, np.uint8)
    recurrence_zeros(prime, taps, lags, rows, alive)
    return np.flatnonzero(alive).astype(np.int32)
