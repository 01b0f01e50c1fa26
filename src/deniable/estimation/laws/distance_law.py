"""The law of two-sided geometric noise that is clamped at both ends: linear in the number of labels, no matrix."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Exact, Flags, Vector
from deniable.estimation.decoders import Likelihood
from deniable.estimation.distance_evidence import DistanceEvidence
from deniable.estimation.evidence import Evidence, LinearEvidence
from deniable.estimation.laws.law import Law
from deniable.protocol.odds import Odds
from deniable.theory.risk.geometric import ClampedNoise
from deniable.theory.risk.variance import Loss, Target, VarianceLaw

FEW = 3
"""Up to so many labels every report is an end's, or a neighbour of all."""


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
        return float(self.noise.own.max())

    @property
    def decode_operations(self) -> float:
        """The own count and two neighbours'."""
        return 6.0 * self.labels

    def evidence(self, n: int, counts: Counts) -> Evidence:
        """The evidence of the histogram; of few labels by the matrix, whose rows may have two values alone."""
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
        """A/B, between neighbours."""
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
        """The mutual information in nats, from sums over distances."""
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
        """The variance of one report about each label, in any order, if all are equally frequent."""
        return self.variances.variances(np.full(self.labels, 1 / self.labels))

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        """The predicted error (l1, linf: asymptotic); the worst case if no truth is given."""
        return self.variances.risk_at(n, loss, truth, target)
