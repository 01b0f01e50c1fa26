"""Sources: what different people's reports say of shares, to be weighed into one estimate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from deniable.arrays import Flags, Indices, Matrix, Sparse, Vector
from deniable.estimation.binomial import quantile
from deniable.estimation.evidence import Evidence, bounds_to_add
from deniable.estimation.sparse_rows import dense_if_small, in_parts, sides_of
from deniable.protocol.say import Phrase, Statement
from deniable.theory.risk.variance import Target

EXACT = Statement("intervals_are_exact_clopper")
SCORE = Statement("intervals_are_approximate_score")
SQUARES = Statement("intervals_are_approximate_bounds")
ADDED = Statement("shares_are_added_up_from_those")
WEIGHED = Statement("shares_are_weighed_from_several")


class ShareSums(Protocol):
    """Weighted sums of the shares of one source."""

    @property
    def variances(self) -> Vector:
        """The variance of each sum."""
        ...

    @property
    def exact(self) -> Flags:
        """Which of the sums have bounds that miss at most alpha of the time, whatever the number of people."""
        ...

    def reaches(self, alpha: float) -> Matrix:
        """How far bounds [sums, 2] lie below and above each sum; they miss alpha of the time."""
        ...


class Source(Protocol):
    """Unbiased shares of some labels from the reports of people of its own."""

    @property
    def evidence(self) -> Evidence:
        """The evidence of the labels, one by one."""
        ...

    def sums(self, weights: Matrix | Sparse) -> ShareSums:
        """The sums of the shares with these weights [sums, labels]."""
        ...

    def covary(self, weights: Matrix, truths: Matrix) -> Matrix:
        """The covariance of the shares times weights [rows, labels], at the truth of each row or at one for all."""
        ...

    def own_variances(self, truths: Matrix) -> Matrix:
        """The part of the covariance that is diagonal."""
        ...

    def difference_variances(self, weights: Matrix | Sparse, pairs: Indices) -> Vector:
        """The variances of differences of sums with these weights: of each of ``pairs`` the first less the second."""
        ...

    def draws(self, truth: Vector, rounds: int, generator: np.random.Generator) -> Matrix:
        """Unbiased shares [rounds, labels] of as many people, simulated at a truth."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class SingleSums:
    """Sums of shares of which it is not known how they vary together: errors add up in the worst way."""

    evidence: Evidence
    weights: Matrix | Sparse

    @property
    def variances(self) -> Vector:
        """At most the square of the sum of errors; exact for a single share."""
        errors = self.evidence.stderr()
        positive, negative = (added_errors(side, errors) for side in sides_of(self.weights))
        return np.asarray((positive + negative) ** 2, np.float64)

    @property
    def exact(self) -> Flags:
        """None: what kind of bounds single shares have is not known here."""
        return np.zeros(self.weights.shape[0], np.bool_)

    def reaches(self, alpha: float) -> Matrix:
        """How much lower and higher sums may be [sums, 2]: as far as the bounds of single shares reach, added up."""
        bounds, shares = bounds_to_add(self.evidence, alpha), self.evidence.unbiased()
        reaches = np.stack([shares - bounds[:, 0], bounds[:, 1] - shares], axis=1)
        positive, negative = sides_of(self.weights)
        return added_errors(positive, reaches) + added_errors(negative, reaches[:, ::-1])


@dataclass(frozen=True, slots=True, eq=False)
class SingleSource:
    """Evidence of which it is not known how shares vary together: their sums err in the worst way."""

    evidence: Evidence

    def sums(self, weights: Matrix | Sparse) -> ShareSums:
        """By the errors of the single shares, added up."""
        return SingleSums(self.evidence, dense_if_small(weights))

    def covary(self, weights: Matrix, truths: Matrix) -> Matrix:
        """By the variances alone, at the estimated shares."""
        return np.asarray(weights * self.own_variances(truths), np.float64)

    def own_variances(self, truths: Matrix) -> Matrix:
        """Those of the estimated shares, whatever the truth."""
        return np.broadcast_to(self.evidence.stderr() ** 2, truths.shape)

    def difference_variances(self, weights: Matrix | Sparse, pairs: Indices) -> Vector:
        """Those of the differences of weights, some pairs at a time."""
        parts = in_parts(pairs, weights.shape[1])
        return np.concatenate([self.sums(weights[part[:, 0]] - weights[part[:, 1]]).variances for part in parts])

    def draws(self, truth: Vector, rounds: int, generator: np.random.Generator) -> Matrix:
        """Normal errors, each by itself."""
        noise = generator.standard_normal((rounds, len(truth)))
        return np.asarray(truth + noise * self.evidence.stderr(), np.float64)


