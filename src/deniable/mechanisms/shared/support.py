"""Support counting: a report supports a set of labels, and one inversion of (g, h) serves nearly every family."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts
from deniable.errors import CapacityError
from deniable.estimation.evidence import SupportEvidence
from deniable.mechanisms.mechanism import Mechanism
from deniable.privacy.odds import Odds
from deniable.reports.tally import Tally
from deniable.theory.risk import support as theory
from deniable.theory.risk.support import Support
from deniable.theory.risk.variance import Loss, Target
from deniable.values.domain import Domain


class TwoLevel(Mechanism):
    """A report is A/B times likelier from the labels it supports than from the others; no more need be known."""

    domain: Domain

    @property
    @abstractmethod
    def odds(self) -> Odds:
        """The integers A:B that decide the coins."""

    @abstractmethod
    def supports(self, reports: Column) -> npt.NDArray[np.bool_]:
        """Which labels (columns) each report (rows) supports."""

    @abstractmethod
    def levels(self, reports: Column) -> list[tuple[Fraction, Fraction]]:
        """Each report's probability from a label it supports, and from one it does not."""

    @abstractmethod
    def support_chances(self, value: int) -> npt.NDArray[np.float64]:
        """The probability that each label is supported by a report of ``value``."""

    def _certify(self) -> None:
        """Refuse at the door what has no odds in 64 bits."""
        if self.odds.ratio <= 1:
            raise CapacityError("a mechanism must have odds above 1, got none")

    def exact_ratio(self) -> Fraction | float:
        """A/B."""
        return self.odds.ratio

    def exact_rows(self) -> npt.NDArray[np.object_]:
        """The realised channel: the higher level where a report supports the input."""
        reports = self.all_reports()
        rows = np.empty((len(self.domain), self.outputs), object)
        for y, (held, (high, low)) in enumerate(zip(self.supports(reports), self.levels(reports), strict=True)):
            rows[held, y], rows[~held, y] = high, low
        return rows


class SupportCounting(TwoLevel):
    """Every label is supported with probability g by its own reports and h by any others'.

    So ``(f_j / n - h) / (g - h)`` is unbiased for its frequency.
    """

    @property
    @abstractmethod
    def exact_support(self) -> tuple[Fraction, Fraction]:
        """The realised g and h."""

    @cached_property
    def support(self) -> Support:
        """The realised g and h as floats, with their exact gap."""
        return Support.exact(*self.exact_support)

    def support_chances(self, value: int) -> npt.NDArray[np.float64]:
        """G for the value itself, h for every other label."""
        chances = np.full(len(self.domain), self.support.h)
        chances[value] = self.support.g
        return chances

    @property
    def leverage(self) -> float:
        """(1 - h)/(g - h): the most that a fake report lifts one label, in people."""
        return theory.leverage(self.support)

    @property
    def decode_operations(self) -> float:
        """Two operations a label."""
        return 2.0 * len(self.domain)

    def support_counts(self, counts: Counts) -> Counts:
        """How many reports supported each label; a tally holds just that unless a family says otherwise."""
        return counts

    def evidence(self, tally: Tally) -> SupportEvidence:
        """The support counts with their law."""
        return SupportEvidence(tally.n, self.support_counts(tally.counts), self.support)

    def risk(
        self, n: int, loss: Loss = "l2", truth: Iterable[float] | None = None, target: Target = "population"
    ) -> float:
        """The predicted error of the unbiased decoder; without a truth, at the uniform one.

        That is the worst case of l2 and of l1's limit. Against the sample, l1 is its limit for many people. "linf", the
        largest absolute error, is its limit from above, half of l1 for two or three labels that add up to 1.

        >>> import deniable as dn
        >>> round(dn.Subset(16, 1.0).risk(10_000, "linf", [1 / 16] * 16, target="sample"), 5)
        0.03708
        """
        p = self.check_risk(n, loss, truth, target)
        alike = self.marks is not None
        return theory.risk(self.support, n, len(self.domain), loss, p, target, closed=alike)
