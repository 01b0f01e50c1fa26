"""Checklists: shares of labels of which people hold several or none, each by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from deniable.arrays import Column, Counts, Exact, Vector
from deniable.checks import check_shares
from deniable.estimation.decoders import LISTED, Decoded
from deniable.estimation.evidence import Evidence, SupportEvidence
from deniable.estimation.laws.law import Law
from deniable.estimation.lists_evidence import AskedEvidence
from deniable.protocol.errors import ParameterError
from deniable.theory.crowd.blanket import Blanket
from deniable.theory.risk.support import Support
from deniable.theory.risk.support import leverage as leverage_of
from deniable.theory.risk.variance import Loss, Target, combined


@dataclass(frozen=True, eq=False)
class ListsLaw(Law):
    """A label is supported with probability g by reports of those who hold it and are asked for it, with h by others.

    Everybody is asked for one label of ``spread``, chosen at random. ``read`` turns counts into evidence; ``likely``
    gives the exact probability [lists, reports] of reports from each list of few labels.
    """

    adds_up: ClassVar[bool] = False
    labels: int
    exact_support: tuple[Fraction, Fraction]
    largest_ratio: Fraction
    read: Callable[[int, Counts], Evidence]
    likely: Callable[[Column], Exact]
    information: Callable[[], float]
    spread: float = 1.0
    permanent: Support | None = None
    """Of reports that are remembered the g and h of the permanent ones."""
    overlap: tuple[Fraction, Fraction] | None = None
    """How probably an even report fits a list, and how probably it fits both of two that have the least in common.

    None where single labels are protected, and not whole lists.
    """

    @cached_property
    def support(self) -> Support:
        """The realised g and h as floats, with their exact gap."""
        return Support.exact(*self.exact_support)

    @property
    def averages(self) -> bool:
        """Whether everybody is asked for every label; otherwise an estimate is a ratio."""
        return self.spread == 1

    @property
    def leverage(self) -> float:
        """(1 - h)/(g - h) for each label asked, times how few are asked for it."""
        return self.spread * leverage_of(self.support)

    @property
    def decode_operations(self) -> float:
        return 2.0 * self.labels

    def evidence(self, n: int, counts: Counts) -> Evidence:
        evidence = self.read(n, counts)
        if self.permanent is not None and isinstance(evidence, AskedEvidence):
            return replace(evidence, permanent=self.permanent)
        if self.permanent is not None and isinstance(evidence, SupportEvidence):
            return evidence._replace(permanent=self.permanent)
        return evidence

    def likelihood(self, counts: Counts) -> None:
        """None: the shares of labels do not determine how likely reports are."""
        return

    def exact_ratio(self) -> Fraction:
        """A/B, the largest ratio of the pairs of lists that the guarantee is about."""
        return self.largest_ratio

    @property
    def instead(self) -> str | None:
        return None if self.overlap else "AskedItems, which protects whole lists"

    def blanket(self) -> Blanket | None:
        """Of two lists that have nothing in common."""
        return Blanket.two_level(self.largest_ratio, *self.overlap) if self.overlap else None

    def chances(self, reports: Column) -> Exact:
        return self.likely(reports)

    def mutual_information(self) -> float:
        return self.information()

    def check_truth(self, truth: Iterable[float]) -> Vector:
        """The true shares: each from 0 to 1, of any sum."""
        return check_shares("truth", truth, self.labels)

    def check_decoder(self, decoder: str, prior: Iterable[float] | None = None) -> None:
        """Refuse decoders that make shares add up to 1, and priors."""
        if decoder not in LISTED:
            raise ParameterError(
                f"decoder must be one of {', '.join(LISTED)} for lists of labels, whose shares do not add up, "
                f"got decoder={decoder!r}"
            )
        if prior is not None:
            raise ParameterError("prior must be left out for lists of labels, got one")

    def decoded(
        self, decoder: str, prior: Vector | None, n: int, counts: Counts, reports: Column | None = None
    ) -> Decoded:
        """The unbiased shares, or each cut to 0..1 by itself, which only brings it nearer."""
        evidence = self.evidence(n, counts)
        unbiased = evidence.unbiased()
        return Decoded(LISTED[decoder](unbiased), unbiased, decoder, evidence)

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        """The predicted error, l1 and linf in their limits; without a truth every label has the worst share.

        Where people are asked for some of the labels, the number asked for each is taken to be the expected one.
        """
        shares = np.full(self.labels, self._worst_share(target)) if truth is None else truth
        return combined(self._variances(shares, target) / n, loss)

    def _variances(self, shares: Vector, target: Target) -> Vector:
        """The variance of each label for one person: the noise, and the luck of who is drawn and asked.

        Asked of a label are n / spread people. Their share varies by spread p (1 - p) / n around the population's, and
        around that of those who answered, without replacement, by (spread - 1) p (1 - p) / n.
        """
        s = self.support
        noise = (shares * s.g * s.miss + (1 - shares) * s.h * (1 - s.h)) / s.gap**2
        drawn = self.spread - (target == "sample")
        return np.asarray(self.spread * noise + drawn * shares * (1 - shares))

    def _worst_share(self, target: Target) -> float:
        """The share of largest variance, which is a concave parabola."""
        ends = self._variances(np.array([0.0, 0.5, 1.0]), target)
        bend = 2 * float(2 * ends[1] - ends[0] - ends[2])
        slope = float(ends[2] - ends[0])
        return float(np.clip(0.5 + slope / (2 * bend), 0, 1)) if bend > 0 else float(slope > 0)
