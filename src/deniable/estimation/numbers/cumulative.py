"""Shares up to every cut of a scale, from reports of blocks of several sizes and offsets (numbers.md 2).

The shares of a part's blocks are differences of F, the share up to each cut. Weighted least squares puts all parts
together, as a network of resistors. Whatever the weights, F is unbiased and linear in the parts' shares, so that the
variance of any query of it follows exactly from the parts' own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deniable.arrays import Indices, Matrix, Vector
from deniable.estimation.binomial import quantile
from deniable.estimation.census import FEW, Spread, narrowed_bounds, size_if_many, spread_of_shares, spread_of_values
from deniable.estimation.numbers.band import band_factor
from deniable.estimation.numbers.monotone import monotone
from deniable.estimation.sources import ShareSums, Source, bounds_of
from deniable.protocol.errors import ParameterError, TallyError
from deniable.theory.numbers.network import Network

EXACT = 1 << 10
"""Up to so many cells the variance of F at every cut follows from the parts; with more it is that of the network,
times a factor between 1 and what follows from the parts at some cuts."""
ENTRIES = 1 << 22
"""About how many potentials are computed at once."""


class PartShares(NamedTuple):
    """One part of the people: where its blocks begin and end, their shares, and 1/variance of a share."""

    cuts: Indices
    source: Source
    precision: float


class Bounds(NamedTuple):
    """A lower and an upper limit of F at every cut 0..d."""

    lower: Vector
    upper: Vector


@dataclass(frozen=True, eq=False)
class Cumulative:
    """F at the cuts 0..cells, from parts that people reported on."""

    cells: int
    parts: tuple[PartShares, ...]
    size: float = math.inf
    """Among how many people; without end unless it is known."""

    @classmethod
    def of(cls, cells: int, parts: Sequence[PartShares], size: float = math.inf) -> Cumulative:
        """F from the parts that somebody reported on; single cells must be among them."""
        reported = tuple(part for part in parts if part.source.evidence.n > 0)
        if cells > 1 and not any(len(part.cuts) == cells + 1 for part in reported):
            raise TallyError("single cells must have been reported on, got reports on larger blocks alone, or none")
        return cls(cells, reported, size_if_many(sum(part.source.evidence.n for part in reported), size))

    @property
    def n(self) -> int:
        """How many people reported."""
        return sum(part.source.evidence.n for part in self.parts)

    @cached_property
    def network(self) -> Network:
        """The network of the parts."""
        return Network.of(self.cells, [(part.cuts, part.precision) for part in self.parts])

    @cached_property
    def shares(self) -> Vector:
        """The unbiased F at every cut, from 0 to 1; in between it may be below, above and falling."""
        cumulative = np.append(np.zeros(self.cells), 1.0)
        if self.cells > 1:
            shares = np.concatenate([part.source.evidence.unbiased() for part in self.parts])
            network = self.network
            currents = network.into(network.conductances * shares) - network.laplacian @ cumulative
            cumulative += network.potentials(currents)
        return cumulative

    @cached_property
    def rising(self) -> Vector:
        """The rising F that is nearest to it."""
        return monotone(self.network, self.shares) if self.cells > 1 else self.shares

    def query(self, weights: Matrix) -> tuple[Vector, Vector]:
        """The sums of F with these weights [queries, cuts], and their exact variances among the people.

        The share between two cuts has the weights -1 and 1.
        """
        return weights @ self.shares, self._narrowed(weights, self.variances(weights))

    def bounds(self, weights: Matrix, alpha: float) -> Matrix:
        """Bounds [queries, 2] on sums of F with these weights, as ``bounds_of`` puts those of the parts together."""
        sums = weights @ self.shares
        bounds = bounds_of(sums, self._part_sums(weights), alpha)
        if math.isinf(self.size):
            return bounds
        return narrowed_bounds(sums, bounds, quantile(alpha / 2), self.spread(weights), self.size)

    def spread(self, weights: Matrix) -> Spread:
        """How far single people's values spread, of which such sums are the means; by the rising shares."""
        values = np.cumsum(weights[:, :0:-1], axis=1)[:, ::-1]  # whoever is in a cell counts at every cut after it
        return spread_of_values(values, np.diff(self.rising))

    def variances(self, weights: Matrix) -> Vector:
        """The variances of such sums about people without end."""
        variances = sum(sums.variances for sums in self._part_sums(weights))
        return np.asarray(np.maximum(np.broadcast_to(variances, len(weights)), 0), np.float64)

    def _narrowed(self, weights: Matrix, variances: Vector) -> Vector:
        """Variances about the sums among so many people (see ``census``)."""
        if math.isinf(self.size):
            return variances
        spread = self.spread(weights)(weights @ self.shares[:, None])[:, 0]
        return np.asarray(np.maximum(variances - spread / self.size, 0), np.float64)

    def _part_sums(self, weights: Matrix) -> list[ShareSums]:
        """What the shares of each part add to sums of F with these weights; nothing where there is one cell."""
        if self.cells == 1:
            return []
        potentials = self.network.potentials(weights.T)
        flows = [part.precision * np.diff(potentials[part.cuts], axis=0) for part in self.parts]
        return [part.source.sums(each.T) for part, each in zip(self.parts, flows, strict=True)]

    @property
    def stderr(self) -> Vector:
        """The standard error of F at every cut."""
        return np.asarray(
            np.sqrt(np.maximum(self._variances - spread_of_shares(self.shares) / self.size, 0)), np.float64
        )

    @cached_property
    def _variances(self) -> Vector:
        """The variance of F at every cut, about people without end."""
        if self.cells == 1:
            return np.zeros(2)
        if self.cells <= EXACT:
            return self._variances_at(np.arange(self.cells + 1))
        return np.asarray(self.network.resistances * self._factors, np.float64)

    def pointwise(self, level: float) -> Bounds:
        """Bounds that hold at this level at each cut by itself."""
        return self._within(quantile((1 - level) / 2))

    def band(self, level: float) -> Bounds:
        """Bounds that hold at this level at all cuts at once, and rise with them.

        A limit that holds everywhere may be raised to the largest lower limit before it, and lowered to the smallest
        upper limit after it, since F rises.
        """
        lower, upper = self._within(band_factor(self.network, level))
        return Bounds(np.maximum.accumulate(lower), np.minimum.accumulate(upper[::-1])[::-1])

    def _within(self, factor: float) -> Bounds:
        """Bounds so many deviations from F; of few people those of the parts, whose reports may show no error."""
        if self.n < FEW and self.cells <= EXACT:
            drawn = bounds_of(self.shares, self._part_sums(np.eye(self.cells + 1)), math.erfc(factor / math.sqrt(2)))
        else:
            drawn = self.shares[:, None] + (factor * np.sqrt(self._variances))[:, None] * [-1, 1]
        return Bounds(*np.clip(narrowed_bounds(self.shares, drawn, factor, spread_of_shares, self.size), 0, 1).T)

    def _variances_at(self, cuts: Indices) -> Vector:
        """The exact variances of F at some cuts, a few at a time."""
        variances = np.zeros(len(cuts))
        step = max(ENTRIES // (self.cells + 1), 1)
        for first in range(0, len(cuts), step):
            some = cuts[first : first + step]
            weights = np.zeros((len(some), self.cells + 1))
            weights[np.arange(len(some)), some] = 1
            variances[first : first + step] = self.variances(weights)
        return variances

    @property
    def _factors(self) -> Vector:
        """By how much the variance of F exceeds that of the network, from some cuts that are even in place and in F."""
        few = int(np.clip(ENTRIES // self.cells, 4, 64))
        evenly = np.linspace(0, self.cells, few + 2)[1:-1].astype(np.int64)
        rising = np.maximum.accumulate(self.shares)
        quantiles = np.searchsorted(rising, np.linspace(0, 1, few + 2)[1:-1])
        some = np.unique(np.clip(np.append(evenly, quantiles), 1, self.cells - 1))
        ratios = np.maximum(self._variances_at(some) / self.network.resistances[some], 1)
        return np.asarray(np.interp(np.arange(self.cells + 1), some, ratios), np.float64)


def quantile_cuts(bounds: Bounds, share: float) -> tuple[int, int]:
    """The first and the last cut between which the quantile of this share lies.

    It lies in the cell c with F(c) < share <= F(c+1): of all cells that the bounds allow, these are the outer cuts.
    With pointwise bounds that holds at their level for one quantile; with a band for all of them at once.

    >>> quantile_cuts(Bounds(np.array([0, 0.1, 0.4, 0.8, 1]), np.array([0, 0.3, 0.6, 1, 1])), 0.5)
    (1, 3)
    """
    if not 0 < share < 1:
        raise ParameterError(f"share must be above 0 and below 1, got {share}")
    cells = np.flatnonzero((bounds.lower[:-1] < share) & (share <= bounds.upper[1:]))
    return int(cells[0]), int(cells[-1]) + 1
