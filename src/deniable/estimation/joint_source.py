"""Shares by support counting, of which it is known how they vary together, and weighted sums of them with errors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deniable.arrays import Counts, Flags, Indices, Matrix, Stack, Vector
from deniable.estimation.binomial import clopper_pearson, quantile
from deniable.estimation.evidence import Evidence, SupportEvidence
from deniable.estimation.intervals import SAME, mean_root
from deniable.estimation.simplex import project
from deniable.estimation.sources import SingleSource, Source
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


class ScoreTerms(NamedTuple):
    """What the score needs of the sums: their mean squares are linear in the truth, and so is the way to a far one."""

    found: Vector
    at: Vector
    """The sums at the estimated truth."""
    square: Vector
    """Their mean squares there."""
    ends: Matrix
    """The least and the largest [2, sums] that the sums can be."""
    rises: Matrix
    """How much the mean squares grow as everybody moves to either end."""


@dataclass(frozen=True, eq=False)
class JointSums:
    """Weighted sums [sums, labels] of the shares; the weights may be millions, so they are walked through once."""

    evidence: SupportEvidence
    joint: JointSupport
    weights: Matrix

    @cached_property
    def variances(self) -> Vector:
        """By the covariance of the shares, at the estimated shares themselves."""
        return np.asarray(self.joint.variances(self.weights, self._truth) / self.evidence.n, np.float64)

    @property
    def exact(self) -> Flags:
        """Sums that follow from one count, which is binomial."""
        return self._counted.sums

    def reaches(self, alpha: float) -> Matrix:
        """By Clopper and Pearson where a sum follows from one count, otherwise by the score."""
        found, counted, n = self._by_score(alpha), self._counted, self.evidence.n
        if counted.sums.any():
            away = clopper_pearson(counted.counts, n, alpha) - (counted.counts / n)[:, None]
            moved = (counted.steps / self.joint.support.gap)[:, None] * away
            found[counted.sums] = np.stack([-moved.min(axis=1), moved.max(axis=1)], axis=1)
        return found

    @cached_property
    def _truth(self) -> Vector:
        return project(self.evidence.unbiased())

    @cached_property
    def _counted(self) -> SingleCounts:
        """Sums of one share; or if a report supports one label, of two different weights."""
        weights, one_each = self.weights, self.joint.one_each(len(self.evidence.counts))
        size = SAME * np.abs(weights).max(axis=1, keepdims=True)
        beyond = weights - weights.min(axis=1, keepdims=True) if one_each else weights
        labels = np.abs(beyond) > size
        most = np.take_along_axis(beyond, np.abs(beyond).argmax(axis=1)[:, None], axis=1)
        if one_each:
            sums = (~labels | (np.abs(beyond - most) <= SAME * np.abs(most))).all(axis=1)
        else:
            sums = np.count_nonzero(labels, axis=1) <= 1
        labels = labels[sums]
        return SingleCounts(sums, labels @ self.evidence.counts, np.where(labels.any(axis=1), most[sums, 0], 0.0))

    @cached_property
    def _scored(self) -> ScoreTerms:
        weights, support = self.weights, self.joint.support
        at, total = weights @ self._truth, weights.sum(axis=1)
        square = self.evidence.n * self.variances + at**2
        ends = np.stack([weights.min(axis=1), weights.max(axis=1)])
        spreads = self.joint.mean_squares_alike(weights, ends) - (support.h * total + support.gap * ends) ** 2
        rises = spreads / support.gap**2 + ends**2 - square
        return ScoreTerms(weights @ self.evidence.unbiased(), at, square, ends, rises)

    def _by_score(self, alpha: float) -> Matrix:
        """The score: the variance is taken at the bound, as if the label of largest or least weight made up for it.

        Sums are moved outwards first, as in Yates's correction; and no reach is less than the normal one. Tests
        simulate how often such bounds miss.
        """
        n, z, told = self.evidence.n, quantile(alpha / 2), self._scored
        short = CORRECTION * (told.ends[1] - told.ends[0]) / (self.joint.support.gap * n)
        normal, reaches = z * np.sqrt(np.maximum(self.variances, 0)), []
        for side, end, rise in zip((-1, 1), told.ends, told.rises, strict=True):
            way = end - told.at
            drift = np.divide(rise, way, out=np.zeros_like(rise), where=np.abs(way) > SAME)
            bound = mean_root(told.found + side * short, drift, told.square - drift * told.at, side * z, n)
            reaches.append(np.maximum(side * (bound - told.found), normal))
        return np.stack(reaches, axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class JointSource:
    """Support counting: how shares vary together is known, so that any sum of them has its error."""

    evidence: SupportEvidence
    joint: JointSupport

    def sums(self, weights: Matrix) -> JointSums:
        """Exact where a sum follows from one count, otherwise by the score."""
        return JointSums(self.evidence, self.joint, weights)

    def covariances(self, sums: Stack, truths: Matrix) -> Stack:
        """As ``JointSupport.covariance`` has it, without the covariance of single shares."""
        joint, m = self.joint, marginals(self.joint.support, truths)
        rise = joint.one - joint.none
        own = m - joint.none - 2 * rise * truths
        sides = np.stack([np.ones_like(truths), truths, m], axis=2)
        total, held, expected = np.moveaxis(sums @ sides, 2, 0)[..., None]
        found = (sums * own[:, None]) @ sums.transpose(0, 2, 1)
        found += (joint.none * total + rise * held) @ total.transpose(0, 2, 1)
        found += rise * total @ held.transpose(0, 2, 1)
        found -= expected @ expected.transpose(0, 2, 1)
        found /= joint.support.gap**2 * self.evidence.n
        return found

    def difference_variances(self, weights: Matrix, pairs: Indices) -> Vector:
        """By the covariance of the sums, at the estimated shares themselves."""
        found = self.covariances(weights[None], project(self.evidence.unbiased())[None])[0]
        own, (first, second) = found.diagonal(), pairs.T
        return np.asarray(own[first] + own[second] - 2 * found[first, second], np.float64)

    def draws(self, truth: Vector, rounds: int, generator: np.random.Generator) -> Matrix:
        """Exactly drawn where reports support one label, or each label by itself; otherwise with normal errors."""
        n, s = self.evidence.n, self.joint.support
        if self.joint.one_each(len(truth)):
            m = marginals(s, truth)
            counts = generator.multinomial(n, m / m.sum(), rounds)
        elif self.joint.apart:
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
    return SingleSource(evidence)
