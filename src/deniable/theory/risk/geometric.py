"""Two-sided geometric noise that is clamped at both ends: channel, inverse and errors, a few operations per label.

From x the report y has probability (1-a)/(1+a) a^|x-y|, and at the two ends, where all beyond lands, a^|x-y|/(1+a).
With e_y = count share (1+a)/(1-a), at the ends (1+a), the geometric decay is undone by its neighbours alone:

    p_x = ((1+a^2) e_x - a (e_(x-1) + e_(x+1))) / (1-a^2),    at an end (e_0 - a e_1) / (1-a^2),

since 1/(1-a^2) of the matrix with these three diagonals inverts a^|x-y|. Derived for this library; so is what follows
for the mean: f(y) = y, with f = -a/(1-a) at the low end and as far beyond the high one, is unbiased, and its variance

    a/(1-a)^2 (2 - (a^x + a^(d-1-x))/(1+a))

is the least that any unbiased estimate can have under this guarantee.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Matrix, Vector
from deniable.kernels.arithmetic import decayed
from deniable.theory.risk import information

Number = TypeVar("Number", np.int64, np.float64)
DENSE = 1024
"""Up to so many labels the information is summed over all pairs, which loses no digit at small levels."""


class ClampedNoise(NamedTuple):
    """The noise on ``labels`` values: it decays by the factor ``ratio`` per unit, and ``gap`` is 1 - ratio.

    >>> noise = ClampedNoise(6, math.exp(-1), -math.expm1(-1))
    >>> noise.mean_variances.round(6).tolist()
    [1.163746, 1.581412, 1.716748, 1.716748, 1.581412, 1.163746]
    """

    labels: int
    ratio: float
    gap: float

    @classmethod
    def exact(cls, labels: int, ratio: Fraction) -> Self:
        """From the exact factor, so that the gap keeps its digits."""
        return cls(labels, float(ratio), float(1 - ratio))

    def _at_ends(self, inside: float, ends: float) -> Vector:
        found = np.full(self.labels, inside)
        found[[0, -1]] = ends
        return found

    @property
    def reach(self) -> Vector:
        """The probability of each report from its own value, at an end as if the value were the end itself."""
        return self._at_ends(self.gap / (1 + self.ratio), 1 / (1 + self.ratio))

    def decay(self, values: Vector) -> Vector:
        """The sums of a^|x-y| values_y."""
        return decayed(np.ascontiguousarray(values, np.float64), self.ratio)

    def mass(self, p: Vector) -> Vector:
        """The probability of each report, where values are distributed like ``p``."""
        return self.reach * self.decay(p)

    def collect(self, weights: Vector) -> Vector:
        """The mean of weights, one for each report, from each value."""
        return self.decay(self.reach * weights)

    def row(self, value: int) -> Vector:
        """The probability of each report from one value."""
        return np.asarray(self.reach * self.ratio ** np.abs(np.arange(self.labels) - value))

    @property
    def added(self) -> Vector:
        """What a report adds to n times the estimate of the value that it names."""
        return self._at_ends(1 + 2 * self.ratio / self.gap**2, 1 / self.gap)

    @property
    def taken_off(self) -> Vector:
        """What a report takes off n times the estimate of each neighbour of the value that it names."""
        return self._at_ends(self.ratio / self.gap**2, self.ratio / self.gap)

    def inverted(self, counts: Counts) -> Vector:
        """The estimates times n, from differences of whole numbers, since large terms would lose digits."""
        taken_off = self.taken_off
        found = np.zeros(self.labels)
        found[:-1] += taken_off[1:] * (counts[:-1] - counts[1:])
        found[1:] += taken_off[:-1] * (counts[1:] - counts[:-1])
        return np.asarray(found + self._own_rest * counts)

    @property
    def _own_rest(self) -> Vector:
        """What the own count adds beside the two differences: 1, unless a neighbour is an end."""
        rest = self.added - neighbours(self.taken_off)
        rest[2:-2] = 1
        return rest

    def squared(self, shares: Vector) -> Vector:
        """The mean square of what a report adds to each estimate, where reports are distributed like ``shares``."""
        return self.added**2 * shares + neighbours(self.taken_off**2 * shares)

    def squares_collected(self, weights: Vector) -> Vector:
        """The transpose of ``squared``."""
        return self.added**2 * weights + self.taken_off**2 * neighbours(weights)

    @property
    def inverse(self) -> Matrix:
        """The estimator as a matrix [labels, reports]."""
        taken_off = self.taken_off
        return np.diag(self.added) - np.diag(taken_off[1:], 1) - np.diag(taken_off[:-1], -1)

    @property
    def mean_scores(self) -> Vector:
        """What each report counts in the estimate of the mean, in units above the lowest value."""
        beyond = self.ratio / self.gap
        scores = np.arange(self.labels, dtype=np.float64)
        scores[[0, -1]] = -beyond, self.labels - 1 + beyond
        return scores

    @property
    def mean_variances(self) -> Vector:
        """The variance of the score of one report from each value."""
        places = np.arange(self.labels)
        lost = (self.ratio**places + self.ratio ** places[::-1]) / (1 + self.ratio)
        return np.asarray(self.ratio / self.gap**2 * (2 - lost))

    def information(self) -> float:
        """The mutual information in nats of a uniform value and its report."""
        level = -math.log1p(-self.gap) if self.gap < self.ratio else -math.log(self.ratio)
        return self._information_of_pairs(level) if self.labels <= DENSE else self._information_of_sums(level)

    def _information_of_pairs(self, level: float) -> float:
        """``information`` from every pair of labels; the noise decays by e^-``level`` per unit."""
        places = np.arange(self.labels)
        excess = np.expm1(-level * np.abs(places[:, None] - places))
        mean = excess.mean(axis=0)
        surprises = information.surprise((excess - mean) / (1 + mean)).mean(axis=0)
        return float((self.reach * (1 + mean)) @ surprises)

    def _information_of_sums(self, level: float) -> float:
        """Of a report from x the log ratio to its mean probability is -level |x-y| - ln (the mean of a^|x-y|)."""
        mean = self.decay(np.full(self.labels, 1 / self.labels))
        places, powers = np.arange(self.labels), self.ratio ** np.arange(self.labels)
        one_side = np.cumsum(places * powers)  # the sum of k a^k on one side of a report
        distance = (one_side + one_side[::-1]) / self.labels
        return float(self.reach @ (-level * distance - mean * np.log(mean)))


def neighbours(values: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """The sum of both neighbours' values of each label.

    >>> neighbours(np.array([1, 2, 4])).tolist()
    [2, 5, 2]
    """
    beside: npt.NDArray[Number] = np.pad(values, 1)
    return beside[:-2] + beside[2:]
