"""A mean, and the spread about it, from counts of what was reported at each level of thresholds (numbers.md 1).

Everything is on the scale u from -1 to 1; who asks converts to units. Levels are public and uniform, so that the mean
over levels, each by its own people, is unbiased, and what thresholds tell of themselves is no noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy
from scipy import special

from deniable.arrays import Counts, Matrix, Vector
from deniable.errors import ParameterError
from deniable.estimation.binomial import clopper_pearson, quantile

FEW = 20
"""Levels with fewer people are merged with their neighbours."""
MANY = 500
"""From so many people on intervals are normal."""
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class MeanEvidence:
    """``counts`` [L, J] of the outputs at each level, what outputs are worth ``values`` [J].

    >>> threshold = MeanEvidence(np.array([[6, 24], [7, 13], [15, 10], [19, 6]]), np.array([-2.0, 2.0]))
    >>> round(threshold.value, 6), round(threshold.stderr, 6)
    (0.09, 0.187326)
    """

    counts: Counts
    values: Vector

    def __post_init__(self) -> None:
        if self.counts.ndim != 2 or self.counts.shape[1] != len(self.values):
            raise ParameterError(f"counts must be rows of {len(self.values)} outputs, got shape {self.counts.shape}")

    @property
    def n(self) -> int:
        """How many people reported."""
        return int(self.counts.sum())

    @property
    def value(self) -> float:
        """The unbiased estimate, which may lie outside -1..1; nan if nobody reported."""
        return math.nan if self.n == 0 else float(self._shares @ self._means)

    @property
    def stderr(self) -> float:
        """Its standard error: of fewer than 20 people at most, as if only extreme outputs had been possible."""
        if self.n < 2:
            return math.inf
        if self.n < FEW:
            return float(np.abs(self.values).max()) / math.sqrt(self.n)
        people = self._strata.sum(axis=1)
        variances = self._strata @ self.values**2 / people - self._means**2
        return math.sqrt(float(self._shares**2 @ (np.maximum(variances, 0) / (people - 1))))

    def interval(self, level: float) -> tuple[float, float]:
        """Bounds that hold at this level, within -1..1: for fewer than 500 people at least so often, whoever they are.

        Two outputs have binomial counts; the mean of more of them obeys Hoeffding's (1963) bound. Both hold for people
        who are fixed (Hoeffding 1956), too.
        """
        if self.n == 0:
            return -1.0, 1.0
        if self.n >= MANY:
            reach = quantile((1 - level) / 2) * self.stderr
            low, high = self.value - reach, self.value + reach
        else:
            low, high = self._exact(1 - level)
        return float(np.clip(low, -1, 1)), float(np.clip(high, -1, 1))

    def _exact(self, alpha: float) -> tuple[float, float]:
        least, most = float(self.values.min()), float(self.values.max())
        if len(self.values) == 2:
            above = self.counts[:, int(np.argmax(self.values))].sum(keepdims=True)
            ends = clopper_pearson(above, self.n, alpha)[0]
        else:
            total = float(self.counts.sum(axis=0) @ self.values)
            share = min(max((total / self.n - least) / (most - least), 0.0), 1.0)
            room = math.log(2 / alpha) / self.n
            ends = np.array([_least(share, room), 1 - _least(1 - share, room)])
        low, high = (least + (most - least) * ends).tolist()
        return low, high

    @cached_property
    def _merged(self) -> tuple[Matrix, Vector]:
        """Neighbouring levels merged in pairs until each has people enough, and the part of the levels in each."""
        strata, sizes = self.counts, np.ones(len(self.counts))
        while len(strata) > 1 and strata.sum(axis=1).min() < FEW:
            firsts = np.arange(0, len(strata), 2)
            strata, sizes = np.add.reduceat(strata, firsts), np.add.reduceat(sizes, firsts)
        return strata.astype(np.float64), sizes / sizes.sum()

    @property
    def _strata(self) -> Matrix:
        return self._merged[0]

    @property
    def _shares(self) -> Vector:
        return self._merged[1]

    @property
    def _means(self) -> Vector:
        return np.asarray(self._strata @ self.values / self._strata.sum(axis=1), np.float64)


class Spread(NamedTuple):
    """An estimate of the variance of people's numbers, and its standard error."""

    value: float
    stderr: float

    def interval(self, level: float) -> tuple[float, float]:
        """Normal bounds on the variance, at least 0."""
        if not math.isfinite(self.stderr):
            return 0.0, math.inf
        reach = quantile((1 - level) / 2) * self.stderr
        return max(self.value - reach, 0.0), max(self.value + reach, 0.0)

    @property
    def deviation(self) -> float:
        """The standard deviation; 0 where the variance is estimated below 0."""
        return math.sqrt(max(self.value, 0.0)) if math.isfinite(self.value) else math.nan


def spread(mean: MeanEvidence, squares: MeanEvidence, steps: float, about: float) -> Spread:
    """The variance of numbers 0..steps from their mean, and from other people's squared distances to ``about``.

    Var x = E (x-c)^2 - (E x - c)^2. Squares reach from 0 to the largest that there can be; of the second term the
    estimate's own variance is taken off, so that the difference is unbiased.
    """
    if min(mean.n, squares.n) < 2:
        return Spread(math.nan, math.inf)
    far, half = max(about, steps - about) ** 2 / 2, steps / 2
    away, error = half * (1 + mean.value) - about, half * mean.stderr
    value = far * (1 + squares.value) - (away**2 - error**2)
    return Spread(value, math.sqrt((far * squares.stderr) ** 2 + 4 * away**2 * error**2 + 2 * error**4))


def _least(share: float, room: float) -> float:
    """The least mean of n numbers in 0..1 that the divergence of their ``share`` from it allows: ``room`` at most."""

    def excess(q: float) -> float:
        return float(special.rel_entr(share, q) + special.rel_entr(1 - share, 1 - q)) - room

    if share <= 0 or excess(TINY) <= 0:
        return 0.0
    return float(scipy.optimize.brentq(excess, TINY, share))
