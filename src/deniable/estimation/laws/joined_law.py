"""The law of high-low reports: sensitive labels hide among each other, the others are often reported truthfully.

A report is either inside, about the sensitive labels, or an own report, which names another label. A sensitive value
only ever makes inside reports, so an own report rules all sensitive labels out. Counts and reports number the labels
with the sensitive ones first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

import numpy as np

from deniable.arrays import Column, Counts, Exact, Indices, Vector
from deniable.estimation.decoders import Likelihood
from deniable.estimation.evidence import Evidence, JoinedEvidence, SupportEvidence
from deniable.estimation.laws.law import Law
from deniable.estimation.laws.supports import Sums
from deniable.theory.risk.support import Support
from deniable.theory.risk.variance import Loss, Target, VarianceLaw


class Inside(Protocol):
    """The protocol of inside reports: how they are counted, and what they say about the sensitive labels."""

    @property
    def cells(self) -> int:
        """How many of a tally's counts are for inside reports; the others count own reports, label by label."""
        ...

    @property
    def operations(self) -> float:
        """About how many additions the estimates from inside reports take."""
        ...

    def evidence(self, n: int, counts: Counts) -> Evidence:
        """Evidence for the sensitive labels, from the counts of inside reports."""
        ...

    def sums(self, counts: Counts) -> Sums | None:
        """Sums for the likelihood, or None if counts do not determine it."""
        ...

    def report_sums(self, reports: Column) -> tuple[Sums, Counts] | None:
        """The same sums from the reports themselves, and the number of own reports of each other label."""
        ...

    def chances(self, reports: Column) -> tuple[Exact, Indices]:
        """The probability [sensitive labels and one other, reports] of each report, and which other label it names.

        A name is 0 for an inside report, which any other label sends as the last row says; else it is the number of the
        one label, from 1, that sends this own report, as the last row says too.
        """
        ...


@dataclass(frozen=True, eq=False)
class JoinedLaw(Law):
    """``order`` lists the indices of all labels, the first ``sensitive`` of them sensitive.

    ``own_chance`` is the probability that another label is reported truthfully; ``variances`` are in that order.
    """

    labels: int
    order: Indices
    sensitive: int
    ratio: Fraction
    own_chance: Fraction
    inside: Inside
    variances: VarianceLaw
    most_lifted: float
    inside_information: Callable[[], float]

    @cached_property
    def rank(self) -> Indices:
        """Each label's position in that order."""
        return np.argsort(self.order)

    @property
    def leverage(self) -> float:
        """The larger of the leverages of the two kinds of labels."""
        return self.most_lifted

    @property
    def decode_operations(self) -> float:
        """The operations for the sensitive labels, and two per other label."""
        return self.inside.operations + 2.0 * (self.labels - self.sensitive)

    def evidence(self, n: int, counts: Counts) -> JoinedEvidence:
        """Evidence for the sensitive labels, joined with that for the others from their own reports."""
        high = self.inside.evidence(n, counts[: self.inside.cells])
        low = SupportEvidence(n, counts[self.inside.cells :], Support.exact(self.own_chance, Fraction(0)))
        return JoinedEvidence((high, low), (self.order[: self.sensitive], self.order[self.sensitive :]))

    def likelihood(self, counts: Counts) -> Likelihood | None:
        """The likelihood of a histogram; None for counts of packed bits."""
        sums = self.inside.sums(counts[: self.inside.cells])
        return None if sums is None else self._likelihood(sums, counts[self.inside.cells :])

    def report_likelihood(self, reports: Column) -> Likelihood | None:
        """The likelihood of packed reports, whose counts do not determine it."""
        found = self.inside.report_sums(reports)
        return None if found is None else self._likelihood(*found)

    def _likelihood(self, inside: Sums, own: Counts) -> Likelihood:
        """The likelihood: inside reports favour the sensitive labels that they support, own reports name theirs.

        Up to a factor, an inside report has probability 1 + (t - 1) p(the sensitive labels it supports).
        """
        s, bonus, split = self.sensitive, float(self.ratio) - 1, len(inside.counts)

        def forward(p: Vector) -> Vector:
            ranked = p[self.order]
            return np.concatenate((ranked.sum() + bonus * inside.mass(ranked[:s]), ranked[s:]))

        def backward(weights: Vector) -> Vector:
            everyone, named = weights[:split].sum(), np.zeros(self.labels)
            named[:s] = bonus * inside.collect(weights[:split])
            named[s:] = weights[split:]
            return np.asarray(everyone + named)[self.rank]

        return Likelihood(np.concatenate((inside.counts, own)), forward, backward)

    def exact_ratio(self) -> Fraction:
        """A/B, or its square if values differ in two bits: the ratio of a sensitive value against any other."""
        return self.ratio

    def chances(self, reports: Column) -> Exact:
        """The exact probabilities: inside reports from every label, own ones only from the label that they name."""
        s, (found, names) = self.sensitive, self.inside.chances(reports)
        ranked: Exact = np.full((self.labels, len(reports)), Fraction(0), object)
        inside, own = np.flatnonzero(names == 0), np.flatnonzero(names)
        ranked[:s, inside], ranked[s:, inside] = found[:s, inside], found[s, inside]
        ranked[s - 1 + names[own], own] = found[s, own]
        return np.asarray(ranked[self.rank])

    def mutual_information(self) -> float:
        """The mutual information of inside reports, plus that of own reports, each of which determines its label."""
        share = (self.labels - self.sensitive) / self.labels
        return self.inside_information() + share * float(self.own_chance) * math.log(self.labels)

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        """The predicted error (l1, linf: asymptotic); the worst case if no truth is given."""
        return self.variances.risk_at(n, loss, None if truth is None else truth[self.order], target)
