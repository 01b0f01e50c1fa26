"""The mean place on an ordered list of answers, which is a weighted sum of their shares.

The places are 1 to k. Shares add up to 1, so sum_j j p_j = m + sum_j (j - m) p_j with the middle place m = (k + 1)/2.
The right side is estimated: where unbiased shares do not add up to 1, what is missing then does not move the mean.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable.arrays import Flags, Matrix, Vector
from deniable.estimation.asked import AskedShares
from deniable.estimation.census import size_if_many, spread_of_values
from deniable.estimation.census_evidence import CensusEvidence
from deniable.estimation.evidence import Evidence, LinearEvidence
from deniable.estimation.joint_source import source_of
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.simplex import project
from deniable.estimation.sources import CombinedEvidence, ShareSums, bounds_of


@dataclass(frozen=True, slots=True, eq=False)
class LinearSums:
    """Weighted sums of shares that are linear in the counts of reports: each report adds a known amount."""

    evidence: LinearEvidence
    weights: Matrix

    @property
    def variances(self) -> Vector:
        """From the mean square of what a report adds to each sum."""
        return np.array([self.evidence.contrast_variance(row) for row in self.weights])

    @property
    def exact(self) -> Flags:
        """None is taken for exact: only a sum of which reports add one of two amounts would be."""
        return np.zeros(len(self.weights), np.bool_)

    def reaches(self, alpha: float) -> Matrix:
        """How much lower and higher sums may be, by the bounds of a mean of the values that a report can add."""
        e = self.evidence
        of_sums = LinearEvidence(e.n, e.counts, np.asarray(self.weights @ e.inverse, np.float64))
        sums, bounds = of_sums.unbiased(), of_sums.interval(alpha)
        return np.stack([sums - bounds[:, 0], bounds[:, 1] - sums], axis=1)


def mean_place(evidence: Evidence, places: int) -> Quantity:
    """The mean of the places 1 to ``places``, with the error that follows from how their shares vary together.

    Where that is not known, errors of single shares are added up, so that bounds are too wide and never too short. Of a
    census the error is about the mean of its people, as far as so many told that it is known how much less it is.

    >>> from deniable.estimation.evidence import SupportEvidence
    >>> from deniable.theory.risk.joint_support import JointSupport
    >>> from deniable.theory.risk.support import Support
    >>> thirds = Support(0.5, 0.25, 0.25)
    >>> told = SupportEvidence(100, np.array([20, 30, 50]), thirds, joint=JointSupport.of(thirds, 3, closed=True))
    >>> mean_place(told, 3)
    3.2 (standard error 0.328)
    """
    return _mean(evidence, places).within(1, places)


def _mean(evidence: Evidence, places: int) -> Quantity:
    """The mean with bounds that are not cut yet."""
    if isinstance(evidence, AskedShares):
        return evidence.mean_place(places)
    if isinstance(evidence, CensusEvidence):
        spread = spread_of_values(np.arange(1.0, places + 1)[None], project(evidence.unbiased()))
        return _mean(evidence.plain, places).among(size_if_many(evidence.n, evidence.size), spread)
    middle = (places + 1) / 2
    weights = np.arange(1.0, places + 1) - middle
    parts, sums = _sums(evidence, weights[None]), np.array([float(weights @ evidence.unbiased())])
    error = math.sqrt(max(math.fsum(float(part.variances[0]) for part in parts), 0.0))

    def bounds(level: float) -> tuple[float, float]:
        low, high = bounds_of(sums, parts, 1 - level)[0].tolist()
        return (middle + low, middle + high) if math.isfinite(high - low) else (1.0, float(places))

    return Quantity(middle + float(sums[0]), error, bounds)


def _sums(evidence: Evidence, weights: Matrix) -> Sequence[ShareSums]:
    """What each source of reports says of a weighted sum of the shares."""
    if isinstance(evidence, CombinedEvidence):
        parts = zip(evidence.sources, evidence.weights, strict=True)
        return [source.sums(weights @ matrix) for source, matrix in parts]
    if isinstance(evidence, LinearEvidence) and evidence.told_apart is None:
        return [LinearSums(evidence, weights)]
    return [source_of(evidence).sums(weights)]
