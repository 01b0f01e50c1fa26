"""Support counting: a report supports a set of labels, and the inversion of (g, h) works for nearly every family."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Exact, Flags, Vector
from deniable.estimation.decoders import Likelihood
from deniable.estimation.evidence import SupportEvidence
from deniable.estimation.laws.law import Law
from deniable.estimation.laws.supports import IndexSupports, Sums, Supports, two_level_chances
from deniable.protocol.errors import ParameterError
from deniable.theory.crowd.blanket import Blanket
from deniable.theory.risk import support as theory
from deniable.theory.risk.joint_support import JointSupport
from deniable.theory.risk.support import Support
from deniable.theory.risk.variance import Loss, Target

CHECKED = 1 << 10
"""Up to so many labels a law looks whether its probabilities fit together: larger ones are made alike."""


@dataclass(frozen=True, eq=False)
class SupportLaw(Law):
    """Every label is supported with probability g by its holders' reports and with h by all others'.

    So ``(f_j / n - h) / (g - h)`` is unbiased for its frequency, where ``f_j`` reports support label j. ``closed`` says
    that all reports support the same number of labels, so that the estimates add up to 1; ``count`` turns a tally's
    counts into support counts.
    """

    labels: int
    exact_support: tuple[Fraction, Fraction]
    largest_ratio: Fraction
    reports: Supports
    information: Callable[[], float]
    closed: bool
    count: Callable[[Counts], Counts] = np.asarray
    operations: float | None = None
    symmetric: bool = True
    """Whether the law stays the same if labels are renamed, so that any two of them are supported together alike."""
    permanent: Support | None = None
    """Of reports that are remembered the g and h of the permanent ones."""

    def __post_init__(self) -> None:
        if self.permanent is not None or not 1 < self.labels <= CHECKED:
            return
        if isinstance(self.reports, IndexSupports) and not self.reports.known:
            self.reports.check(self.labels, self.exact_support)

    @property
    def told_apart(self) -> bool:
        g, h = self.exact_support
        return g != h

    @cached_property
    def support(self) -> Support:
        """The realised g and h as floats, with their exact gap."""
        return Support.exact(*self.exact_support)

    @cached_property
    def joint(self) -> JointSupport | None:
        """How two labels are supported together; None where that depends on which two they are."""
        return JointSupport.of(self.support, self.labels, self.closed) if self.symmetric and self.labels > 1 else None

    @property
    def leverage(self) -> float:
        return theory.leverage(self.support)

    @property
    def decode_operations(self) -> float:
        """Two operations per label, unless support counts take more work."""
        return 2.0 * self.labels if self.operations is None else self.operations

    def evidence(self, n: int, counts: Counts) -> SupportEvidence:
        return SupportEvidence(n, self.count(counts), self.support, self.permanent, self.joint)

    def likelihood(self, counts: Counts) -> Likelihood | None:
        return self._likelihood(self.sums(counts))

    def report_likelihood(self, reports: Column) -> Likelihood | None:
        return self._likelihood(self.report_sums(reports))

    def sums(self, counts: Counts) -> Sums | None:
        """Sums over the labels that reports support; None for counts of packed bits."""
        return self.reports.sums(counts)

    def report_sums(self, reports: Column) -> Sums | None:
        """Sums over the labels that packed reports support."""
        return self.reports.report_sums(reports)

    def _likelihood(self, sums: Sums | None) -> Likelihood | None:
        return None if sums is None else sums.likelihood(float(self.largest_ratio))

    def supports(self, reports: Column) -> Flags:
        """Which labels (columns) each report (rows) supports."""
        return self.reports.table(reports)

    def support_chances(self, value: int) -> Vector:
        """The probability that each label is supported by a report of ``value``: g for itself, else h."""
        chances = np.full(self.labels, self.support.h)
        chances[value] = self.support.g
        return chances

    def chances(self, reports: Column) -> Exact:
        """The exact probabilities, which have two levels per report."""
        return two_level_chances(self.reports.table(reports), self.reports.levels(reports))

    def exact_ratio(self) -> Fraction:
        """A/B, or its square if two values differ in two bits."""
        return self.largest_ratio

    def blanket(self) -> Blanket:
        """From g and h, which tell what two labels have in common: exact, or larger where levels depend on reports."""
        return Blanket.supports(self.largest_ratio, *self.exact_support, labels=self.labels)

    def mutual_information(self) -> float:
        return self.information()

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        """The predicted error; without a truth at the uniform one, the worst case for l2 and the limit of l1."""
        return theory.risk(self.support, n, self.labels, loss, truth, target, closed=self.closed)


def support_of(law: Law) -> Support:
    """The g and h of a law of support counting; other laws are refused."""
    if not isinstance(law, SupportLaw):
        raise ParameterError(f"mechanism must count supports, as Subset does, got one with a {type(law).__name__}")
    return law.support
