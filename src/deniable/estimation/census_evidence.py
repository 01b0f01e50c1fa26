"""Evidence of the shares among the people of a census, from what the reports of some or all of them say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from deniable.arrays import Counts, Matrix, Vector
from deniable.estimation.binomial import quantile
from deniable.estimation.census import FEW, SAMPLE_ERROR_NOTE, narrowed_bounds, spread_of_shares, variance_among
from deniable.estimation.evidence import Evidence, JoinedEvidence, JointlyKnown, SignedEvidence, SupportEvidence
from deniable.estimation.hypergeometric import holders_among
from deniable.estimation.lists_evidence import AskedEvidence
from deniable.estimation.sources import EXACT, CombinedEvidence, less_spread
from deniable.protocol.say import Phrase, Statement
from deniable.theory.risk.variance import Target

NARROWED = Statement("intervals_are_approximate_normal")
LARGEST = 1 << 30
"""Of more people, those who told are as good as drawn without end."""


class SupportCounts(NamedTuple):
    """How many of the people who told of each label support it: holders with probability g, others with h."""

    counts: Counts
    told: int | Counts
    g: float
    h: float


@dataclass(frozen=True, slots=True, eq=False)
class CensusEvidence:
    """Shares among ``size`` people, from evidence that was counted among some or all of them.

    >>> from deniable.theory.risk.support import Support
    >>> plain = SupportEvidence(100, np.array([60, 40]), Support(0.75, 0.25, 0.5))
    >>> of_all = CensusEvidence(plain, 100)
    >>> bool((of_all.stderr() == plain.stderr("sample")).all())
    True
    >>> of_all.interval(0.05)[0].round(2).tolist(), CensusEvidence(plain, 200).interval(0.05)[0].round(2).tolist()
    ([0.53, 0.88], [0.51, 0.88])
    """

    plain: Evidence
    size: int

    @property
    def n(self) -> int:
        """How many people answered."""
        return self.plain.n

    @property
    def notes(self) -> tuple[Phrase, ...]:
        """What to say of the intervals, and what the plain evidence has to say."""
        notes: tuple[Phrase, ...] = getattr(self.plain, "notes", ())
        if self._is_exact:
            return notes
        if self._keeps_sample_error:
            return (SAMPLE_ERROR_NOTE, *notes)
        return (NARROWED, *(note for note in notes if note != EXACT))

    @property
    def _is_of_all(self) -> bool:
        """Whether everybody told, and the plain evidence has intervals for the people who did."""
        return self.n == self.size and not isinstance(self.plain, CombinedEvidence)

    @property
    def _is_exact(self) -> bool:
        """Whether bounds about so many people are known by themselves, and not from those about people without end."""
        return _counted(self.plain) is not None or self._is_of_all

    @property
    def _keeps_sample_error(self) -> bool:
        """Whether all that is known are the errors and the intervals of a sample."""
        return self.n < FEW and not self._is_exact

    @property
    def step(self) -> float:
        """One of so many people, by which exact bounds go."""
        return 1 / self.size if self._is_exact else 0.0

    def unbiased(self) -> Vector:
        """The unbiased estimate of each share; it is the same among so many people as without end."""
        return self.plain.unbiased()

    def stderr(self, target: Target = "population") -> Vector:
        """The error without what each share has in common with that among all, never below the protection's own."""
        protection = self.plain.stderr("sample")
        if target == "sample":
            return protection
        if self._keeps_sample_error:
            return self.plain.stderr()
        return np.maximum(less_spread(self.plain.stderr(), self.unbiased(), self.size), protection)

    def contrast_variance(self, weights: Vector) -> float | None:
        """The variance of a weighted sum of shares that add up; None where it is not known."""
        drawn = self.plain.contrast_variance(weights) if isinstance(self.plain, JointlyKnown) else None
        return drawn if drawn is None or self._keeps_sample_error else self._narrowed_variance(drawn, weights)

    def _narrowed_variance(self, variance: float, weights: Vector) -> float:
        """The variance of a weighted sum of shares of which everybody has one, from that about people without end."""
        p = np.clip(self.unbiased(), 0, 1)
        return variance_among(variance, max(float(weights**2 @ p - (weights @ p) ** 2), 0.0), self.size)

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Exact where reports are counted by support; where all told, what the plain evidence has for those who did.

        Others are the ``narrowed_bounds`` of a sample. A bound at an end is that of a sample too: of none and of all
        nobody differs, and bounds that are added up must not have been cut (see ``bounds_to_add``).
        """
        if target == "sample":
            return self.plain.interval(alpha, "sample")
        drawn = self.plain.interval(alpha)
        if self._keeps_sample_error:
            return drawn
        inner = self._inner(drawn, alpha)
        below = np.where(inner <= 0, np.minimum(inner, drawn), inner)
        return np.where(inner >= 1, np.maximum(inner, drawn), below)

    def _inner(self, drawn: Matrix, alpha: float) -> Matrix:
        """Bounds about so many people, which may be cut off at none and at all of them."""
        counted = _counted(self.plain)
        if counted is not None:
            return holders_among(counted.counts, counted.told, self.size, counted.g, counted.h, alpha) / self.size
        if self._is_of_all:
            return self.plain.interval(alpha, "sample")
        return narrowed_bounds(
            self.unbiased(), drawn, quantile(alpha / 2), spread_of_shares, self.size, self.plain.stderr("sample")
        )


def evidence_among(plain: Evidence, size: float) -> Evidence:
    """The evidence about so many people; of several groups of labels, of each of them."""
    if size > LARGEST:
        return plain
    if isinstance(plain, JoinedEvidence):
        return JoinedEvidence(tuple(evidence_among(group, size) for group in plain.groups), plain.places)
    return CensusEvidence(plain, int(size))


def _counted(plain: Evidence) -> SupportCounts | None:
    """The counts of reports in support of each label, if that is what the evidence is."""
    if isinstance(plain, SupportEvidence):
        return SupportCounts(plain.counts, plain.n, plain.support.g, plain.support.h)
    if isinstance(plain, AskedEvidence):
        return SupportCounts(plain.yes, plain.asked, plain.support.g, plain.support.h)
    if isinstance(plain, SignedEvidence) and plain.all_land:
        return SupportCounts(plain.plus, plain.n, 0.5 + plain.gain, 0.5)
    return None
