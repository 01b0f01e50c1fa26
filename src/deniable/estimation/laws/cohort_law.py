"""The law of hashed reports: a value becomes symbols of a random cohort; a regression over cohorts finds the shares."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from deniable.arrays import Column, Counts, Exact, Vector
from deniable.checks import check_distribution
from deniable.estimation.cohort_evidence import ROOM, CohortEvidence, fitted_together, regress
from deniable.estimation.cohort_risk import CohortRisk
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.decoders import HASHED, Decoded
from deniable.estimation.laws.law import Law, check_risk
from deniable.protocol.checks import check_choice
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.theory.crowd.blanket import Blanket
from deniable.theory.risk import hashed as theory
from deniable.theory.risk.support import Support, leverage, risk
from deniable.theory.risk.variance import Loss, Target

MOST_LABELS, MOST_SUMS = 1000, 1 << 26
"""Risks are exact up to so many labels, and their square times cohorts and hashes: a quarter of a second."""


@dataclass(frozen=True, eq=False)
class CohortLaw(Law):
    """``labels`` is the number of labels of a closed domain or of candidates of an open alphabet; 0 without candidates.

    ``support`` holds the probabilities that a report supports its holder's string and, by collision, another one, with
    many cohorts; ``survey`` combines counts with the symbols of the labels.
    """

    labels: int
    closed: bool
    support: Support
    largest_ratio: Fraction
    survey: Callable[[Counts], CohortSurvey]
    of_reports: Callable[[Column], Exact]
    information: Callable[[], float]
    symbols_per_label: float
    """In all cohorts: these times the hashes."""
    equations: int
    """How many independent counts of symbols all cohorts have."""
    even: Callable[[], CohortSurvey]
    """A survey with as many people in each cohort, whatever they report."""
    symbol: tuple[Fraction, Fraction] | None = None
    """The probabilities that a report holds its value's symbol, and another one; None of values with several."""

    @property
    def averages(self) -> bool:
        """False: only where cohorts tell all labels apart are estimates unbiased, of all reports together."""
        return False

    @property
    def leverage(self) -> float:
        return leverage(self.support)

    @property
    def decode_operations(self) -> float:
        """One table look-up per cohort and label; over an open alphabet for one label."""
        return 2.0 * self.symbols_per_label * (self.labels or 1)

    def evidence(self, n: int, counts: Counts) -> CohortEvidence:
        return regress(self.survey(counts))

    def likelihood(self, counts: Counts) -> None:
        """None: the decoders of hashed reports have a likelihood of their own."""
        raise CapacityError("hashed reports must be decoded by estimate, got their likelihood asked for")

    def check_decoder(self, decoder: str, prior: Iterable[float] | None = None) -> None:
        """Refuse a decoder that is not one of the four, or a prior, which none of them takes."""
        check_choice("decoder", decoder, HASHED)
        if prior is not None:
            raise ParameterError("prior must be left out for hashed reports, got one")

    def decoded(
        self, decoder: str, prior: Vector | None, n: int, counts: Counts, reports: Column | None = None
    ) -> Decoded:
        """The share of each label and, over an open alphabet, of all unlisted texts with its standard error."""
        evidence = self.evidence(n, counts)
        shares, unbiased = HASHED[decoder](evidence), evidence.unlisted
        unlisted = None if unbiased is None else (shares.unlisted, unbiased[1])
        return Decoded(shares.frequencies, evidence.unbiased(), decoder, evidence, unlisted)

    def chances(self, reports: Column) -> Exact:
        return self.of_reports(reports)

    def exact_ratio(self) -> Fraction:
        """The largest ratio among symbols; the cohort reveals nothing."""
        return self.largest_ratio

    def blanket(self) -> Blanket:
        """That of one symbol among those of its cohort, as two values may never collide; of several by their odds."""
        if self.symbol is None:
            return Blanket.generic(self.largest_ratio)
        return Blanket.supports(self.largest_ratio, *self.symbol)

    def mutual_information(self) -> float:
        return self.information()

    def noise(self, candidates: int) -> float:
        """The total variance of ``candidates`` against the people's own shares, times n."""
        return theory.noise(self.support, candidates) * self._stretched(candidates)

    def risk(self, n: int, loss: Loss, truth: Iterable[float] | None, target: Target) -> float:
        """The expected error of the unbiased decoder with these cohorts; an open alphabet needs a truth.

        Over a closed domain it is that of the least squares, with as many people in each cohort: exact for l2, for the
        others the limit of many people; without a truth a proven upper bound (see ``cohort_risk``); infinite where the
        cohorts do not tell all labels apart. It is approximate (``theory.stretched``) for more than 1,000 labels, where
        their square times the cohorts is above 2^26, and over an open alphabet. What is too much to be fitted at once
        (see ``regress``) gets the error with many cohorts, which is the least that it can have.
        """
        shares = None if truth is None else list(truth)
        d = self.labels if self.closed else len(shares or ())
        if not d:
            raise ParameterError("truth must be given for an open alphabet, a share for each candidate, got none")
        check_risk(n, loss, target)
        return self._error(d, n, loss, None if shares is None else check_distribution("truth", shares, d), target)

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        return self._error(self.labels, n, loss, truth, target)

    def _error(self, d: int, n: int, loss: Loss, p: Vector | None, target: Target) -> float:
        """The error for d labels or candidates: of these cohorts, or of many cohorts times about what few add."""
        if self._is_exact:
            return math.inf if self._exact is None else self._exact.risk(n, loss, p, target)
        factor = self._stretched(d)
        return risk(self.support, n, d, loss, p, target) * (factor if loss == "l2" else math.sqrt(factor))

    @property
    def told_apart(self) -> bool:
        if self._is_exact:
            return self._exact is not None
        return not self.closed or math.isfinite(self._stretched(self.labels))

    @property
    def _is_exact(self) -> bool:
        """Whether the labels are known, and few enough for their exact errors."""
        return self.closed and self.labels <= MOST_LABELS and self.labels**2 * self.symbols_per_label <= MOST_SUMS

    @cached_property
    def _exact(self) -> CohortRisk | None:
        """The variances with these cohorts; None where they cannot tell all labels apart."""
        if self.equations < self.labels - 1:
            return None
        return CohortRisk.of(self.even(), self.labels)

    def _stretched(self, strings: int) -> float:
        """How many times larger variances are than with many cohorts, about."""
        if fitted_together(strings, self.equations, closed=self.closed):
            return theory.stretched(strings, self.equations)
        return math.inf if self.closed and ROOM * strings > self.equations else 1.0
