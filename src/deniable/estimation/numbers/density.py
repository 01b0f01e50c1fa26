"""A smooth density: a monotone cubic through a rising F at a few cuts (numbers.md 2).

The number of cells between these cuts is all the smoothing there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from deniable.arrays import Vector
from deniable.protocol.errors import ParameterError

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
        kept = np.unique(np.rint(np.linspace(0, last, min(cells, last) + 1)).astype(np.int64))
        return cls(cuts[kept], shares[kept])

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
