"""Sources: what different people's reports say of shares, to be weighed into one estimate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy import special

from deniable.arrays import Matrix, Vector
from deniable.estimation.evidence import Evidence, SupportEvidence
from deniable.estimation.simplex import project
from deniable.theory.risk.joint_support import JointSupport
from deniable.theory.risk.variance import Target

NORMAL = "intervals are approximate (normal)"
ADDED = "shares are added up from those of pairs"
WEIGHED = "shares are weighed from several kinds of reports"


class Source(Protocol):
    """Unbiased shares of some labels from the reports of people of its own."""

    @property
    def evidence(self) -> Evidence:
        """The evidence of the labels, one by one."""
        ...

    def variances(self, weights: Matrix) -> Vector:
        """The variance of each weighted sum (row) of the shares."""
        ...

    def covariance(self, truth: Vector) -> Matrix:
        """The covariance of the shares at a truth, as far as it is known."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class JointSource:
    """Support counting: how shares vary together is known, so that any sum of them has its error."""

    evidence: SupportEvidence
    joint: JointSupport

    def variances(self, weights: Matrix) -> Vector:
        """By the covariance of the shares, at the estimated shares themselves."""
        return self.joint.variances(weights, project(self.evidence.unbiased())) / self.evidence.n

    def covariance(self, truth: Vector) -> Matrix:
        """The covariance of the shares at a truth."""
        return self.joint.covariance(truth) / self.evidence.n


@dataclass(frozen=True, slots=True, eq=False)
class SingleSource:
    """Evidence whose shares are only used one by one; of a sum the errors add up in the worst way."""

    evidence: Evidence

    def variances(self, weights: Matrix) -> Vector:
        """At most the square of the sum of errors; exact for a single share."""
        return np.asarray((np.abs(weights) @ self.evidence.stderr()) ** 2, np.float64)

    def covariance(self, truth: Vector) -> Matrix:
        """The variances alone, at the estimated shares."""
        return np.diag(self.evidence.stderr() ** 2)


@dataclass(frozen=True, eq=False)
class WeighedEvidence:
    """Shares as sums over sources, with a matrix [labels, shares of the source] for each.

    The errors of different sources are independent, since their people are others.
    """

    sources: tuple[Source, ...]
    weights: tuple[Matrix, ...]
    more_notes: tuple[str, ...] | None = None
    """Why intervals are approximate, if there is more to say than what the weights show."""

    @property
    def n(self) -> int:
        """How many people answered, over all sources."""
        return sum(source.evidence.n for source in self.sources)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to say of the intervals, and what the sources have to say."""
        own = [note for source in self.sources for note in getattr(source.evidence, "notes", ())]
        why = (f"{NORMAL}: {self._reason}",) if self.more_notes is None else self.more_notes
        return (*why, *dict.fromkeys(own))

    @property
    def _reason(self) -> str:
        summed = any((np.count_nonzero(weights, axis=1) > 1).any() for weights in self.weights)
        reasons = [*([ADDED] if summed else []), *([WEIGHED] if len(self.sources) > 1 or not summed else [])]
        return ", and ".join(reasons)

    @cached_property
    def _shares(self) -> Vector:
        parts = zip(self.sources, self.weights, strict=True)
        return np.asarray(sum(w @ source.evidence.unbiased() for source, w in parts), np.float64)

    @cached_property
    def _errors(self) -> Vector:
        """Worked out once: a page asks for them several times, and weights may be thousands by thousands."""
        parts = zip(self.sources, self.weights, strict=True)
        return np.asarray(np.sqrt(np.maximum(sum(source.variances(w) for source, w in parts), 0)), np.float64)

    def unbiased(self) -> Vector:
        """The weighted sums of the sources' unbiased shares."""
        return self._shares

    def stderr(self, target: Target = "population") -> Vector:
        """The root of the sources' variances; against the sample it is somewhat too large, which is safe."""
        return self._errors

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Normal intervals around the unbiased shares."""
        reach = -float(special.ndtri(alpha / 2)) * self.stderr()
        return np.stack([self._shares - reach, self._shares + reach], axis=1)


def weighed(sources: Sequence[Source], precisions: Sequence[Vector], maps: Sequence[Matrix]) -> WeighedEvidence:
    """The mean of what each source says of the labels, by its ``maps``, in proportion to its precision about each."""
    total = np.asarray(sum(precisions), np.float64)
    weights = tuple((p / total)[:, None] * m for p, m in zip(precisions, maps, strict=True))
    return WeighedEvidence(tuple(sources), weights)
