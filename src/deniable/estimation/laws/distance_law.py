"""The law of two-sided geometric noise that is clamped at both ends: linear in the number of labels, no matrix.

Reports lie near the values they come from: an estimate takes its own count and its two neighbours'.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Exact, Flags, Matrix, Vector
from deniable.estimation.binomial import clopper_pearson
from deniable.estimation.decoders import Likelihood
from deniable.estimation.evidence import Evidence, LinearEvidence
from deniable.estimation.intervals import Worth, bentkus, mean_worths, products
from deniable.estimation.laws.law import Law
from deniable.protocol.odds import Odds
from deniable.theory.risk.geometric import ClampedNoise, neighbours
from deniable.theory.risk.variance import Loss, Target, VarianceLaw

FEW = 3
"""Up to so many labels every report is an end's, or a neighbour of all."""
NEARBY_PART = 0.9
"""The part of an interval's error that is spent on how many of the nearby reports name the label itself."""


@dataclass(frozen=True, eq=False)
class DistanceLaw(Law):
    """A report is as likely as B/A to the power of its distance from the value, but at an end as all beyond it."""

    labels: int
    odds: Odds

    @cached_property
    def noise(self) -> ClampedNoise:
        """The noise in floats."""
        return ClampedNoise.exact(self.labels, 1 / self.odds.ratio)

    @property
    def leverage(self) -> float:
        """A fake report of a label counts for so many people with it."""
        return float(self.noise.added.max())

    @property
    def decode_operations(self) -> float:
        return 6.0 * self.labels

    def evidence(self, n: int, counts: Counts) -> Evidence:
        few = self.labels <= FEW
        return LinearEvidence(n, counts, self.noise.inverse) if few else DistanceEvidence(n, counts, self.noise)

    def supports(self, reports: Column) -> Flags:
        """A report supports the label that it names."""
        return np.equal(reports[:, None], np.arange(self.labels))

    def support_chances(self, value: int) -> Vector:
        """The probability of each report from ``value``."""
        return self.noise.row(value)

    def likelihood(self, counts: Counts) -> Likelihood:
        """The likelihood of the histogram; four filters per iteration."""
        return Likelihood(counts, forward=self.noise.mass, backward=self.noise.collect)

    def exact_ratio(self) -> Fraction:
        return self.odds.ratio

    def chances(self, reports: Column) -> Exact:
        """The exact probabilities [labels, reports]; equal ones are one object, as their digits fill pages."""
        total = self.odds.above + self.odds.below
        inside, ends = Fraction(self.odds.above - self.odds.below, total), Fraction(self.odds.above, total)
        powers = [1 / self.odds.ratio**k for k in range(self.labels)]
        within, outer = (np.array([scale * power for power in powers], object) for scale in (inside, ends))
        away = np.abs(np.arange(self.labels)[:, None] - reports.astype(np.int64))
        is_end = (reports == 0) | (reports == self.labels - 1)
        return np.asarray(np.where(is_end, outer[away], within[away]))

    def mutual_information(self) -> float:
        return self.noise.information()

    @cached_property
    def variances(self) -> VarianceLaw:
        """The variances as a function of the truth."""
        noise = self.noise
        return VarianceLaw(
            np.zeros(self.labels),
            spread=lambda p: noise.squared(noise.mass(p)),
            collect=lambda weights: noise.collect(noise.squares_collected(weights)),
            closed=True,
        )

    def label_variances(self) -> Vector:
        return self.variances.variances(np.full(self.labels, 1 / self.labels))

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        return self.variances.risk_at(n, loss, truth, target)


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
        """The standard error from the mean square of what a report adds, minus p^2, or p for the sample."""
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
        bounds, near, shares = self._of_few(alpha), self.counts + neighbours(self.counts), self.unbiased()
        last = self.noise.labels - 1
        for places in (np.array([0, last]), np.array([1, last - 1]), np.arange(2, last - 1)):
            if len(places):
                worth = Worth(float(self.noise.added[places[0]]), -float(self._taken[places[0]]), 0.0)
                scored, many = mean_worths(worth, shares[places], near[places], self.n, alpha)
                bounds[places[many]] = scored[many]
        return bounds

    def _of_few(self, alpha: float) -> Matrix:
        """Given how many reports are near, the mean of what they add is bounded; at most 0.9 alpha + 0.1 alpha miss."""
        near = self.counts + neighbours(self.counts)
        mean = self._nearby_mean(near, NEARBY_PART * alpha)
        return products(mean, clopper_pearson(near, self.n, (1 - NEARBY_PART) * alpha))

    def _nearby_mean(self, near: Counts, alpha: float) -> Matrix:
        """Bounds on what a nearby report adds to each label in the mean: the own weight, or minus a neighbour's."""
        own, taken = self.noise.added[:, None], self._taken[:, None]
        share = clopper_pearson(self.counts, near, alpha)
        for label in self._three_valued:
            light_part = self._taken[label] / (self.noise.added[label] + self._taken[label])
            total = int(self.counts[label]) + self._light(label) * light_part
            share[label] = bentkus(np.array([total]), int(near[label]), alpha)[0]
        return np.asarray(share * (own + taken) - taken)

    def _of_people(self, alpha: float) -> Matrix:
        """Bounds on the shares among the people who answered: the own count's less those of the neighbours'."""
        own = clopper_pearson(self.counts, self.n, alpha / (2 * math.e))
        beside = clopper_pearson(neighbours(self.counts), self.n, alpha / (2 * math.e))
        for label in self._three_valued:
            heavy = int(neighbours(self.counts)[label]) - self._light(label)
            beside[label] = bentkus(np.array([heavy]), self.n, alpha / 2)[0]
        return np.asarray(own * self.noise.added[:, None] - beside[:, ::-1] * self._taken[:, None])

    @property
    def _taken(self) -> Vector:
        """What a report takes off a neighbour's estimate, of two neighbours the one that takes more."""
        taken = np.pad(self.noise.taken_off, 1)
        return np.asarray(np.maximum(taken[:-2], taken[2:]))

    @property
    def _three_valued(self) -> tuple[int, ...]:
        """The labels of which one neighbour is an end, which takes less than the other."""
        return (1, self.noise.labels - 2)

    def _light(self, label: int) -> float:
        """The reports of the end beside a label, each by the part of the other neighbour's weight that it lacks."""
        end = 0 if label == 1 else self.noise.labels - 1
        return float(self.counts[end] * (1 - self.noise.taken_off[end] / self._taken[label]))
