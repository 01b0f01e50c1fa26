"""Evidence: what counts say about each label: an unbiased estimate, its standard error, and intervals valid for any n.

Two targets. "population": people are drawn from p, and p is estimated. "sample": the n people are fixed, and theta,
their own histogram, is estimated; then only the noise is random. The variances differ by p (1 - p) / n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Matrix, Vector
from deniable.estimation.binomial import clopper_pearson
from deniable.estimation.intervals import (
    SAME,
    Worth,
    holders,
    landed_holders,
    mean_of_values,
    mean_worths,
    products,
    two_binomials,
)
from deniable.estimation.simplex import project
from deniable.kernels.arithmetic import affine, affine_projected
from deniable.protocol.say import Statement
from deniable.theory.risk.joint_support import JointSupport
from deniable.theory.risk.support import Support, variance_population, variance_sample
from deniable.theory.risk.variance import Target


class Evidence(Protocol):
    """The protocol of evidence: what an estimate needs from a tally of at least one person."""

    @property
    def n(self) -> int:
        """How many people answered."""

    def unbiased(self) -> Vector:
        """The unbiased estimate of each frequency; may be negative."""

    def stderr(self, target: Target = "population") -> Vector:
        """The standard error of each estimate, with the estimate clipped to 0..1 in place of the truth."""

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Bounds [d, 2] on each frequency, not clipped; each misses with a probability of at most alpha."""


def step_of(evidence: Evidence) -> float:
    """How much one person is, if bounds of shares are whole numbers of people; else 0."""
    step: float = getattr(evidence, "step", 0.0)
    return step


def bounds_to_add(evidence: Evidence, alpha: float) -> Matrix:
    """Bounds of shares as they must be where they are added up or compared, not cut and not rounded inward.

    Where they are whole numbers of people, each is moved outwards by one person, to the first that is ruled out.
    """
    return np.asarray(evidence.interval(alpha) + step_of(evidence) * np.array([-1, 1]), np.float64)


@runtime_checkable
class JointlyKnown(Protocol):
    """Evidence that may know how its shares vary together."""

    def contrast_variance(self, weights: Vector) -> float | None:
        """The variance of the shares' weighted sum, against the population; None where it is not known."""


