"""The law of high-low reports: sensitive labels hide among each other, the others are often reported truthfully.

A report is either inside, about the sensitive labels, or an own report, which names another label. A sensitive value
only ever makes inside reports, so an own report rules all sensitive labels out. Counts and reports number the labels
with the sensitive ones first. What inside reports say of the sensitive labels is for a law of their own to tell.
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
from deniable.estimation.block_evidence import HidingEvidence
from deniable.estimation.decoders import Likelihood
from deniable.estimation.evidence import JoinedEvidence, SupportEvidence
from deniable.estimation.laws.inner import InnerLaw, Noise
from deniable.estimation.laws.law import Law
from deniable.estimation.laws.sign_law import SignLaw
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.laws.supports import Sums
from deniable.theory.risk import context, designs
from deniable.theory.risk.designs import Hiding
from deniable.theory.risk.support import Support, leverage
from deniable.theory.risk.variance import Loss, Target, VarianceLaw


class OwnReports(Protocol):
    """A layout that tells own reports from those inside."""

    def heads(self, reports: Column) -> Indices:
        """0 for a report inside, and for an own one the number of the label that it names, from 1."""
        ...

    def within(self, reports: Column, block: int) -> Column:
        """Reports inside, of block 0, as the law of the sensitive labels knows them."""
        ...


@dataclass(frozen=True, eq=False)
class HighLowLaw(Law):
    """``order`` lists the places of all labels, those of the ``inner`` law first: they are sensitive.

    A tally has ``cells`` counts of inside reports before those of own reports, label by label. Another label is
    reported truthfully with probability ``own_chance``; ``beside`` is the chance of what its reports hold beside the
    name, if any.
    """

    labels: int
    order: Indices
    inner: InnerLaw
    cells: int
    ratio: Fraction
    own_chance: Fraction
    reports: OwnReports
    beside: Callable[[Column], Exact]
    noise: Noise
    inside_information: Callable[[], float]

    @cached_property
    def rank(self) -> Indices:
        """Each label's position in that order."""
        return np.argsort(self.order)

    @property
    def variances(self) -> VarianceLaw:
        """Of the labels in that order."""
        return self.noise.variances

    @property
    def leverage(self) -> float:
        return self.noise.leverage

    @property
    def decode_operations(self) -> float:
        return self.inner.decode_operations + 2.0 * (self.labels - self.inner.labels)

    def evidence(self, n: int, counts: Counts) -> JoinedEvidence:
        """Evidence for the sensitive labels, joined with that for the others from their own reports."""
        high = self.noise.evidence(n, counts[: self.cells])
        low = SupportEvidence(n, counts[self.cells :], Support.exact(self.own_chance, Fraction(0)))
        return JoinedEvidence((high, low), (self.order[: self.inner.labels], self.order[self.inner.labels :]))

    def likelihood(self, counts: Counts) -> Likelihood | None:
        return self._likelihood(self.inner.sums(counts[: self.cells]), counts[self.cells :])

    def report_likelihood(self, reports: Column) -> Likelihood | None:
        """The likelihood of packed reports, whose counts do not determine it."""
        names = self.reports.heads(reports)
        inside = self.inner.report_sums(self.reports.within(reports[names == 0], 0))
        return self._likelihood(inside, np.bincount(names, minlength=self.labels - self.inner.labels + 1)[1:])

    def _likelihood(self, inside: Sums | None, own: Counts) -> Likelihood | None:
        """The likelihood: inside reports favour the sensitive labels that they support, own reports name theirs.

        Up to a factor, an inside report has probability 1 + (t - 1) p(the sensitive labels it supports).
        """
        if inside is None:
            return None
        s, excess, split = self.inner.labels, float(self.ratio) - 1, len(inside.counts)

        def forward(p: Vector) -> Vector:
            ranked = p[self.order]
            return np.concatenate((ranked.sum() + excess * inside.mass(ranked[:s]), ranked[s:]))

        def backward(weights: Vector) -> Vector:
            ranked = np.concatenate((excess * inside.collect(weights[:split]), weights[split:]))
            return np.asarray(weights[:split].sum() + ranked)[self.rank]

        return Likelihood(np.concatenate((inside.counts, own)), forward, backward)

    def exact_ratio(self) -> Fraction:
        """A/B, or its square if values differ in two bits: the ratio of a sensitive value against any other."""
        return self.ratio

    def chances(self, reports: Column) -> Exact:
        """The exact probabilities: inside reports from every label, own ones only from the label that they name."""
        s, names, beside = self.inner.labels, self.reports.heads(reports), self.beside(reports)
        ranked: Exact = np.full((self.labels, len(reports)), Fraction(0), object)
        inside, own = np.flatnonzero(names == 0), np.flatnonzero(names)
        ranked[:s, inside] = self.inner.chances(self.reports.within(reports[inside], 0))
        ranked[s:, inside] = (1 - self.own_chance) * beside[inside]
        ranked[s - 1 + names[own], own] = self.own_chance * beside[own]
        return np.asarray(ranked[self.rank])

    @property
    def instead(self) -> str:
        return "the plain mechanism over all labels"

    def mutual_information(self) -> float:
        """The mutual information of inside reports, plus that of own reports, each of which determines its label."""
        share = (self.labels - self.inner.labels) / self.labels
        return self.inside_information() + share * float(self.own_chance) * math.log(self.labels)

    def label_variances(self) -> Vector:
        return self.variances.variances(np.full(self.labels, 1 / self.labels))

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        return self.variances.risk_at(n, loss, None if truth is None else truth[self.order], target)


def sign_noise(inner: SignLaw, labels: int) -> Noise:
    """The noise of signs: holders of another label report both halves of the sensitive labels alike (acharya2019)."""
    ratio = inner.odds.ratio
    return Noise(inner.evidence, context.high_low_hadamard(ratio, inner.labels, labels), context.reach(ratio))


def support_noise(inner: SupportLaw, own_chance: Fraction, labels: int, closed: bool = False) -> Noise:
    """The noise of support counting: holders of another label support each sensitive one with probability h."""
    high, low, others = inner.support, Support.exact(own_chance, Fraction(0)), labels - inner.labels
    variances = context.supports([(high, inner.labels), (low, others)], closed)
    return Noise(inner.evidence, variances, max(leverage(high), leverage(low) if others else 0.0))


def set_noise(inner: SupportLaw, hiding: Hiding, labels: int, counts_per_report: int) -> Noise:
    """The noise of sets of sensitive labels: holders of another label report an even mixture of them."""
    all_sensitive = inner.labels == labels

    def evidence(n: int, counts: Counts) -> HidingEvidence:
        inside = int(counts.sum()) // counts_per_report
        return HidingEvidence(n, inner.count(counts), inside, hiding, all_sensitive)

    return Noise(evidence, designs.high_low(hiding, inner.labels, labels), hiding.leverage(all_sensitive))
