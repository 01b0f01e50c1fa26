"""Curves of certified pairs: for every level an upper bound on delta, in a crowd of so many people."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.theory.crowd.blanket import Blanket
from deniable.theory.crowd.excess import COARSE, FINE, LARGEST_EXPONENT, ROUGH, ULP

NEARLY = 1.002
"""By how much a delta may be beyond the largest for the sake of speed: less than 1e-4 of the level."""


def below_exp(level: float) -> float:
    """A float that is surely at most e^level, by which delta only grows."""
    return math.exp(level) * (1 - 4 * ULP)


class Curve(ABC):
    """An upper bound on delta as a function of the level; it falls as the level grows."""

    @property
    @abstractmethod
    def most(self) -> float:
        """A level that is kept with a delta of 0, by what each report promises."""

    @abstractmethod
    def delta(self, level: float) -> float:
        """A certified delta at a level."""

    def rough(self, level: float) -> float:
        """About ``delta``, quicker: to find where to look. It certifies nothing."""
        return self.delta(level)

    @property
    @abstractmethod
    def guess(self) -> float:
        """The scale of levels: the deviation of what a report adds to the mean odds of the others."""

    def delta_within(self, level: float, wanted: float) -> bool:
        """Whether delta is shown to be at most ``wanted``."""
        return level >= self.most or self.delta(level) <= wanted


@dataclass(frozen=True)
class BlanketCurve(Curve):
    """By the blankets of all pairs of answers, of which the largest bound counts."""

    pairs: Sequence[Blanket]
    people: int

    @cached_property
    def most(self) -> float:
        """By the largest odds of all pairs."""
        return math.log(max(pair.odds for pair in self.pairs)) * (1 + 4 * ULP)

    @property
    def guess(self) -> float:
        return math.sqrt(self._widest.spread / self.people)

    @cached_property
    def _widest(self) -> Blanket:
        """The pair at which to look first."""
        return max(self.pairs, key=lambda pair: pair.spread)

    def delta(self, level: float) -> float:
        t = below_exp(level)
        found = self._widest.delta(t, self.people)
        if len(self.pairs) > 1:
            for place in np.flatnonzero(self._caps(t) > found).tolist():
                found = max(found, self._unless_below(found, self.pairs[place], t))
        return found

    def _unless_below(self, largest: float, pair: Blanket, t: float) -> float:
        """A bound for one pair, by no more terms than show that it is hardly above the ``largest`` so far."""
        bound = math.inf
        for terms in (COARSE, ROUGH, FINE):
            if bound > largest * NEARLY:
                bound = pair.delta(t, self.people, terms)
        return bound

    def rough(self, level: float) -> float:
        return self._widest.delta(below_exp(level), self.people, ROUGH)

    def _caps(self, t: float) -> Vector:
        """A quick bound for each pair, which shows that most are not the worst: Chernoff's, at the tilt of one."""
        u, v, mass = self._atoms
        tilt = self._widest.draws(t, self.people).tilt
        values = np.minimum(u - t * v, LARGEST_EXPONENT / tilt)
        logs = self.people * np.log1p((mass * np.expm1(tilt * values)).sum(axis=1))
        rounded = 1 + 2 * ULP * self.people * (len(mass[0]) + 12) * (1 + tilt * np.abs(values).max(axis=1)) ** 2
        caps = np.exp(np.minimum(logs, LARGEST_EXPONENT)) * rounded / (math.e * tilt * self.people)
        return np.where((u - t * v).max(axis=1) <= 0, 0.0, caps) + self._widest.rounded(t)

    @cached_property
    def _atoms(self) -> tuple[Matrix, Matrix, Matrix]:
        """The atoms of all pairs, each row filled up with empty ones."""
        longest = max(len(pair.u) for pair in self.pairs)
        u, v, mass = (
            np.array([np.pad(getattr(pair, name), (0, longest - len(pair.u))) for pair in self.pairs])
            for name in ("u", "v", "mass")
        )
        return u, v, mass
