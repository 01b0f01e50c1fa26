"""What people told of a number: points for its mean and its spread, blocks of the scale, and the curves of these.

The density is a monotone cubic through a rising F at a few cuts (numbers.md 2). The number of cells between these cuts
is all the smoothing there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector
from deniable.estimation.numbers.cumulative import Cumulative
from deniable.estimation.numbers.mean import Mean
from deniable.protocol.errors import ParameterError
from deniable.theory.risk.variance import Target

CELLS = 16
PIECES = 64
"""Into how many pieces a cell is divided to find a quantile."""


@dataclass(frozen=True, eq=False)
class Density:
    """The curve through F = ``shares`` at the places ``cuts``, both rising, from 0 to 1.

    >>> even = Density.of(np.linspace(0, 1, 101), np.arange(101.0))
    >>> even.at(np.array([30.0])).round(6).tolist(), round(even.quantile(0.5), 6)
    ([0.01], 50.0)
    """

    cuts: Vector
    shares: Vector

    @classmethod
    def of(cls, shares: Vector, cuts: Vector, cells: int = CELLS) -> Density:
        """The curve of a rising F at rising cuts, through about so many cells of them, or all if there are fewer."""
        last = len(shares) - 1
        places = np.unique(np.rint(np.linspace(0, last, min(cells, last) + 1)).astype(np.int64))
        return cls(cuts[places], shares[places])

    @cached_property
    def _curve(self) -> scipy.interpolate.PchipInterpolator:
        return scipy.interpolate.PchipInterpolator(self.cuts, self.shares)

    def cdf(self, places: Vector) -> Vector:
        """The share up to each place: 0 before the scale and 1 after it."""
        return np.asarray(self._curve(np.clip(places, 0, self.cuts[-1])), np.float64)

    def at(self, places: Vector) -> Vector:
        """The density at each place: the share per place."""
        inside = (places >= 0) & (places <= self.cuts[-1])
        return np.where(inside, np.maximum(self._curve(places, 1), 0), 0.0)

    def quantile(self, share: float) -> float:
        """The first place up to which this share lies."""
        if not 0 < share < 1:
            raise ParameterError(f"share must be above 0 and below 1, got {share}")
        steps = np.arange(PIECES) / PIECES
        fine = np.append((self.cuts[:-1, None] + np.diff(self.cuts)[:, None] * steps).ravel(), self.cuts[-1])
        rising = np.maximum.accumulate(self.cdf(fine))
        after = min(max(int(np.searchsorted(rising, share)), 1), len(fine) - 1)
        low, high = float(rising[after - 1]), float(rising[after])
        part = (share - low) / (high - low) if high > low else 1.0
        return float(fine[after - 1] + part * (fine[after] - fine[after - 1]))


class PlotCurve(NamedTuple):
    """Places on the scale and what a curve is there."""

    x: Vector
    y: Vector


class CumulativeBand(NamedTuple):
    """The share of people up to each number, and the limits within which the whole curve lies at a level."""

    x: Vector
    y: Vector
    low: Vector
    high: Vector


@dataclass(frozen=True, eq=False)
class NumberReports:
    """What people told of a number: points for the mean, points for squares about a place, blocks of the scale.

    ``width`` is that of a cell of the blocks and ``size`` that of the scale, both in places; the last cell may be less
    wide than others.
    """

    mean: Mean | None = None
    squares: Mean | None = None
    about: int = 0
    ranges: Cumulative | None = None
    width: int = 1
    size: int = 1

    @property
    def known(self) -> Cumulative:
        """The blocks; refused where none were asked for, or too few people were asked."""
        if self.ranges is None:
            raise ParameterError(
                "ranges must have been asked for and reported on, "
                'got few reports or a question without want "quantiles"'
            )
        return self.ranges

    @cached_property
    def ends(self) -> Vector:
        """The places at which cells begin and end."""
        ends: Vector = np.arange(self.known.cells + 1.0) * self.width
        return np.minimum(ends, self.size)

    def cells_at(self, places: Vector) -> Vector:
        """Places counted in cells, from 0 to all of them."""
        return np.interp(places, self.ends, np.arange(len(self.ends)))

    def places_at(self, cells: Vector) -> Vector:
        """Cells, from 0 to all of them, as places."""
        return np.interp(cells, np.arange(len(self.ends)), self.ends)

    @property
    def rising(self) -> Vector:
        """The share up to each cut, rising."""
        return self.known.rising

    @cached_property
    def density(self) -> Density:
        """A smooth curve through the rising share, over places."""
        return Density.of(self.rising, self.ends)


NOTHING = NumberReports()


@dataclass(frozen=True)
class NoBins:
    """The evidence where no ranges were asked for: of no shares."""

    n: int = 0

    def unbiased(self) -> Vector:
        """No shares."""
        return np.zeros(0)

    def stderr(self, target: Target = "population") -> Vector:
        """No errors."""
        return np.zeros(0)

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """No intervals."""
        return np.zeros((0, 2))
