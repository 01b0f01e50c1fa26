"""Surveys by cohorts: the counts, and the table of the symbols that every candidate has in every cohort.

A person in cohort c reports symbols out of r; a symbol of the person's own string is supported with probability g, any
other with h. So (counts / n_c - h) / (g - h) estimates the mass of each symbol. A string outside the table has a given
symbol with probability beta over random hashes; minus beta, the masses are

    q_c[y] - beta  ~  sum_s p_s (1[y in H_c(s)] - beta),

in which unlisted strings cancel out on average, whatever their share u = 1 - sum p.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Indices, Matrix, Symbols, Vector
from deniable.kernels.cohorts import collect, mass, pairs_held, sorted_filters
from deniable.protocol.errors import ParameterError

SUMMED = 16
"""So many symbols of a row tell most rows apart."""


class MassCovariance(NamedTuple):
    """How the estimated masses q of a cohort's symbols covary, times its people: diag(squares) - line line'.

    Both have a row for each cohort [C, r].
    """

    squares: Matrix
    line: Matrix

    @property
    def trace(self) -> float:
        """The trace of the covariance, summed over all cohorts."""
        return float(self.squares.sum() - (self.line**2).sum())


@dataclass(frozen=True, slots=True, eq=False)
class CohortSurvey:
    """Counts [C, r] of r symbols in the cohorts that have people, and the table [S, C, hashes] of candidates' symbols.

    Candidates with the same symbols share one of the S rows: ``group`` is the index of each one's row. ``sizes`` are
    the people of the cohorts. A symbol of one's own is supported with probability ``g``, any other with ``h``.
    ``filters``: reports are Bloom filters, no single symbols. ``closed``: nobody holds a string outside the table.

    >>> survey = CohortSurvey.responses(np.array([[0, 1], [1, 1]], np.uint16), np.array([[30, 10], [15, 25]]), 3.0)
    >>> survey.n, survey.beta, survey.observed.tolist()
    (80, 0.5, [[0.5, -0.5], [-0.25, 0.25]])
    """

    symbols: Symbols
    counts: Counts
    sizes: Vector
    g: float
    h: float
    filters: bool
    closed: bool
    group: Indices

    @classmethod
    def responses(cls, symbols: Symbols, counts: Counts, ratio: float, closed: bool = False) -> CohortSurvey:
        """A survey of O-RR reports: one symbol, one's own with odds ``ratio`` to 1 against each other one."""
        if not 1 < ratio < math.inf:
            raise ParameterError(f"ratio must be a finite number above 1, got ratio={ratio}")
        g, h = ratio / (ratio + counts.shape[1] - 1), 1 / (ratio + counts.shape[1] - 1)
        return cls._checked(symbols, counts, counts.sum(axis=1), (g, h), filters=False, closed=closed)

    @classmethod
    def bloom(cls, symbols: Symbols, counts: Counts, sizes: Counts, flip: float, closed: bool = False) -> CohortSurvey:
        """A survey of O-RAPPOR reports: Bloom filters of r bits, each flipped with probability ``flip``."""
        if not 0 < flip < 0.5:
            raise ParameterError(f"flip must be between 0 and 1/2, got flip={flip}")
        if sizes.shape != (len(counts),) or (counts > sizes[:, None]).any():
            raise ParameterError("sizes must be the people of each cohort, at least as many as any of its counts")
        return cls._checked(symbols, counts, sizes, (1 - flip, flip), filters=True, closed=closed)

    @classmethod
    def _checked(
        cls, symbols: Symbols, counts: Counts, sizes: Counts, law: tuple[float, float], *, filters: bool, closed: bool
    ) -> CohortSurvey:
        """A survey of the cohorts that have people and of the distinct rows of symbols; ``law`` is g and h."""
        _check(symbols, counts, sizes)
        table, live = sorted_filters(symbols), sizes > 0
        if not live.all():
            table = np.compress(live, table, axis=1)
        rows, group = distinct_rows(table)
        rows = np.ascontiguousarray(rows, np.uint16)  # as kernels read it, which are called hundreds of times
        people = sizes[live].astype(np.float64)
        return cls(rows, counts[live], people, *law, filters, closed, group)

    @property
    def n(self) -> int:
        """How many people answered, over all cohorts."""
        return int(self.sizes.sum())

    @property
    def gap(self) -> float:
        """How much holding a symbol adds to the probability that it is supported: g - h."""
        return self.g - self.h

    @property
    def r(self) -> int:
        """The number of symbols of each cohort."""
        return int(self.counts.shape[1])

    @property
    def beta(self) -> float:
        """The probability that a string with random hashes has a given symbol."""
        return float(-np.expm1(self.symbols.shape[2] * np.log1p(-1 / self.r)))

    @property
    def dimensions(self) -> int:
        """The degrees of freedom of the counts: one fewer per cohort if its counts add up to its people."""
        return len(self.sizes) * (self.r - (not self.filters))

    @property
    def observed(self) -> Matrix:
        """The estimated mass of each symbol less beta: unbiased for ``centred(p)``."""
        return np.asarray((self.counts / self.sizes[:, None] - self.h) / self.gap - self.beta)

    @property
    def held(self) -> Vector:
        """Each candidate's number of different symbols, summed over the cohorts, weighted by their people."""
        if self.symbols.shape[2] == 1:
            return np.full(len(self.symbols), self.sizes.sum())
        return collect(self.symbols, np.repeat(self.sizes[:, None], self.r, axis=1))

    @property
    def diagonal(self) -> Vector:
        """Each candidate's own entry of the normal equations."""
        return np.asarray(self.held * (1 - 2 * self.beta) + self.r * self.beta**2 * self.n)

    def centred(self, p: Vector) -> Matrix:
        """The mass [C, r] of each symbol under the shares ``p``, minus beta times their sum."""
        return mass(self.symbols, p, self.r) - self.beta * float(p.sum())

    def slopes(self, field: Matrix) -> Vector:
        """The transpose of ``centred``: each candidate's sum of the field over its symbols, minus beta of the total."""
        return collect(self.symbols, field) - self.beta * float(field.sum())

    def noise(self, p: Vector, u: float) -> MassCovariance:
        """The multinomial or binomial covariance of q if p and u, clipped and scaled to add up to 1, were the truth."""
        listed, unlisted = self._distribution(p, u)
        masses = np.clip(mass(self.symbols, listed, self.r) + unlisted * self.beta, 0, 1)
        if not self.filters:
            chance = self.h + self.gap * masses
            return MassCovariance(chance / self.gap**2, chance / self.gap)
        return MassCovariance(self.h * (1 - self.h) / self.gap**2 + masses, masses)

    def paired(self, p: Vector, u: float, field: Matrix) -> float:
        """What ``noise`` omits in the variance of sum_c n_c <field, q>: a person's own symbols are correlated."""
        hashes = self.symbols.shape[2]
        if not self.filters or hashes == 1:
            return 0.0
        listed, unlisted = self._distribution(p, u)
        pair = 2 * self.beta - 1 + (1 - 2 / self.r) ** hashes  # the probability that a string has two given symbols
        uneven = self.sizes @ (field.sum(axis=1) ** 2 - (field**2).sum(axis=1))
        return float(pairs_held(self.symbols, listed, self.sizes, field) + unlisted * pair * uneven)

    def _distribution(self, p: Vector, u: float) -> tuple[Vector, float]:
        """The shares and the unlisted share, clipped at 0 and scaled to add up to 1."""
        listed, unlisted = np.maximum(p, 0), 0.0 if self.closed else max(u, 0.0)
        total = float(listed.sum()) + unlisted
        return (listed / total, unlisted / total) if total > 0 else (listed, 1.0)

    def only(self, places: Indices) -> CohortSurvey:
        """The same counts with only some of the rows; people with other strings count as unlisted."""
        rows = np.ascontiguousarray(self.symbols[places])
        return replace(self, symbols=rows, closed=False, group=np.arange(len(places)))


