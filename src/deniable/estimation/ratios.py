"""Shares of a part within a whole, both told with noise: who is late among those who come by bus (numbers.md 4).

Neither is known, so bounds are all ratios r for which the part, less r times the whole, may well be 0 (Fieller 1954).
Where the whole itself may be nothing they have no end, and nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deniable.arrays import Flags, Indices, Matrix, Sparse, Vector
from deniable.estimation.binomial import quantile
from deniable.estimation.census import Spread, narrowed_bounds
from deniable.estimation.contrast import share_difference_bounds
from deniable.estimation.sources import ShareSums, Source, bounds_of
from deniable.estimation.sparse_rows import SparseRows, dense_if_small, in_parts, scaled_rows
from deniable.theory.contrasts import correlation

SEEN = 3.0
"""Of a whole that is within so many standard errors of nobody, nothing can be said."""
ROUNDS = 5
"""How often the stretch that a bound lies in is cut; after these bounds are right to 0.0001."""


@dataclass(frozen=True, eq=False)
class Ratios:
    """Parts over wholes, each a sum of the sources' shares with weights [ratios, labels] for every source."""

    sources: Sequence[Source]
    parts: Sequence[SparseRows]
    wholes: Sequence[SparseRows]
    size: float = math.inf
    """Among how many people; without end where that is not known."""

    def of(self, places: Indices) -> Ratios:
        """Some of the ratios alone."""
        parts, wholes = ([rows.of(places) for rows in weights] for weights in (self.parts, self.wholes))
        return replace(self, parts=parts, wholes=wholes)

    @cached_property
    def _totals(self) -> tuple[Vector, Vector]:
        """The parts and the wholes."""
        return self._added(self.parts), self._added(self.wholes)

    def _added(self, weights: Sequence[SparseRows]) -> Vector:
        """The sums of the sources' shares with these weights."""
        pairs = zip(self.sources, weights, strict=True)
        return np.asarray(sum(rows.times(source.evidence.unbiased()) for source, rows in pairs), np.float64)

    def _sums(self, weights: Sequence[Matrix | Sparse]) -> list[ShareSums]:
        return [source.sums(matrix) for source, matrix in zip(self.sources, weights, strict=True)]

    def _errors(self, weights: Sequence[Matrix | Sparse]) -> Vector:
        return np.sqrt(np.maximum(sum(each.variances for each in self._sums(weights)), 0))

    @cached_property
    def are_seen(self) -> Flags:
        """Which wholes are clearly more than nobody."""
        errors = self._errors([whole.matrix for whole in self.wholes])  # of each whole once, however many parts it has
        return are_seen(self._totals[1], errors[self.wholes[0].places])

    @cached_property
    def values(self) -> Vector:
        """The ratios, which may lie a little outside of 0 to 1; nan where nothing can be said."""
        part, whole = self._totals
        ratios: Vector = np.divide(part, whole, out=np.full(len(part), np.nan), where=self.are_seen)
        return ratios

    @cached_property
    def slopes(self) -> list[Matrix | Sparse]:
        """The weights of which the ratios' errors are sums, by the delta method; of ratios that can be told."""
        return self._less_wholes(1 / self._totals[1], self.values)

    @cached_property
    def stderr(self) -> Vector:
        """The standard errors of the ratios, by the delta method; infinite where nothing can be said."""
        errors = np.full(len(self.are_seen), np.inf)
        for places in in_parts(np.flatnonzero(self.are_seen), self._width):
            errors[places] = self.of(places)._slope_errors
        return errors

    @property
    def _slope_errors(self) -> Vector:
        """The errors of ratios that can be told, without what their people have in common with all of them."""
        ratios, whole = np.clip(self.values, 0, 1), self._totals[1]
        return np.sqrt(np.maximum(self._errors(self.slopes) ** 2 - ratios * (1 - ratios) / whole / self.size, 0))

    @property
    def _width(self) -> int:
        """How many weights a ratio has."""
        return int(max(part.matrix.shape[1] for part in self.parts))

    def differences(self, pairs: Indices, alpha: float) -> tuple[Vector, Matrix]:
        """The first ratios of pairs [pairs, 2] less the second, with bounds; nan, from -1 to 1, where nothing is known.

        Fieller's intervals of both are added in squares, with the correlation of the errors by the delta method. Where
        they were cut at none or all, they reach at least as far as normal ones, from ratios that may lie beyond.
        """
        values, bounds = np.full(len(pairs), np.nan), np.tile([-1.0, 1.0], (len(pairs), 1))
        are_known = self.are_seen[pairs].all(axis=1)
        if are_known.any():
            distinct, where = np.unique(pairs[are_known], return_inverse=True)
            used, where = self.of(distinct), where.reshape(-1, 2)
            both = used.values[where]
            parts = zip(self.sources, used.slopes, strict=True)
            variances = sum(source.difference_variances(slopes, where) for source, slopes in parts)
            correlations = correlation(used.stderr[where], np.asarray(variances))
            values[are_known] = both[:, 0] - both[:, 1]
            bounds[are_known] = share_difference_bounds(both, used._uncut(alpha)[where], correlations)
        return values, bounds

    def _uncut(self, alpha: float) -> Matrix:
        """The bounds of ratios that can be told, which may lie beyond 0 and 1."""
        bounds, reach = self.interval(alpha), quantile(alpha / 2) * self.stderr
        low = np.where(bounds[:, 0] <= 0, np.minimum(bounds[:, 0], self.values - reach), bounds[:, 0])
        high = np.where(bounds[:, 1] >= 1, np.maximum(bounds[:, 1], self.values + reach), bounds[:, 1])
        return np.stack([low, high], axis=1)

    def interval(self, alpha: float) -> Matrix:
        """Bounds [ratios, 2] from 0 to 1; all of that where a whole may be nothing."""
        parts = in_parts(np.arange(len(self.parts[0])), self._width)
        return np.concatenate([self.of(part)._interval(alpha) for part in parts])

    def _interval(self, alpha: float) -> Matrix:
        """The bounds, of so few ratios that all of their weights fit in memory."""
        bounds = np.tile([0.0, 1.0], (len(self.are_seen), 1))
        least = bounds_of(self._totals[1], self._sums([whole for _, whole in self._weights]), alpha)[:, 0]
        places = np.flatnonzero(self.are_seen & (least > 0))
        if len(places):
            bounds[places] = self.of(places)._fieller(alpha)
        return bounds

    def _fieller(self, alpha: float) -> Matrix:
        """Where ratios begin to be ruled out, on the way from the estimated ones to 0 and to 1.

        The false position method, which halves the value at an end that stays where it is (Illinois): what is looked
        for the root of is nearly a straight line.
        """
        both = self.of(np.repeat(np.arange(len(self.values)), 2))
        inside, outside = np.clip(both.values, 0, 1), np.tile([0.0, 1.0], len(self.values))
        low, high = both._excess(inside, alpha), both._excess(outside, alpha)
        is_open, ends, last_side = high <= 0, outside, np.zeros(len(outside), np.int64)
        for _ in range(ROUNDS):
            between = _root(inside, low, outside, high)
            excess = both._excess(between, alpha)
            is_inside = excess <= 0
            high = np.where(is_inside, np.where(last_side == 1, high / 2, high), excess)
            low = np.where(is_inside, excess, np.where(last_side == -1, low / 2, low))
            inside, outside = np.where(is_inside, between, inside), np.where(is_inside, outside, between)
            last_side = np.where(is_inside, 1, -1)
        return np.where(is_open, ends, _root(inside, low, outside, high)).reshape(-1, 2)

    def _excess(self, ratios: Vector, alpha: float) -> Vector:
        """By how much each part, less the ratio times its whole, is farther from 0 than its bounds allow."""
        part, whole = self._totals
        weights = self._less_wholes(np.ones_like(ratios), ratios)
        distances, sums = part - ratios * whole, self._sums(weights)
        bounds = bounds_of(distances, sums, alpha)
        if self.size < math.inf:
            bounds = narrowed_bounds(distances, bounds, quantile(alpha / 2), self._spread(ratios), self.size)
        low, high = bounds.T
        return np.asarray(np.maximum(low, -high), np.float64)

    def _spread(self, ratios: Vector) -> Spread:
        """The variance of what a person adds to a part less the ratio times its whole, whatever its mean.

        The smaller one counts of that at the estimated shares and that at the ratio, which is 0 at 0 and at 1.
        """
        q = np.clip(self._totals[1], 0, 1)
        p = np.clip(self._totals[0], 0, q)
        estimated = p * (1 - ratios) ** 2 + (q - p) * ratios**2 - (p - ratios * q) ** 2
        least = np.minimum(estimated, q * ratios * (1 - ratios))[:, None]
        return lambda means: np.broadcast_to(least, means.shape)

    @cached_property
    def _weights(self) -> list[tuple[Matrix | Sparse, Matrix | Sparse]]:
        """The weights of the parts and of the wholes in each source."""
        pairs = zip(self.parts, self.wholes, strict=True)
        return [(dense_if_small(part.to_matrix()), dense_if_small(whole.to_matrix())) for part, whole in pairs]

    def _less_wholes(self, scale: Vector, ratios: Vector) -> list[Matrix | Sparse]:
        """The weights in each source of the parts less some ratios of the wholes, each row times its scale."""
        return [scaled_rows(part, scale) - scaled_rows(whole, scale * ratios) for part, whole in self._weights]


def are_seen(shares: Vector, errors: Vector) -> Flags:
    """Which shares are clearly more than nobody.

    >>> are_seen(np.array([0.2, 0.02, -0.01]), np.array([0.01, 0.01, 0.0])).tolist()
    [True, False, False]
    """
    return np.asarray((shares > 0) & (shares >= SEEN * errors))


def _root(inside: Vector, low: Vector, outside: Vector, high: Vector) -> Vector:
    """Where the line from ``low``, 0 or less, at inside to ``high`` at outside is 0; outside if it never is."""
    gap = high - low
    part = np.divide(high, gap, out=np.zeros_like(gap), where=gap > 0)
    return np.asarray(outside + np.clip(part, 0, 1) * (inside - outside), np.float64)
