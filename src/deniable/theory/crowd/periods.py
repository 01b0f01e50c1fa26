"""Several periods, each with a crowd of its own: the curve of one is a pair of laws, which is then convolved.

Certified points of delta against t = e^eps lie above a convex curve, so their lower hull does too. A convex curve that
falls from 1 at t = 0 is the curve of a pair of laws P and Q on losses i s: its slope grows by Q's mass at each
t = e^(i s), P has t times as much there, and what is left at the last point is P's mass at infinity. Pairs of periods
multiply, whatever is chosen in between: losses add up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deniable.arrays import Vector
from deniable.theory.crowd.curves import Curve
from deniable.theory.crowd.excess import ULP
from deniable.theory.crowd.solving import least_level

GRAIN = 24
"""Steps of the losses in the level of one period."""
SPARE = 1000
"""Points go on until a period's delta is one of so many parts of what each may have."""
FINEST = 1e-12
"""The least level in which losses are counted."""
FAINT_MASS = 1e-16
"""Tails of this mass are moved: losses up to the least that is kept, or to infinity."""


class _Losses(NamedTuple):
    """The chances, under P, of a loss ln(P/Q) of ``first``, ``first`` + 1, ... steps, and of an infinite one."""

    masses: Vector
    first: int
    infinite: float

    def beside(self, other: _Losses) -> _Losses:
        """Losses of two periods together."""
        infinite = self.infinite + other.infinite
        masses = np.convolve(self.masses, other.masses) * (1 + 4 * ULP * min(len(self.masses), len(other.masses)))
        return _Losses(masses, self.first + other.first, infinite).trimmed()

    def trimmed(self) -> _Losses:
        """Without faint tails, which are moved to larger losses."""
        low = max(0, int(np.searchsorted(np.cumsum(self.masses), FAINT_MASS)))
        above = np.cumsum(self.masses[::-1])
        high = len(self.masses) - int(np.searchsorted(above, FAINT_MASS))
        kept = self.masses[low:high].copy()
        kept[0] += self.masses[:low].sum()
        return _Losses(kept, self.first + low, self.infinite + float(self.masses[high:].sum()))


@dataclass(frozen=True, eq=False)
class PeriodsCurve(Curve):
    """So many ``periods`` of the crowd of ``one``, in steps that suit levels whose delta is about ``wanted``."""

    one: Curve
    periods: int
    wanted: float

    @property
    def most(self) -> float:
        """What each report promises, as often as one is sent."""
        return self.one.most * self.periods

    @property
    def guess(self) -> float:
        return self.one.guess * math.sqrt(self.periods)

    @cached_property
    def _step(self) -> float:
        return max(least_level(self.one, self.wanted), self.one.guess, FINEST) / GRAIN

    @cached_property
    def _losses(self) -> _Losses:
        """The pair of all periods, by squaring that of one."""
        power, total, periods_left = self._of_one(), None, self.periods
        while True:
            if periods_left % 2:
                total = power if total is None else total.beside(power)
            periods_left //= 2
            if total is not None and not periods_left:
                return total
            power = power.beside(power)

    def _of_one(self) -> _Losses:
        """The pair of one period, on both sides of a loss of 0."""
        deltas = self._points()
        steps = np.arange(1 - len(deltas), len(deltas))
        t = np.exp(steps * self._step)
        mirrored = np.array(deltas[::-1])  # below 1 the answers change places
        height = np.concatenate([1 - t[: len(deltas) - 1] * (1 - mirrored[:-1]), deltas])
        places = _lower_hull(np.concatenate([[0.0], t]), np.concatenate([[1.0], height]))
        x, y = np.concatenate([[0.0], t])[places], np.concatenate([[1.0], height])[places]
        slopes = np.concatenate([np.diff(y) / np.diff(x), [0.0]])
        masses = np.zeros(len(t))
        masses[places[1:] - 1] = np.maximum(np.diff(slopes), 0.0) * x[1:]
        lacking = max(0.0, 1 - float(masses.sum()))  # rounding, and what is left at the last point
        return _Losses(masses, int(steps[0]), max(float(y[-1]), lacking) + 10 * FAINT_MASS).trimmed()

    def _points(self) -> list[float]:
        """Certified deltas at every step from a loss of 0 on."""
        found, enough = [self.one.delta(0.0)], self.wanted / (SPARE * self.periods)
        while found[-1] > enough:
            level = len(found) * self._step
            found.append(min(found[-1], 0.0 if level >= self.one.most else self.one.delta(level)))
        return found

    def delta(self, level: float) -> float:
        masses, first, infinite = self._losses
        losses = (first + np.arange(len(masses))) * self._step
        gained = np.maximum(-np.expm1(np.minimum(level - losses, 0.0)), 0.0)
        return min(1.0, (infinite + float(masses @ gained)) * (1 + 1e-12))


def _lower_hull(x: Vector, y: Vector) -> Vector:
    """The places of the points on the lower hull, from the left to the right."""
    kept: list[int] = []
    for place in range(len(x)):
        while len(kept) > 1 and _is_above(x, y, kept[-2], kept[-1], place):
            kept.pop()
        kept.append(place)
    return np.array(kept)


def _is_above(x: Vector, y: Vector, left: int, middle: int, right: int) -> bool:
    """Whether the middle point is not below the line between the others."""
    line = (y[middle] - y[left]) * (x[right] - x[left]) - (y[right] - y[left]) * (x[middle] - x[left])
    return bool(line >= 0)
