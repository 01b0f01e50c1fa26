"""Variances of reports about a mean: a number is rounded at random to a grid point, which goes through a channel.

numbers.md 1. The scale is u in [-1, 1], with places 0..steps on it. N grid points are s = 2/(N-1) apart. Between two of
them a threshold T decides which is taken; its level t of L, which everybody may know, and the rest of it are uniform.
An output y of the channel is worth ``values[y]``, whose mean is the grid point, and the report that plus
s((t + 1/2)/L - 1/2), whose mean is the number. With two points this is the threshold report: "is it more than T?".
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from deniable.arrays import Indices, Matrix, Vector

FINEST = 4096
"""The most steps of an even truth: on a finer scale it is as good as continuous."""


@dataclass(frozen=True, slots=True, eq=False)
class PointReport:
    """Rows [N, J] of a channel of grid points, what its outputs are worth, and how many levels a threshold may have.

    >>> report = PointReport.threshold(Fraction(3), levels=4)
    >>> report.variances(np.array([3]), 10).round(9).tolist()
    [3.3525]
    """

    rows: Matrix
    values: Vector
    levels: int

    @classmethod
    def threshold(cls, odds: Fraction, levels: int) -> PointReport:
        """Two points, and a bit that is told truly with these odds: outputs are worth -C and C, C = (E+1)/(E-1)."""
        truth = float(odds / (odds + 1))
        worth = float((odds + 1) / (odds - 1))
        return cls(np.array([[truth, 1 - truth], [1 - truth, truth]]), np.array([-worth, worth]), levels)

    @property
    def spacing(self) -> float:
        """How far the grid points are apart."""
        return 2 / (len(self.rows) - 1)

    @property
    def shifts(self) -> Vector:
        """What is added at each level, [L]."""
        return self.spacing * ((np.arange(self.levels) + 0.5) / self.levels - 0.5)

    @property
    def point_variances(self) -> Vector:
        """The variance of a report from each grid point, but for the level."""
        return np.asarray(self.rows @ self.values**2 - np.linspace(-1, 1, len(self.rows)) ** 2, np.float64)

    @property
    def limit(self) -> float:
        """The worst variance with many levels: that of the points, and s^2/12 for the rounding."""
        return float(self.point_variances.max()) + self.spacing**2 / 12

    @property
    def worst(self) -> float:
        """The largest variance of one report, wherever the number lies on the scale.

        Between two grid points the variance is a parabola on each of L equal pieces; it is known at the pieces' ends
        and in their middles, and so is its peak.
        """
        pieces = self.levels * (len(self.rows) - 1)
        found = self.variances(np.arange(2 * pieces + 1), 2 * pieces)
        left, middle, right = found[:-1:2], found[1::2], found[2::2]
        bend, slope = 2 * middle - left - right, (right - left) / 2
        peak = np.clip(np.divide(slope, 2 * bend, out=np.zeros(pieces), where=bend > 0), -0.5, 0.5)
        return float((middle + 2 * slope * peak - 2 * bend * peak**2).max())

    def variances(self, places: Indices, steps: int) -> Vector:
        """The variance of one report about each number, its level drawn too."""
        first, second = self._moments(places, steps)
        shifts = self.shifts[:, None]
        squares = second + 2 * shifts * first + shifts**2
        return np.asarray(squares.mean(axis=0) - (2 * places / steps - 1) ** 2, np.float64)

    def population(self, shares: Vector) -> float:
        """The variance of the mean over levels times n: as many people each, drawn with these shares of places."""
        first, second = self._moments(np.arange(len(shares)), len(shares) - 1)
        return float((second @ shares - (first @ shares) ** 2).mean())

    def even(self, steps: int) -> float:
        """The variance by ``population`` if all places on a scale of so many steps are equally frequent.

        >>> PointReport.threshold(Fraction(3), levels=16).even(60) < PointReport.threshold(Fraction(3), 16).extreme
        True
        """
        places = min(steps, FINEST) + 1
        return self.population(np.full(places, 1 / places))

    @property
    def extreme(self) -> float:
        """The largest variance that ``population`` can give.

        A level's variance is at most the mean square of what is reported, which lies between those of grid points. If
        that of both ends is the largest, half of the people at either end reach it.
        """
        return float((self.rows @ self.values**2).max())

    def _moments(self, places: Indices, steps: int) -> tuple[Matrix, Matrix]:
        """The mean and the mean square of the values reported at each level, [L, places], before anything is added."""
        points, levels = len(self.rows), self.levels
        below = np.minimum(places * (points - 1) // steps, points - 2)
        into = places * (points - 1) - below * steps
        up = np.clip(into * levels / steps - np.arange(levels)[:, None], 0, 1)
        means, squares = self.rows @ self.values, self.rows @ self.values**2
        return (1 - up) * means[below] + up * means[below + 1], (1 - up) * squares[below] + up * squares[below + 1]
