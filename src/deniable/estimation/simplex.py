"""Two fast ways to turn the unbiased estimate into a distribution, each with its own bias; and known totals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deniable.arrays import Indices, Matrix, Vector
from deniable.kernels.arithmetic import project_simplex


def normalize(v: Vector) -> Vector:
    """Clip at 0 and rescale; uniform if nothing is left.

    Biased: the positive noise of rare labels is kept and their negative noise removed, and rescaling takes the surplus
    back in proportion to size. Rare labels come out too large, common ones too small.

    >>> normalize(np.array([0.9, 0.3, -0.2])).round(9).tolist()
    [0.75, 0.25, 0.0]
    """
    clipped = np.maximum(v, 0)
    total = float(clipped.sum())
    return np.asarray(clipped / total) if total > 0 else np.full(len(v), 1 / len(v))


def project(v: Vector, metric: Vector | None = None) -> Vector:
    """The nearest distribution in squared distance (Wang and Carreira-Perpinan 2013), weighted by 1/metric if given.

    Biased: the same amount is taken from every label, and labels with less than that become exactly 0. Common labels
    lose little of their size, rare ones vanish. The squared error against a true distribution never grows.

    >>> project(np.array([0.9, 0.3, -0.2])).round(9).tolist()
    [0.8, 0.2, 0.0]
    """
    return project_simplex(v) if metric is None else _project_in(metric, v)


def project_rows(rows: Matrix) -> Matrix:
    """The nearest distribution to each row, as ``project`` finds it.

    >>> project_rows(np.array([[0.9, 0.3, -0.2], [0.5, 0.5, 0.0]])).round(9).tolist()
    [[0.8, 0.2, 0.0], [0.5, 0.5, 0.0]]
    """
    falling = -np.sort(-rows, axis=1)
    levels = (1 - np.cumsum(falling, axis=1)) / np.arange(1, rows.shape[1] + 1)
    last = (falling + levels > 0).sum(axis=1) - 1
    return np.maximum(rows + np.take_along_axis(levels, last[:, None], axis=1), 0)


def _project_in(metric: Vector, v: Vector) -> Vector:
    """The projection max(v - level metric, 0), by the sweeps of the kernel with weights."""
    shifted = v - (v / metric).max() * metric
    values, weights, level, size = shifted, metric, 0.0, -1
    while len(values) != size:
        size = len(values)
        level = float((values.sum() - 1) / weights.sum())
        inside = values > level * weights
        values, weights = values[inside], weights[inside]
    point = np.maximum(shifted - level * metric, 0)
    return np.asarray(point / point.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """Groups whose shares are known without noise, so that every distribution that is decoded keeps them.

    ``shares`` of the groups, whose labels' places ``order`` lists group after group, ``sizes`` of them each.

    >>> known = Totals(np.array([0, 2, 1]), np.array([2, 1]), np.array([0.75, 0.25]))
    >>> known.apply(lambda part: part / part.sum(), np.array([1.0, 0.5, 2.0])).tolist()
    [0.25, 0.25, 0.5]
    """

    order: Indices
    sizes: Indices
    shares: Vector

    def projected(self, shares: Vector) -> Vector:
        """The nearest shares that keep those of the groups."""
        return self.apply(project_simplex, shares)

    def apply(self, decoder: Callable[[Vector], Vector], shares: Vector) -> Vector:
        """What a decoder makes of each group, taken for everybody, times the group's share; 0 in an empty group."""
        decoded = np.zeros(len(shares))
        places = np.split(self.order, np.cumsum(self.sizes)[:-1])
        for members, share in zip(places, self.shares.tolist(), strict=True):
            if share > 0:
                decoded[members] = share * decoder(shares[members] / share)
        return decoded