@dataclass(frozen=True, eq=False)
class CombinedEvidence:
    """Shares as sums over sources, with a matrix [labels, shares of the source] for each, of which most is 0.

    The errors of different sources are independent, since their people are others.
    """

    sources: tuple[Source, ...]
    weights: tuple[Sparse, ...]
    more_notes: tuple[Phrase, ...] | None = None
    """Why intervals are approximate, if there is more to say than what the weights show."""

    @property
    def n(self) -> int:
        """How many people answered, over all sources."""
        return sum(source.evidence.n for source in self.sources)

    @property
    def notes(self) -> tuple[Phrase, ...]:
        """What to say of the intervals, and what the sources have to say."""
        notes = [note for source in self.sources for note in getattr(source.evidence, "notes", ())]
        why = (self._kind,) if self.more_notes is None else self.more_notes
        return (*why, *dict.fromkeys(notes))

    @property
    def _kind(self) -> Statement:
        """Which intervals these are, and why they are approximate, if so."""
        if len(self.sources) > 1:
            return Statement("intervals_why", intervals=SQUARES, why=self._reason)
        if self._sums[0].exact.all():
            return EXACT
        return Statement("intervals_why", intervals=SCORE, why=self._reason)

    @property
    def _reason(self) -> Statement:
        """Why intervals are approximate: shares are sums, or of several kinds of reports, or both."""
        summed = any((weights.astype(np.bool_).sum(axis=1) > 1).any() for weights in self.weights)
        reasons = [*([ADDED] if summed else []), *([WEIGHED] if len(self.sources) > 1 or not summed else [])]
        return reasons[0] if len(reasons) == 1 else Statement("why_and_why", first=reasons[0], second=reasons[1])

    @cached_property
    def _sums(self) -> list[ShareSums]:
        return [source.sums(weights) for source, weights in zip(self.sources, self.weights, strict=True)]

    @cached_property
    def _shares(self) -> Vector:
        parts = zip(self.sources, self.weights, strict=True)
        return np.asarray(sum(w @ source.evidence.unbiased() for source, w in parts), np.float64)

    @cached_property
    def _errors(self) -> Vector:
        """Worked out once: a page asks for them several times, and weights may be thousands by thousands."""
        return np.asarray(np.sqrt(np.maximum(sum(each.variances for each in self._sums), 0)), np.float64)

    def unbiased(self) -> Vector:
        """The weighted sums of the sources' unbiased shares."""
        return self._shares

    def stderr(self, target: Target = "population") -> Vector:
        """The root of the sources' variances; against the sample at most so large, as if one kind had told of all."""
        return self._errors if target == "population" else less_spread(self._errors, self._shares, self.n)

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """As ``bounds_of`` puts those of the sources together."""
        return bounds_of(self._shares, self._sums, alpha)

    def contrast_variance(self, weights: Vector) -> float:
        """The sum of what each source says of it; at most that, where a source knows its shares one by one alone."""
        parts = zip(self.sources, self.weights, strict=True)
        return float(sum(source.sums((weights @ matrix)[None]).variances[0] for source, matrix in parts))


def added_errors(weights: Matrix | Sparse, errors: Matrix) -> Matrix:
    """Sums of errors with these weights; an infinite error without weight counts for nothing."""
    endless = np.isinf(errors)
    sums = weights @ np.where(endless, 0, errors)
    return np.asarray(np.where(weights.astype(np.bool_) @ endless, np.inf, sums), np.float64)


def less_spread(errors: Vector, shares: Vector, people: float) -> Vector:
    """Errors of shares without what they have in common with the shares of so many people (see ``census``)."""
    p = np.clip(shares, 0, 1)
    return np.asarray(np.sqrt(np.maximum(errors**2 - p * (1 - p) / people, 0)), np.float64)


def bounds_of(values: Vector, parts: Sequence[ShareSums], alpha: float) -> Matrix:
    """Bounds [sums, 2] around the ``values`` of sums over sources of weighted shares: of a single source its own.

    Those of several are as far off as the bounds of all of them together (Zou and Donner 2008), each at least as far as
    a normal one: a bound may be cut off where the share can be no smaller.
    """
    z, squares = quantile(alpha / 2), np.zeros((len(values), 2))
    for sums in parts:
        reaches = sums.reaches(alpha)
        if len(parts) > 1:
            reaches = np.maximum(reaches, z * np.sqrt(np.maximum(sums.variances, 0))[:, None])
        squares += reaches**2
    return np.asarray(values[:, None] + np.sqrt(squares) * [-1, 1], np.float64)


def weighed(sources: Sequence[Source], precisions: Sequence[Vector], maps: Sequence[Sparse]) -> CombinedEvidence:
    """The mean of what each source says of the labels, by its ``maps``, in proportion to its precision about each."""
    total = np.asarray(sum(precisions), np.float64)
    weights = tuple(m.multiply((p / total)[:, None]).tocsr() for p, m in zip(precisions, maps, strict=True))
    return CombinedEvidence(tuple(sources), weights)