def distinct_rows(table: Symbols) -> tuple[Symbols, Indices]:
    """The distinct rows of a table in order of first occurrence, and the index of each candidate's row."""
    flat = np.ascontiguousarray(table.reshape(len(table), -1))
    if _surely_distinct(flat):
        return table, np.arange(len(table))
    keys: npt.NDArray[Any] = flat.view(np.dtype((np.void, flat.shape[1] * flat.dtype.itemsize))).ravel()
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    if len(first) == len(table):
        return table, np.arange(len(table))
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return np.ascontiguousarray(table[first[order]]), rank[group]


def _surely_distinct(rows: Symbols) -> bool:
    """Whether random sums of the rows' first symbols differ, which takes a tenth of the time of comparing rows."""
    first = rows[:, :SUMMED].astype(np.uint64)
    odd = np.random.default_rng(0).integers(1 << 64, size=first.shape[1], dtype=np.uint64)
    return len(np.unique(first @ odd)) == len(rows)


def _check(symbols: Symbols, counts: Counts, sizes: Counts) -> None:
    if counts.ndim != 2 or counts.shape[1] < 2:
        raise ParameterError(f"counts must be one row of at least two symbols per cohort, got shape {counts.shape}")
    if symbols.ndim not in (2, 3) or symbols.shape[1] != len(counts) or symbols.size == 0:
        raise ParameterError(f"symbols must be [S, {len(counts)}] or [S, {len(counts)}, h], got {symbols.shape}")
    if symbols.dtype.kind != "u" or int(symbols.max()) >= counts.shape[1]:
        raise ParameterError(f"symbols must be unsigned and below {counts.shape[1]}, got up to {symbols.max()}")
    if counts.min() < 0 or sizes.sum() == 0:
        raise ParameterError(f"counts must be 0 or more, of some people, got {counts.min()} or more of {sizes.sum()}")
