"""A mean from counts of what was reported at each level of thresholds (numbers.md 1).

Everything is on the scale u from -1 to 1; who asks converts to units. Levels are public and uniform, so that the mean
over levels, each by its own people, is unbiased, and what thresholds tell of themselves is no noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
import scipy

from deniable.arrays import Counts, Matrix, Vector
from deniable.estimation.binomial import quantile
from deniable.estimation.weighted import WeightedEvidence
from deniable.protocol.errors import ParameterError

FEW = 20
"""Levels with fewer people are merged with their neighbours."""


class Mean(Protocol):
    """A mean on the scale from -1 to 1, however people count."""

    @property
    def n(self) -> int:
        """How many people reported."""

    @property
    def value(self) -> float:
        """The unbiased estimate, which may lie outside -1..1."""

    @property
    def stderr(self) -> float:
        """Its standard error."""

    @property
    def largest_stderr(self) -> float:
        """The largest standard error that it could have for so many people, whatever they report."""

    @property
    def least_variance(self) -> float:
        """What its variance is at least, for the people who reported themselves."""

    def interval(self, level: float) -> tuple[float, float]:
        """Bounds within -1..1."""


@dataclass(frozen=True, eq=False)
class MeanEvidence:
    """A mean from ``counts`` [L, J] of J outputs at each of L levels of thresholds; ``values`` [J] are what they count.

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
        """The estimate's standard error: of fewer than 20 people as if only extreme outputs had been possible."""
        if self.n < 2:
            return math.inf
        if self.n < FEW:
            return float(np.abs(self.values).max()) / math.sqrt(self.n)
        people = self._strata.sum(axis=1)
        variances = self._strata @ self.values**2 / people - self._means**2
        return math.sqrt(float(self._shares**2 @ (np.maximum(variances, 0) / (people - 1))))

    @property
    def largest_stderr(self) -> float:
        """The largest standard error of a mean of so many people."""
        return float(np.abs(self.values).max()) / math.sqrt(self.n)

    @property
    def least_variance(self) -> float:
        """What its variance is at least, for the people who reported themselves."""
        return max(float(np.abs(self.values).min()) ** 2 - 1, 0.0) / max(self.n, 1)

    def interval(self, level: float) -> tuple[float, float]:
        """Bounds within -1..1 that hold at about this level, for few people mostly more often.

        Student's, as if a few people more, z^2/4 of them, had reported either extreme output (one each at 95%): so of
        few people, or where no report happens to be far out, the error is not taken for too small. Of two outputs it is
        nearly the interval of Agresti and Coull (1998). Tests say how often it holds, from 3 people to 2,000.
        """
        if self.n == 0:
            return -1.0, 1.0
        tail = (1 - level) / 2
        ends = np.array([self.values.min(), self.values.max()])
        added = quantile(tail) ** 2 / 4 * self._shares
        people = self._strata.sum(axis=1) + 2 * added
        means, squares = (
            (self._strata @ self.values**power + added * (ends**power).sum()) / people for power in (1, 2)
        )
        error = math.sqrt(float(self._shares**2 @ ((squares - means**2) / (people - 1))))
        reach = -float(scipy.special.stdtrit(max(self.n - len(people), 1), tail)) * error
        middle = float(self._shares @ means)
        return float(np.clip(middle - reach, -1, 1)), float(np.clip(middle + reach, -1, 1))

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


@dataclass(frozen=True, eq=False)
class WeightedMean:
    """A mean of people of whom each counts by a weight: ``evidence`` of one row, what each report is worth."""

    evidence: WeightedEvidence

    @property
    def n(self) -> int:
        """How many people reported."""
        return self.evidence.n

    @property
    def value(self) -> float:
        """The weighted mean."""
        return float(self.evidence.unbiased()[0])

    @property
    def stderr(self) -> float:
        """By linearization."""
        return float(self.evidence.stderr()[0])

    @property
    def largest_stderr(self) -> float:
        """As if only extreme outputs had been possible."""
        return float(np.abs(self.evidence.worth).max()) / math.sqrt(self.evidence.alike)

    @property
    def least_variance(self) -> float:
        """Nothing is said of it: errors are about everybody."""
        return 0.0

    def interval(self, level: float) -> tuple[float, float]:
        """Bounds within -1..1: as those of a tally, by Student's t and a few people more at either extreme."""
        plain, tail = self.evidence, (1 - level) / 2
        of_one, ends = plain.weights.sum() / plain.alike, [int(plain.worth.argmin()), int(plain.worth.argmax())]
        weights, squares = plain.weights.copy(), plain.squares.copy()
        weights[ends] += quantile(tail) ** 2 / 4 * of_one
        squares[ends] += quantile(tail) ** 2 / 4 * of_one**2
        wider = replace(plain, weights=weights, squares=squares, drawn=None)
        of_clusters = 1.0 if plain.drawn is None else self.stderr / float(replace(plain, drawn=None).stderr()[0])
        reach = -float(scipy.special.stdtrit(plain.freedom, tail)) * float(wider.stderr()[0]) * of_clusters
        middle = float(wider.unbiased()[0])
        return float(np.clip(middle - reach, -1, 1)), float(np.clip(middle + reach, -1, 1))
