"""Cohorts: a value becomes symbols of a random cohort, and a regression over all cohorts finds the shares again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import get_args

from deniable.arrays import Column, Counts, Exact, Vector
from deniable.errors import CapacityError, ParameterError
from deniable.estimation.cohort_evidence import CohortEvidence, regress
from deniable.estimation.cohort_forms import Form, decode
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.decoders import Decoded
from deniable.estimation.laws.law import Law, check_risk
from deniable.theory.risk import hashed as theory
from deniable.theory.risk.support import Support, leverage, risk
from deniable.theory.risk.variance import Loss, Target

FORMS: dict[str, Form] = {form: form for form in get_args(Form)}
"""The decoders by name."""


@dataclass(frozen=True, eq=False)
class CohortLaw(Law):
    """``labels`` are those of a closed domain or the candidates of an open alphabet; 0 where none are listed.

    ``support`` is how often a report supports a string, its holder's and with collisions another's, where cohorts are
    many; ``survey`` sets counts beside the symbols of the labels.
    """

    labels: int
    closed: bool
    support: Support
    largest_ratio: Fraction
    survey: Callable[[Counts], CohortSurvey]
    of_reports: Callable[[Column], Exact]
    information: Callable[[], float]
    looks: float
    """Cohorts times hashes."""

    @property
    def leverage(self) -> float:
        """(1 - h)/(g - h), collisions mixed in."""
        return leverage(self.support)

    @property
    def decode_operations(self) -> float:
        """A look at every cohort for every label; for one label over an open alphabet."""
        return 2.0 * self.looks * (self.labels or 1)

    def evidence(self, n: int, counts: Counts) -> CohortEvidence:
        """The regression."""
        return regress(self.survey(counts))

    def likelihood(self, counts: Counts) -> None:
        """Decoders of surveys by cohorts have a likelihood of their own."""
        raise CapacityError("hashed reports must be decoded by estimate, got their likelihood asked for")

    def check_decoder(self, decoder: str, prior: Iterable[float] | None = None) -> None:
        """One of four; none of them takes a prior."""
        if decoder not in FORMS:
            raise ParameterError(f"decoder must be one of {', '.join(FORMS)}, got decoder={decoder!r}")
        if prior is not None:
            raise ParameterError("prior must be left out for hashed reports, got one")

    def decoded(
        self, decoder: str, prior: Vector | None, n: int, counts: Counts, reports: Column | None = None
    ) -> Decoded:
        """The share of each label, and over an open alphabet of everything that is not listed."""
        evidence = self.evidence(n, counts)
        found, rest = decode(evidence, FORMS[decoder]), evidence.unlisted
        unlisted = None if rest is None else (found.unlisted, rest[1])
        return Decoded(found.frequencies, evidence.unbiased(), decoder, evidence, unlisted)

    def chances(self, reports: Column) -> Exact:
        """Of a closed domain's labels."""
        return self.of_reports(reports)

    def exact_ratio(self) -> Fraction:
        """Of symbols; the cohort says nothing."""
        return self.largest_ratio

    def mutual_information(self) -> float:
        """From the channel, where it is small."""
        return self.information()

    def noise(self, candidates: int) -> float:
        """N times the summed variance of so many candidates against the people's own shares, with many cohorts."""
        return theory.noise(self.support, candidates)

    def risk(self, n: int, loss: Loss, truth: Iterable[float] | None, target: Target) -> float:
        """The predicted error of the unbiased decoder with many cohorts; an open alphabet needs a truth.

        Too few cohorts to tell the strings apart (fewer than strings over symbols) err more, however many people.
        """
        known = None if truth is None else list(truth)
        d = self.labels if self.closed else len(known or ())
        if not d:
            raise ParameterError("truth must be given for an open alphabet, a share for each candidate, got none")
        return risk(self.support, n, d, loss, check_risk(n, loss, known, target, d), target)

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        """Of the labels at hand."""
        return risk(self.support, n, self.labels, loss, truth, target)
