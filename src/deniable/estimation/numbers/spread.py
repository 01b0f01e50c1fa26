"""The variance of numbers, from their mean and from other people's squared distances to a place (numbers.md 1).

Var x = E (x-c)^2 - (E x - c)^2. Its bounds come from those of both means. A pair of means is ruled out if what speaks
against either, as a normal deviate of its own bound and 0 at least, adds up to too much, or if the first mean is ruled
out by itself. The bounds of the variance are those of the pairs that are left, so they hold wherever the bounds of both
means do. As the deviates count in proportion to the errors of the two terms, bounds of many people are hardly longer
than normal ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import scipy

from deniable.estimation.binomial import quantile
from deniable.estimation.numbers.mean import Mean

ALONE = 0.05
"""The share of the error at which the mean is ruled out by itself."""
STEPS = 12
"""At so many deviates from its estimate the mean is looked for."""
NEXT, FARTHEST = 0.05, 8.0
"""Normal deviates that are as good as none, and as never exceeded."""
WEIGHTS = [math.sin(angle) for angle in np.linspace(0.02, math.pi / 4, 24).tolist()]
"""Of the lesser deviate; the larger one's follows."""


@dataclass(frozen=True)
class NumberVariance:
    """The variance of numbers 0..``steps``: from their ``mean``, and ``squares`` of the distance to ``about``.

    Squares reach from 0 to the largest that there can be.
    """

    mean: Mean
    squares: Mean
    steps: float
    about: float

    @property
    def value(self) -> float:
        """The unbiased estimate: the error of the mean, squared, is taken off its square; nan of fewer than two."""
        away, error = self._away(self.mean.value), self.steps / 2 * self.mean.stderr
        return math.nan if self._too_few else self._square(self.squares.value) - (away**2 - error**2)

    @property
    def stderr(self) -> float:
        """The standard error of ``value``."""
        if self._too_few:
            return math.inf
        away, error = self._away(self.mean.value), self.steps / 2 * self.mean.stderr
        return math.sqrt((self._half_square * self.squares.stderr) ** 2 + 4 * away**2 * error**2 + 2 * error**4)

    @property
    def deviation(self) -> float:
        """The standard deviation; 0 where the variance is estimated below 0."""
        return math.sqrt(max(self.value, 0.0)) if math.isfinite(self.value) else math.nan

    def interval(self, level: float) -> tuple[float, float]:
        """Bounds on the variance, from 0 to that of numbers of which half are at either end."""
        most = (self.steps / 2) ** 2
        if self._too_few:
            return 0.0, most
        error = (1 - level) / 2
        limit, lows, highs = farthest(error * (1 - ALONE)), [], []
        for deviate in np.linspace(NEXT, quantile(error * ALONE), STEPS).tolist():
            ends = [self._away(end) for end in self.mean.interval(math.erf(deviate / math.sqrt(2)))]
            far, near = max(map(abs, ends)), 0.0 if ends[0] < 0 < ends[1] else min(map(abs, ends))
            lows += [low - far**2 for low, _ in self._squares_left(far, deviate, limit)]
            highs += [high - near**2 for _, high in self._squares_left(near, deviate, limit)]
        low = min(max(min(lows), 0.0), most)
        return low, max(min(max(highs), most), low)

    @property
    def _too_few(self) -> bool:
        return min(self.mean.n, self.squares.n) < 2

    @cached_property
    def _half_square(self) -> float:
        """Half of the largest square."""
        return max(self.about, self.steps - self.about) ** 2 / 2

    def _away(self, mean: float) -> float:
        """How far a mean on the scale from -1 to 1 is from ``about``."""
        return self.steps / 2 * (1 + mean) - self.about

    def _square(self, mean: float) -> float:
        return self._half_square * (1 + mean)

    def _squares_left(self, away: float, deviate: float, limit: float) -> list[tuple[float, float]]:
        """Bounds of the mean squares that a mean so far ``away``, at this deviate, leaves possible; or none.

        Weights are as errors would be if only extreme outputs had been possible: they must not depend on the counts.
        """
        of_mean = 2 * away * self.steps / 2 * self.mean.largest_stderr
        of_squares = self._half_square * self.squares.largest_stderr
        largest = (limit * math.hypot(of_mean, of_squares) - of_mean * deviate) / of_squares
        if largest <= 0:  # no deviate of the squares is left
            return []
        low, high = self.squares.interval(math.erf(min(largest, FARTHEST) / math.sqrt(2)))
        return [(self._square(low), self._square(high))]


@lru_cache(maxsize=64)
def farthest(error: float) -> float:
    """What the weighted sum of two normal deviates, 0 at least each, exceeds with a probability of ``error`` at most.

    Whatever the weights, whose squares add up to 1.

    >>> round(farthest(0.025), 3)
    2.026
    """
    return float(scipy.optimize.brentq(lambda limit: max(_exceeding(limit, w) for w in WEIGHTS) - error, 0.0, 40.0))


def _exceeding(limit: float, weight: float) -> float:
    """How often the sum exceeds the limit, if one of the deviates has this weight."""
    other = math.sqrt(1 - weight**2)
    end = limit / weight

    def both(first: float) -> float:
        return math.exp(-first * first / 2) * float(scipy.special.ndtr(-(limit - weight * first) / other))

    inside = scipy.integrate.quad(both, 0, end)[0] / math.sqrt(2 * math.pi)
    return float(scipy.special.ndtr(-end) + scipy.special.ndtr(-limit / other) / 2 + inside)
