"""Shares by support counting, of which it is known how they vary together, and weighted sums of them with errors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deniable.arrays import Counts, Flags, Indices, Matrix, Sparse, Vector
from deniable.estimation.binomial import clopper_pearson, quantile
from deniable.estimation.evidence import Evidence, SupportEvidence
from deniable.estimation.intervals import SAME, mean_root
from deniable.estimation.simplex import project
from deniable.estimation.sources import SingleSource, Source
from deniable.estimation.sparse_rows import dense_if_small, ends_of
from deniable.estimation.weighted import WeightedEvidence, WeightedSource
from deniable.theory.risk.joint_support import JointSupport
from deniable.theory.risk.support import marginals

CORRECTION = 0.5
"""By how much of a report's range the score's sums are moved outwards, for counts are whole numbers."""


class SingleCounts(NamedTuple):
    """Weighted sums that follow from one count each: of the reports that support one of some labels."""

    sums: Flags
    """Which of the sums these are."""
    counts: Counts
    """How many reports are counted."""
    steps: Vector
    """How much a report adds to n times the sum if it is counted."""


class NonzeroWeights(NamedTuple):
    """The weights of sums that are kept; all others are 0."""

    weights: Vector
    rows: Indices
    labels: Indices
    has_zeros: Flags
    """Which rows have others."""

    def added(self, values: Vector | Counts | Flags) -> Vector:
        """Values for each of these weights, added up for each row."""
        return np.asarray(np.bincount(self.rows, values, len(self.has_zeros)), np.float64)


class ScoreTerms(NamedTuple):
    """What the score needs of the sums: their mean squares change linearly as people move from the truth to an end."""

    unbiased: Vector
    """The sums of the unbiased shares."""
    projected: Vector
    """The sums at the estimated truth, the distribution nearest to these."""
    square: Vector
    """Their mean squares there."""
    ends: Matrix
    """The least and the largest [2, sums] that the sums can be."""
    rises: Matrix
    """How much the mean squares grow as everybody moves to either end."""


@dataclass(frozen=True, eq=False)
class JointSums:
    """Weighted sums [sums, labels] of the shares."""

    evidence: SupportEvidence
    joint: JointSupport
    weights: Matrix | Sparse

    @cached_property
    def variances(self) -> Vector:
        """By the covariance of the shares, at the estimated shares themselves."""
        return np.asarray(self.joint.variances(self.weights, self._truth) / self.evidence.n, np.float64)

    @property
    def exact(self) -> Flags:
        """Sums that follow from one count, which is binomial."""
        return self._counted.sums

    def reaches(self, alpha: float) -> Matrix:
        """How much lower and higher sums may be: by Clopper and Pearson if they follow from one count, or by score."""
        reaches, counted, n = self._by_score(alpha), self._counted, self.evidence.n
        if counted.sums.any():
            errors = clopper_pearson(counted.counts, n, alpha) - (counted.counts / n)[:, None]
            moves = (counted.steps / self.joint.support.gap)[:, None] * errors
            reaches[counted.sums] = np.stack([-moves.min(axis=1), moves.max(axis=1)], axis=1)
        return reaches

    @cached_property
    def _truth(self) -> Vector:
        return project(self.evidence.unbiased())

    @cached_property
    def _ends(self) -> Matrix:
        """The least and the largest weight [2, sums] of each."""
        return ends_of(self.weights)

    @cached_property
    def _counted(self) -> SingleCounts:
        """The sums that follow from one count: of one share; or, where a report supports one label, of two weights."""
        counts, (least, most), stored = self.evidence.counts, self._ends, self._stored
        size, is_one_each = SAME * np.maximum(-least, most), self.joint.one_each(len(counts))
        base = least if is_one_each else np.zeros_like(least)
        above = stored.weights - base[stored.rows]
        is_label, others_are = np.abs(above) > size[stored.rows], (np.abs(base) > size) & stored.has_zeros
        if is_one_each:
            step = most - least
            near = SAME * np.abs(step)
            differ = is_label & (np.abs(above - step[stored.rows]) > near[stored.rows])
            sums = (stored.added(differ) == 0) & ~(others_are & (np.abs(-base - step) > near))
        else:
            step = stored.added(np.where(is_label, above, 0.0))
            sums = stored.added(is_label) <= 1
        held = counts[stored.labels]
        counted = stored.added(is_label * held) + others_are * (counts.sum() - stored.added(held))
        has_label = (stored.added(is_label) > 0) | others_are
        return SingleCounts(sums, np.rint(counted[sums]).astype(np.int64), np.where(has_label, step, 0.0)[sums])

    @property
    def _stored(self) -> NonzeroWeights:
        """All weights of a matrix, or those that a sparse one keeps."""
        rows, labels = self.weights.shape
        if isinstance(self.weights, np.ndarray):
            places = np.divmod(np.arange(self.weights.size), labels)
            return NonzeroWeights(self.weights.ravel(), *places, np.zeros(rows, np.bool_))
        sizes = np.diff(self.weights.indptr)
        of_rows = np.repeat(np.arange(rows), sizes)
        return NonzeroWeights(self.weights.data, of_rows, self.weights.indices.astype(np.int64), sizes < labels)

    @cached_property
    def _scored(self) -> ScoreTerms:
        """What the score of each sum needs.

        Mean squares are of what one report adds to a sum: n times the variance, plus the squared sum. ``rises`` is that
        of everybody at either end, spread / gap^2 + end^2, less that at the estimated truth.
        """
        weights, support, ends = self.weights, self.joint.support, self._ends
        projected, total = weights @ self._truth, weights.sum(axis=1)
        square = self.evidence.n * self.variances + projected**2
        spreads = self.joint.mean_squares_alike(weights, ends) - (support.h * total + support.gap * ends) ** 2
        rises = spreads / support.gap**2 + ends**2 - square
        return ScoreTerms(weights @ self.evidence.unbiased(), projected, square, ends, rises)

    def _by_score(self, alpha: float) -> Matrix:
        """The score: the variance is taken at the bound, as if the label of largest or least weight made up for it.

        Sums are moved outwards first, as in Yates's correction; and no reach is less than the normal one. Tests
        simulate how often such bounds miss.
        """
        n, z, terms = self.evidence.n, quantile(alpha / 2), self._scored
        short = CORRECTION * (terms.ends[1] - terms.ends[0]) / (self.joint.support.gap * n)
        normal, reaches = z * np.sqrt(np.maximum(self.variances, 0)), []
        for side, end, rise in zip((-1, 1), terms.ends, terms.rises, strict=True):
            distance = end - terms.projected
            drift = np.divide(rise, distance, out=np.zeros_like(rise), where=np.abs(distance) > SAME)
            fixed = terms.square - drift * terms.projected
            bound = mean_root(terms.unbiased + side * short, drift, fixed, side * z, n)
            reaches.append(np.maximum(side * (bound - terms.unbiased), normal))
        return np.stack(reaches, axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class JointSource:
    """Support counting: how shares vary together is known, so that any sum of them has its error."""

    evidence: SupportEvidence
    joint: JointSupport

    def sums(self, weights: Matrix | Sparse) -> JointSums:
        """Exact where a sum follows from one count, otherwise by the score."""
        return JointSums(self.evidence, self.joint, dense_if_small(weights))

    def covary(self, weights: Matrix, truths: Matrix) -> Matrix:
        """Rows of weights times ``JointSupport.covariance``, of which no matrix is made."""
        joint, m = self.joint, marginals(self.joint.support, truths)
        rise, scale = joint.one - joint.none, joint.support.gap**2 * self.evidence.n
        total = weights.sum(axis=1, keepdims=True)
        held, expected = (weights * truths).sum(axis=1, keepdims=True), (weights * m).sum(axis=1, keepdims=True)
        between = joint.none * total + rise * (held + truths * total) - m * expected
        return np.asarray(weights * self.own_variances(truths) + between / scale, np.float64)

    def own_variances(self, truths: Matrix) -> Matrix:
        """What is left of the covariance without what all labels, the truth and the marginals have in common."""
        joint, m = self.joint, marginals(self.joint.support, truths)
        remainder = np.maximum(m - joint.none - 2 * (joint.one - joint.none) * truths, 0)
        return np.asarray(remainder / (joint.support.gap**2 * self.evidence.n), np.float64)

    def difference_variances(self, weights: Matrix | Sparse, pairs: Indices) -> Vector:
        """By the covariance of the sums, at the estimated shares themselves."""
        dense = weights if isinstance(weights, np.ndarray) else weights.toarray()
        covariance = self.covary(dense, project(self.evidence.unbiased())[None]) @ weights.T
        variances, (first, second) = covariance.diagonal(), pairs.T
        return np.asarray(variances[first] + variances[second] - 2 * covariance[first, second], np.float64)

    def draws(self, truth: Vector, rounds: int, generator: np.random.Generator) -> Matrix:
        """Unbiased shares [rounds, labels] of simulated surveys.

        Exactly drawn where reports support one label, or each label by itself; otherwise with normal errors.
        """
        n, s = self.evidence.n, self.joint.support
        if self.joint.one_each(len(truth)):
            m = marginals(s, truth)
            counts = generator.multinomial(n, m / m.sum(), rounds)
        elif self.joint.is_independent:
            held = generator.multinomial(n, truth, rounds)
            counts = generator.binomial(held, s.g) + generator.binomial(n - held, s.h)
        else:
            noise = self.joint.normal(truth, generator.standard_normal((rounds, len(truth))))
            return np.asarray(truth + noise / np.sqrt(n), np.float64)
        return np.asarray((counts / n - s.h) / s.gap, np.float64)


def source_of(evidence: Evidence) -> Source:
    """The shares of reports of one kind: together, where it is known how they vary together, else one by one."""
    if isinstance(evidence, SupportEvidence) and evidence.joint is not None:
        return JointSource(evidence, evidence.joint)
    if isinstance(evidence, WeightedEvidence):
        return WeightedSource(evidence)
    return SingleSource(evidence)
