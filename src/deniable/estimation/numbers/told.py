"""What people told of a number: points for its mean and its spread, blocks of the scale, and the curves of these."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.estimation.numbers.cumulative import Cumulative
from deniable.estimation.numbers.density import Density
from deniable.estimation.numbers.mean import MeanEvidence
from deniable.protocol.errors import ParameterError
from deniable.theory.risk.variance import Target


class Curve(NamedTuple):
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

    mean: MeanEvidence | None = None
    squares: MeanEvidence | None = None
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
        """The reverse."""
        return np.interp(cells, np.arange(len(self.ends)), self.ends)

    @property
    def rising(self) -> Vector:
        """The share up to each cut, rising."""
        return self.known.rising

    @cached_property
    def density(self) -> Density:
        """A smooth curve through it, over places."""
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
