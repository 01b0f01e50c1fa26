"""One yes-or-no question asked of everybody: certified by counting the coins, as the blanket is loose there.

Of n - 1 others k hold yes and m hold no. The number h of yes among their reports is Bin(k, p) + Bin(m, 1 - p), with
p = E/(E + 1), and delta of the two answers of one more person at t = e^eps is

    D(k, m) = sum over h of (a f(h - 1) - b f(h))_+,    a = p - t (1 - p),    b = t p - 1 + p.

More people are post-processing, so that D falls in k and in m: the corners (k_j, n - 1 - k_(j+1)) of a few hundred
steps are no better hidden than any crowd in between.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.theory.crowd.curves import Curve, below_exp
from deniable.theory.crowd.excess import ULP

STEPS = 200
"""Corners, between which levels are .3% too large at most where the crowd is of a thousand or more."""
FEW = 8
"""One corner of so many is enough to find where to look."""
MOST_PEOPLE = 1 << 21
"""The largest crowd whose coins are counted; a larger one hides at least as well."""
CUT = 60.0
"""Of each sum of coins no more than 2 e^-CUT is cut off."""


@dataclass(frozen=True)
class YesNoCurve(Curve):
    """The bound for answers told by one coin with these odds, in a crowd of ``people``."""

    odds: Fraction
    people: int

    @property
    def most(self) -> float:
        return math.log(self.odds) * (1 + 4 * ULP)

    @property
    def guess(self) -> float:
        ratio = float(self.odds)
        return (ratio - 1) / math.sqrt(ratio * self.people)

    @cached_property
    def _corners(self) -> list[tuple[int, int]]:
        """How many of the others hold each answer, at least."""
        others = min(self.people, MOST_PEOPLE) - 1
        if others < STEPS:
            return [(k, others - k) for k in range(others + 1)]
        ends = [others * j // STEPS for j in range(STEPS + 1)]
        return [(low, others - high) for low, high in pairwise(ends)]

    @cached_property
    def _all_corners(self) -> _Table:
        return _Table.of([_two_kinds(k, m, self.odds) for k, m in self._corners])

    @cached_property
    def _few_corners(self) -> _Table:
        return _Table.of([_two_kinds(k, m, self.odds) for k, m in self._corners[::FEW]])

    def delta(self, level: float) -> float:
        return self._largest(below_exp(level), few=False)

    def rough(self, level: float) -> float:
        """Of some of the corners: hardly less than the certified one."""
        return self._largest(below_exp(level), few=True)

    def _largest(self, t: float, few: bool) -> float:
        """The largest D of all corners, or of a ``few``, with all that sums and cuts may be off by."""
        p, q = float(self.odds / (self.odds + 1)), float(1 / (self.odds + 1))
        a, b = p - t * q, t * p - q
        if a <= 0:
            return 0.0
        table, errors, relative = self._few_corners if few else self._all_corners
        rounding = 8 * ULP * (1 + t)
        upper_a, lower_b = a * (1 + relative) + rounding, b * (1 - relative) - rounding
        gained = table[:, :-1] * upper_a - table[:, 1:] * lower_b + (errors * (a + b))[:, None]
        return min(1.0, float(np.maximum(gained, 0.0).sum(axis=1).max()) * (1 + 1e-12) + 8 * math.exp(-CUT) * (1 + t))


class _Table(NamedTuple):
    """For each corner, a row of the chances f of every number of yes, with a 0 on both sides, and their absolute error.

    ``relative`` is the largest relative error of all.
    """

    chances: Matrix
    errors: Vector
    relative: float

    @classmethod
    def of(cls, rows: Sequence[_YesChances]) -> _Table:
        """The table of these corners."""
        table = np.zeros((len(rows), 2 + max(len(each.chances) for each in rows)))
        for row, each in zip(table, rows, strict=True):
            row[1 : 1 + len(each.chances)] = each.chances
        return cls(table, np.array([each.error for each in rows]), max(each.relative for each in rows))


@dataclass(frozen=True, slots=True)
class _YesChances:
    """The chances of a number of yes, with a bound on what each is off by, relatively and besides."""

    chances: Vector
    relative: float
    error: float


def _two_kinds(k: int, m: int, odds: Fraction) -> _YesChances:
    """Of ``k`` coins that fall on yes with these odds, and ``m`` that fall on no."""
    one, other = _binomial(k, odds), _binomial(m, 1 / odds)
    relative = 4 * ULP * (len(one) + len(other) + 8)
    if min(len(one), len(other)) == 1:
        return _YesChances(np.convolve(one, other), relative, 0.0)
    size = 1 << (len(one) + len(other) - 2).bit_length()
    joint = np.fft.irfft(np.fft.rfft(one, size) * np.fft.rfft(other, size), size)[: len(one) + len(other) - 1]
    norms = float(np.linalg.norm(one) * np.linalg.norm(other))
    return _YesChances(np.maximum(joint, 0.0), relative, 16 * math.log2(size) * ULP * norms)


def _binomial(trials: int, odds: Fraction) -> Vector:
    """The chances of so many successes of these odds, where no more than 2 e^-CUT is left out (Bernstein).

    From the likeliest number on each is its neighbour times an exact ratio, so that the relative error grows by three
    roundings with each step.
    """
    chance = float(odds / (odds + 1))
    mean, variance = trials * chance, trials * chance * (1 - chance)
    reach = CUT / 3 + math.sqrt(CUT**2 / 9 + 2 * CUT * variance)
    low, high = max(0, math.floor(mean - reach)), min(trials, math.ceil(mean + reach))
    top = min(high, max(low, math.floor((trials + 1) * chance)))
    up, down = np.arange(top, high, dtype=np.float64), np.arange(top, low, -1, dtype=np.float64)
    above = np.cumprod((trials - up) / (up + 1) * float(odds))
    below = np.cumprod(down / (trials - down + 1) / float(odds))
    found = np.concatenate([below[::-1], [1.0], above])
    return np.asarray(found / found.sum())
