"""Decoding arithmetic: the affine inversion of support counts, and the projection on the simplex.

Limit: reading the counts once and writing the estimate once; the projection reads its input a few times, and the
entries still positive some ten times, in cache. NumPy makes the arrays for what is found: a compiled kernel takes three
times as long to hand one over, and of few labels that is most of the time.
"""

from __future__ import annotations

import numpy as np

from deniable.arrays import Counts, Indices, Vector
from deniable.kernels.compiled import compiled
from deniable.kernels.early import SMALL

MOST_OUT = 4
"""Once so many times fewer entries are left than are read, it pays to copy them together."""


@compiled(early=SMALL)
def total(counts: Counts) -> np.int64:
    """The sum of the counts modulo 2^64."""
    added = np.int64(0)
    for count in counts:
        added += count
    return added


@compiled(early=SMALL)
def _affine(counts: Counts, scale: float, offset: float, out: Vector) -> None:
    for j in range(len(counts)):
        out[j] = scale * counts[j] - offset


def affine(counts: Counts, scale: float, offset: float) -> Vector:
    """``scale * counts - offset`` in one pass, as floats."""
    out = np.empty(len(counts))
    _affine(counts, scale, offset, out)
    return out


@compiled(fastmath={"reassoc"})
def _sum(v: Vector) -> float:
    """The sum in any order, so vectorized: in its order each addition would wait for the one before."""
    total = 0.0
    for j in range(len(v)):
        total += v[j]
    return total


@compiled(fastmath={"reassoc"})
def _excess(v: Vector, level: float) -> tuple[float, float]:
    """The total excess above the level, and the number of entries above it; summed in any order, so vectorized."""
    total, inside = 0.0, 0.0
    for j in range(len(v)):
        above = 1.0 if v[j] > level else 0.0
        total += above * (v[j] - level)
        inside += above
    return total, inside


@compiled(early=SMALL)
def _keep_above(v: Vector, level: float, kept: Vector) -> int:
    """Copy the entries above the level into ``kept``, which may be ``v`` and needs room for one more; their number."""
    place = 0
    for j in range(len(v)):
        kept[place] = v[j]
        place += v[j] > level
    return place


@compiled(early=SMALL)
def _project_simplex(v: Vector, point: Vector) -> None:
    level, kept = (_sum(v) - 1) / len(v), len(v) + 1.0
    total, inside = _excess(v, level)
    left, room = v, np.empty(0)
    while 0 < inside < kept:  # rounding may let an entry back in, which must not loop for ever
        if inside * MOST_OUT < len(left):
            if len(room) == 0:
                room = np.empty(int(inside) + 1)
            left = room[: _keep_above(left, level, room)]
        kept = inside
        level += (total - 1) / inside
        total, inside = _excess(left, level)
    if inside == 0:  # entries so large that 1 is lost in rounding: the largest entries share it all
        level = np.nextafter(v.max(), -np.inf)
        total = _excess(v, level)[0]
    scale = 1 / total
    for j in range(len(v)):
        point[j] = max(v[j] - level, 0.0) * scale


def project_simplex(v: Vector) -> Vector:
    """The nearest distribution in squared distance: max(v - level, 0), with the level that makes it add up to 1.

    Michelot's (1986) sweeps, which are Newton steps: an entry that once is not above the level stays out. When most
    entries are out, the others are copied together.
    """
    point = np.empty(len(v))
    _project_simplex(v, point)
    return point


@compiled(early=SMALL)
def _affine_projected(counts: Counts, scale: float, offset: float, out: Vector, point: Vector) -> None:
    _affine(counts, scale, offset, out)
    _project_simplex(out, point)


def affine_projected(counts: Counts, scale: float, offset: float) -> tuple[Vector, Vector]:
    """``affine`` and ``project_simplex`` of it, by one call of a kernel."""
    out, point = np.empty(len(counts)), np.empty(len(counts))
    _affine_projected(counts, scale, offset, out, point)
    return out, point


@compiled(early=SMALL)
def project_groups(v: Vector, order: Indices, sizes: Indices, shares: Vector) -> Vector:
    """The nearest shares that add up to a given share in every group, whose places ``order`` lists group after group.

    A group without a share gets 0.
    """
    point, start = np.zeros(len(v)), 0
    for group in range(len(sizes)):
        places = order[start : start + sizes[group]]
        start += sizes[group]
        if shares[group] > 0:
            among = np.empty(len(places))
            _project_simplex(v[places] / shares[group], among)
            point[places] = among * shares[group]
    return point
