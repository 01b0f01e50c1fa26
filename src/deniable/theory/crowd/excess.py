"""The mean excess of independent draws: a bound on E[(their sum)_+] that no rounding brings below the truth.

By a contour integral of the moment generating function M, cut into an even sum: with any c > 0 and period P

    E[(sum)_+] <= (1/P) sum over |k| <= J of Re[M(z)^n e^(h^2 z^2 / 2) / z^2] at z = c + 2 pi i k / P, plus the rest,

since smoothing by a normal law of deviation h only adds (Jensen) and what the even sum takes in besides is never
negative. h makes the last term e^-40 of the first. The rounding of each term is bounded, and added to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.arrays import Flags, Vector

FINE, ROUGH, COARSE = 8192, 2048, 128
"""Terms of the sum: for what is shown, to find where to look, and to see what is far off; all bounds are true."""
ULP = 2.0**-53
PERIODS = 20.0
"""Standard deviations of the sum in a period."""
LAST = 40.0
"""The logarithm of the first term over the last."""
HEAVIEST, UNSEEN = 8, 80.0
"""By so many values, or half of all, terms are shown to be below e^-UNSEEN, which is taken in their place."""
LARGEST_EXPONENT = 600.0


@dataclass(frozen=True, eq=False)
class Draws:
    """A draw takes each of these ``values`` with the chance beside it, and is 0 otherwise; ``n`` of them are added."""

    values: Vector
    chances: Vector
    n: int

    def mean_excess(self, terms: int = FINE) -> float:
        """A bound on E[(sum of n draws)_+] / n: that of the sum, or that of a single draw, which is never less."""
        alone = float(self.chances @ np.maximum(self.values, 0.0)) * (1 + 2 * ULP * (len(self.values) + 2))
        return alone if self.n == 1 or alone == 0 else min(alone, self.cap, self._by_terms(terms) / self.n)

    @cached_property
    def cap(self) -> float:
        """The bound of Chernoff: E[(sum)_+] <= M(c)^n / (e c), over n."""
        return _exp(self._log_moment) / (math.e * self.tilt * self.n) * (1 + self._slack)

    @cached_property
    def _reach(self) -> float:
        return float(np.abs(self.values).max())

    @cached_property
    def _deviation(self) -> float:
        mean = float(self.chances @ self.values)
        return math.sqrt(self.n * max(float(self.chances @ self.values**2) - mean**2, 1e-300))

    @cached_property
    def tilt(self) -> float:
        """About where n ln M(c) - 2 ln c is least: a root of c n M'(c) / M(c) = 2, which rises with c."""
        most = LARGEST_EXPONENT / self._reach
        low, high = 0.0, min(most, 1 / self._deviation)
        while high < most and self._slope(high) < 2:
            low, high = high, min(most, 2 * high)
        for _ in range(12):  # any c is right, this one good enough
            middle = (low + high) / 2
            low, high = (middle, high) if self._slope(middle) < 2 else (low, middle)
        return high

    def _slope(self, c: float) -> float:
        """The value of c n M'(c) / M(c), which is 2 at the tilt."""
        grown = self.chances * np.exp(c * self.values)
        moment = 1 + float(self.chances @ np.expm1(c * self.values))
        return c * self.n * float(grown @ self.values) / moment

    @cached_property
    def _moment(self) -> float:
        return 1 + float(self.chances @ np.expm1(self.tilt * self.values))

    @cached_property
    def _log_moment(self) -> float:
        return self.n * math.log1p(float(self.chances @ np.expm1(self.tilt * self.values)))

    @cached_property
    def _slack(self) -> float:
        """What M(c)^n may be off by, relatively."""
        a = self.tilt * self.values
        size = float(self.chances @ (np.abs(np.expm1(a)) + np.abs(a) * np.exp(a)))
        each = len(self.values) + 12 + 2 * self.tilt * self._reach
        return 2 * ULP * (self.n * each * size / self._moment + 400)

    def _by_terms(self, terms: int) -> float:
        """The even sum with the bound of its rounding, and what is beyond its last term."""
        c, period = self.tilt, PERIODS * self._deviation
        w: Vector = 2 * math.pi / period * np.arange(terms + 1, dtype=np.float64)
        smooth = 2 * LAST / float(w[-1]) ** 2  # h^2
        tilted = self.chances * np.exp(c * self.values) / self._moment
        seen = self._terms_that_count(tilted, w)
        weight = np.exp(-smooth * w**2 / 2) / (c**2 + w**2)
        added = weight * math.exp(-UNSEEN)
        w, weight = w[seen], weight[seen]
        real, imaginary = _shifted(tilted, self.values, w)
        logs = 0.5 * np.log1p(np.maximum(2 * real + real**2 + imaginary**2, -1 + ULP))
        power = np.exp(self.n * logs)
        phases = self.n * np.arctan2(imaginary, 1 + real) + smooth * c * w - 2 * np.arctan2(w, c)
        rounded = power * 2.0**-38 + self._rounding(tilted, w, np.exp(logs))
        added[seen] = weight * (power * np.cos(phases) + rounded)
        scale = _exp(self._log_moment + smooth * c**2 / 2)
        integral = float(2 * added.sum() - added[0]) / period
        tail = math.exp(-LAST) * period / (2 * math.pi**2 * terms)
        return math.inf if scale == math.inf else scale * (integral + tail) * (1 + self._slack)

    def _terms_that_count(self, tilted: Vector, w: Vector) -> Flags:
        """Which terms may count: the heaviest values show most powers to be below e^-UNSEEN."""
        few = min(HEAVIEST, len(tilted) // 2)
        if few < 2:
            return np.ones(len(w), np.bool_)
        heavy = np.argpartition(tilted, -few)[-few:]
        others = max(0.0, float(tilted.sum() - tilted[heavy].sum()))
        real, imaginary = _shifted(tilted[heavy], self.values[heavy], w)
        most = np.hypot(1 - others + real, imaginary) + others
        return np.asarray(self.n * np.log(most) > -UNSEEN - 1)

    def _rounding(self, tilted: Vector, w: Vector, size: Vector) -> Vector:
        """What the n-th power of M(z)/M(c) may be off by: its base is off by an error that grows with w."""
        grown = np.minimum(w * float(tilted @ np.abs(self.values)), 4.0)
        eta = (2 * len(self.values) + 40 + 2 * self.tilt * self._reach) * ULP * grown
        return np.asarray(self.n * eta * np.exp((self.n - 1) * np.log(size + eta)))


def _exp(exponent: float) -> float:
    """As a bound: infinite where a float ends."""
    return math.exp(exponent) if exponent < LARGEST_EXPONENT else math.inf


def _shifted(chances: Vector, values: Vector, w: Vector) -> tuple[Vector, Vector]:
    """The sum of chances times (e^(i w a) - 1), in two parts, by sines alone, so that small w a lose no digits."""
    real, imaginary = np.zeros(len(w)), np.zeros(len(w))
    for chance, value in zip(chances.tolist(), values.tolist(), strict=True):
        half = w * (value / 2)
        sine = np.sin(half)
        real -= 2 * chance * sine * sine
        imaginary += 2 * chance * sine * np.cos(half)
    return real, imaginary