class SupportEvidence(NamedTuple):
    """How many of n reports support each label, with probabilities g and h.

    >>> evidence = SupportEvidence(100, np.array([60, 40]), Support(0.75, 0.25, 0.5))
    >>> evidence.unbiased().round(9).tolist()
    [0.7, 0.3]
    """

    n: int
    counts: Counts
    support: Support
    permanent: Support | None = None
    """Of reports that are remembered the g and h of the permanent ones, which several periods have in common."""
    joint: JointSupport | None = None
    """How two labels are supported together, where any two of them are so alike."""

    @property
    def told(self) -> Counts:
        """How many people told of each label: all."""
        return np.full(len(self.counts), self.n)

    def unbiased(self) -> Vector:
        """The estimate (f/n - h) / gap of each label."""
        s = self.support
        return affine(self.counts, 1 / (self.n * s.gap), s.h / s.gap)

    def projected(self) -> tuple[Vector, Vector]:
        """The estimate of each label, and the distribution nearest to all of them."""
        s = self.support
        return affine_projected(self.counts, 1 / (self.n * s.gap), s.h / s.gap)

    def stderr(self, target: Target = "population") -> Vector:
        """The standard error from m (1 - m) / (n gap^2), or from its two parts for the sample."""
        variance = variance_population if target == "population" else variance_sample
        return np.asarray(np.sqrt(variance(self.support, self.n, np.clip(self.unbiased(), 0, 1))))

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Exact bounds: a count is Binomial(n, m), or for the sample a sum of two binomials."""
        s = self.support
        if target == "sample":
            return two_binomials(self.counts, self.n, s.g, s.h, alpha)
        return np.asarray((clopper_pearson(self.counts, self.n, alpha) - s.h) / s.gap)

    def contrast_variance(self, weights: Vector) -> float | None:
        """From how labels are supported together, at the distribution nearest to the estimate."""
        if self.joint is None:
            return None
        return float(self.joint.variances(weights[None], project(self.unbiased()))[0] / self.n)


@dataclass(frozen=True, slots=True, eq=False)
class SignedEvidence:
    """Reports for and against each label: a report in the label's part has a sign, any other has none.

    A holder's report lands in the part with probability ``landing`` and is + there with probability 1/2 + ``gain``; any
    other person's is + or - with equal probability. So scale (plus - minus)/n is unbiased, scale = 1/(2 gain landing).
    ``all_land``: all reports land there.

    >>> evidence = SignedEvidence(100, np.array([60, 40]), np.array([40, 60]), gain=1 / 6, landing=1.0, all_land=True)
    >>> evidence.unbiased().round(9).tolist()
    [0.6, -0.6]
    """

    n: int
    plus: Counts
    minus: Counts
    gain: float
    landing: float
    all_land: bool

    @property
    def scale(self) -> float:
        """How much a report of + adds to n times the estimate; a report of - subtracts as much."""
        return 0.5 / (self.gain * self.landing)

    @property
    def _landed(self) -> Counts:
        """How many reports landed in each label's part."""
        return np.asarray(self.plus + self.minus)

    def unbiased(self) -> Vector:
        """Scale (plus - minus) / n."""
        return np.asarray(self.scale * (self.plus - self.minus) / self.n)

    def stderr(self, target: Target = "population") -> Vector:
        """A report's square is 1 inside the part: variance (scale^2 Pr[inside] - p^2, or - theta) / n."""
        p = np.clip(self.unbiased(), 0, 1)
        inside = np.maximum(self._landed, 1) / self.n  # without any report, the error of one report
        variance = self.scale**2 * inside - (p * p if target == "population" else p)
        return np.asarray(np.sqrt(np.maximum(variance, 0) / self.n))

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Population: see ``mean_worths``; of few, exact bounds of Pr[+ | inside] and Pr[inside].

        Sample: see ``landed_holders``.

        Where every report is inside, the sign is support counting with g = 1/2 + gain and h = 1/2, and Clopper-Pearson
        applies at alpha whole; and where every holder is, so do the two binomials, of those inside.
        """
        if target == "sample" and self.landing == 1:
            return holders(self.plus, self._landed, 0.5 + self.gain, 0.5, alpha) / self.n
        if target == "sample":
            return landed_holders(self.plus, self._landed, self.n, self.gain, self.landing, alpha) / self.n
        if self.all_land:
            return np.asarray(self.scale * (2 * clopper_pearson(self.plus, self.n, alpha) - 1))
        worth = Worth(self.scale, -self.scale, 0.0)
        bounds, many = mean_worths(worth, self.unbiased(), self._landed, self.n, alpha)
        bounds[~many] = self._of_few(self.plus[~many], self._landed[~many], alpha)
        return bounds

    def _of_few(self, plus: Counts, within: Counts, alpha: float) -> Matrix:
        """Given how many are inside, their signs are binomial; at most 0.9 alpha + 0.1 alpha miss."""
        signs = 2 * clopper_pearson(plus, within, 0.9 * alpha) - 1
        return self.scale * products(signs, clopper_pearson(within, self.n, 0.1 * alpha))


@dataclass(frozen=True, slots=True, eq=False)
class JoinedEvidence:
    """Groups of labels with different kinds of evidence about the same people.

    ``places`` holds the indices of each group's labels among all.
    """

    groups: tuple[Evidence, ...]
    places: tuple[npt.NDArray[np.int64], ...]

    @property
    def n(self) -> int:
        """How many people answered."""
        return self.groups[0].n

    @property
    def step(self) -> float:
        """The largest step of a group."""
        return max(map(step_of, self.groups))

    def _joined(self, results: list[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
        joined = np.concatenate(results)
        joined[np.concatenate(self.places)] = joined.copy()
        return joined

    def unbiased(self) -> Vector:
        """The results of all groups, in the order of the labels."""
        return self._joined([group.unbiased() for group in self.groups])

    def stderr(self, target: Target = "population") -> Vector:
        """The results of all groups, in the order of the labels."""
        return self._joined([group.stderr(target) for group in self.groups])

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """The results of all groups, in the order of the labels."""
        return self._joined([group.interval(alpha, target) for group in self.groups])


@dataclass(frozen=True, slots=True, eq=False)
class LinearEvidence:
    """A histogram of outputs and a left inverse [d, outputs] of the channel: inverse @ counts / n is unbiased.

    >>> inverse = np.array([[1.5, -0.5], [-0.5, 1.5]])
    >>> LinearEvidence(100, np.array([60, 40]), inverse).unbiased().round(9).tolist()
    [0.7, 0.3]
    """

    n: int
    counts: Counts | Vector
    """Of rows with weights no whole numbers."""
    inverse: Matrix
    told_apart: npt.NDArray[np.bool_] | None = None
    """The labels of which the inverse is unbiased, if not of all; of the others nothing but 0 to 1 is certain."""

    @property
    def notes(self) -> tuple[Statement, ...]:
        """Sentences about labels that reports cannot tell apart, whatever their number."""
        mixed = 0 if self.told_apart is None else int(np.count_nonzero(~self.told_apart))
        if not mixed:
            return ()
        return (Statement("labels_not_told_apart", count=mixed, all=len(self.inverse)),)

    def unbiased(self) -> Vector:
        """The estimate inverse @ counts / n; of labels that are not told apart only their joint share is unbiased."""
        return np.asarray(self.inverse @ self.counts / self.n)

    def stderr(self, target: Target = "population") -> Vector:
        """The standard error from the mean square of a report's contribution, minus p^2, or theta for the sample.

        Infinite for labels that are not told apart.
        """
        p = np.clip(self.unbiased(), 0, 1)
        square = self.inverse**2 @ self.counts / self.n
        errors = np.sqrt(np.maximum(square - (p * p if target == "population" else p), 0) / self.n)
        return np.asarray(errors if self.told_apart is None else np.where(self.told_apart, errors, math.inf))

    def contrast_variance(self, weights: Vector) -> float:
        """From the mean square of what a report adds to the sum, less the square of the sum."""
        worth, shares = weights @ self.inverse, self.counts / self.n
        return max(float(worth**2 @ shares) - float(worth @ shares) ** 2, 0.0) / self.n

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Bounds row by row: exact by support counting if a row has two values, otherwise see ``mean_of_values``."""
        known = np.ones(len(self.inverse), np.bool_) if self.told_apart is None else self.told_apart
        bounds = np.tile([0.0, 1.0], (len(known), 1))
        bounds[known] = self._of_rows(self.inverse[known], alpha, target)
        return bounds

    def _of_rows(self, inverse: Matrix, alpha: float, target: Target) -> Matrix:
        least, most = inverse.min(axis=1, keepdims=True), inverse.max(axis=1, keepdims=True)
        unit = (inverse - least) / (most - least)
        low_or_high = ((unit < SAME) | (unit > 1 - SAME)).all(axis=1)
        bounds = np.empty((len(unit), 2))
        for j in np.flatnonzero(low_or_high):
            count = np.array([self.counts[unit[j] > 0.5].sum()])
            bounds[j] = self._two_values(count, float(least[j, 0]), float(most[j, 0]), alpha, target)
        other = ~low_or_high
        within = mean_of_values(unit[other], self.counts, self.n, alpha)
        bounds[other] = within * (most - least)[other] + least[other]
        return bounds

    def _two_values(self, count: Counts, low: float, high: float, alpha: float, target: Target) -> Matrix:
        """Of one label, by how many reports are worth ``high`` to it and not ``low``.

        A row unbiased for 1 from its own label and 0 from others says how often each gives the higher value.
        """
        g, h = (min(max((mean - low) / (high - low), 0.0), 1.0) for mean in (1, 0))
        if target == "sample":
            return two_binomials(count, self.n, g, h, alpha)
        return low + (high - low) * clopper_pearson(count, self.n, alpha)
