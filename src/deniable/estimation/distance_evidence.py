"""Evidence of reports near the values they come from: an estimate takes its own count and its two neighbours'."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from deniable.arrays import Counts, Matrix, Vector
from deniable.estimation.binomial import clopper_pearson
from deniable.estimation.intervals import Worth, bentkus, mean_worths
from deniable.theory.risk.geometric import ClampedNoise, neighbours
from deniable.theory.risk.variance import Target

LEAN = 0.9
"""The part of an interval's error that is spent on how many of the nearby reports name the label itself."""


@dataclass(frozen=True, slots=True, eq=False)
class DistanceEvidence:
    """A histogram of reports under clamped two-sided geometric noise, of at least four labels.

    >>> evidence = DistanceEvidence(100, np.array([50, 20, 20, 10]), ClampedNoise(4, 0.5, 0.5))
    >>> evidence.unbiased().round(9).tolist()
    [0.6, 0.1, 0.5, -0.2]
    """

    n: int
    counts: Counts
    noise: ClampedNoise

    def unbiased(self) -> Vector:
        """The own count less those of the neighbours, each times its weight."""
        return self.noise.inverted(self.counts) / self.n

    def stderr(self, target: Target = "population") -> Vector:
        """The standard error from the mean square of what a report adds, minus p^2, or theta for the sample."""
        p = np.clip(self.unbiased(), 0, 1)
        square = self.noise.squared(self.counts / self.n)
        return np.asarray(np.sqrt(np.maximum(square - (p * p if target == "population" else p), 0) / self.n))

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Population: see ``mean_worths``; of few, exact bounds.

        These are of the part of nearby reports that name the label, and of all that are nearby.

        Sample: the people are fixed, and counts are sums of unlike coins. The own count and the neighbours' are each
        bounded as in Bentkus (2004), theorem 1.2; their errors add.
        """
        return self._of_people(alpha) if target == "sample" else self._of_population(alpha)

    def _of_population(self, alpha: float) -> Matrix:
        """By the score of the three values that a report may add to a label.

        Beside an end there is a fourth, for the end takes less than the other neighbour. Taken for as much, its reports
        make the variance somewhat too large, which is safe: of a fixed mean it is smaller by
        (taken - light)(own + light) for each.
        """
        bounds, near, found = self._of_few(alpha), self.counts + neighbours(self.counts), self.unbiased()
        last = self.noise.labels - 1
        for places in (np.array([0, last]), np.array([1, last - 1]), np.arange(2, last - 1)):
            if len(places):
                worth = Worth(float(self.noise.own[places[0]]), -float(self._taken[places[0]]), 0.0)
                scored, many = mean_worths(worth, found[places], near[places], self.n, alpha)
                bounds[places[many]] = scored[many]
        return bounds

    def _of_few(self, alpha: float) -> Matrix:
        """Given how many reports are near, the mean of what they add is bounded; at most 0.9 alpha + 0.1 alpha miss."""
        near = self.counts + neighbours(self.counts)
        lean = self._lean(near, LEAN * alpha)
        inside = clopper_pearson(near, self.n, (1 - LEAN) * alpha)
        low = lean[:, 0] * np.where(lean[:, 0] < 0, inside[:, 1], inside[:, 0])
        high = lean[:, 1] * np.where(lean[:, 1] < 0, inside[:, 0], inside[:, 1])
        return np.stack([low, high], axis=1)

    def _lean(self, near: Counts, alpha: float) -> Matrix:
        """Bounds on what a nearby report adds in the mean: the own weight, or less a neighbour's."""
        own, taken = self.noise.own[:, None], self._taken[:, None]
        share = clopper_pearson(self.counts, near, alpha)
        for label in self._three_valued:
            worth = self._taken[label] / (self.noise.own[label] + self._taken[label])
            more = int(self.counts[label]) + self._light(label) * worth
            share[label] = bentkus(np.array([more]), int(near[label]), alpha)[0]
        return np.asarray(share * (own + taken) - taken)

    def _of_people(self, alpha: float) -> Matrix:
        own = clopper_pearson(self.counts, self.n, alpha / (2 * math.e))
        beside = clopper_pearson(neighbours(self.counts), self.n, alpha / (2 * math.e))
        for label in self._three_valued:
            heavy = int(neighbours(self.counts)[label]) - self._light(label)
            beside[label] = bentkus(np.array([heavy]), self.n, alpha / 2)[0]
        return np.asarray(own * self.noise.own[:, None] - beside[:, ::-1] * self._taken[:, None])

    @property
    def _taken(self) -> Vector:
        """What a report takes off a neighbour's estimate, of two neighbours the one that takes more."""
        taken = np.pad(self.noise.taken, 1)
        return np.asarray(np.maximum(taken[:-2], taken[2:]))

    @property
    def _three_valued(self) -> tuple[int, ...]:
        """The labels of which one neighbour is an end, which takes less than the other."""
        return (1, self.noise.labels - 2)

    def _light(self, label: int) -> float:
        """The reports of the end beside a label, each by the part of the other neighbour's weight that it lacks."""
        end = 0 if label == 1 else self.noise.labels - 1
        return float(self.counts[end] * (1 - self.noise.taken[end] / self._taken[label]))
