"""Decoding arithmetic: the affine inversion of support counts, and the projection on the simplex."""

from __future__ import annotations

import numpy as np

from deniable.arrays import Counts, Vector
from deniable.kernels import _kernels
from deniable.kernels.contiguous import integers, reals


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
