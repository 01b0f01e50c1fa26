"""The protocol of all laws: estimates with errors, risks, likelihoods, and exact probabilities of reports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from deniable.arrays import Column, Counts, Exact, Vector
from deniable.checks import check_distribution, check_users
from deniable.estimation.decoders import COMPOSITE, LIKELY, LINEAR, Decoded, Likelihood, check_prior
from deniable.estimation.evidence import Evidence, SupportEvidence
from deniable.estimation.simplex import Totals, normalize, project
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.rows import Ratio
from deniable.theory.crowd.blanket import Blanket
from deniable.theory.risk.variance import Loss, Target


class Law(ABC):
    """How counts of reports depend on people's values, and what can be concluded from them.

    A law is an immutable value: it knows labels by number, but not how reports are stored or which mechanism draws
    them.
    """

    labels: int
    """How many labels the people may hold."""

    adds_up: ClassVar[bool] = True
    """Whether everybody holds exactly one label, so that shares add up to 1."""

    @property
    @abstractmethod
    def leverage(self) -> float:
        """How many honest people one fake report can count for, at most, in the share of one label."""

    @property
    @abstractmethod
    def decode_operations(self) -> float:
        """About how many additions turn one tally into estimates."""

    @abstractmethod
    def evidence(self, n: int, counts: Counts) -> Evidence:
        """The evidence of the counts of ``n`` reports about each label: unbiased shares, errors and intervals."""

    @abstractmethod
    def likelihood(self, counts: Counts) -> Likelihood | None:
        """The likelihood of counts, or None if counts do not determine it."""

    def report_likelihood(self, reports: Column) -> Likelihood | None:
        """The likelihood of the reports themselves, for laws whose counts do not determine it."""
        return None

    @abstractmethod
    def exact_ratio(self) -> Ratio:
        """The largest ratio that the guarantee bounds, in closed form from the realised integers."""

    @abstractmethod
    def chances(self, reports: Column) -> Exact:
        """The exact probability [labels, reports] of each of these reports from each label."""

    @property
    def instead(self) -> str | None:
        """What a crowd can hide instead, where it hides none of these reports; None where it may."""
        return None

    def blanket(self) -> Blanket | None:
        """What hides a report in a crowd, at the worst pair of values; None where only the channel tells it."""
        return None

    @abstractmethod
    def mutual_information(self) -> float:
        """The mutual information in nats of a uniform value and its report."""

    @abstractmethod
    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        """``risk``, with arguments that are already checked."""

    def risk(self, n: int, loss: Loss, truth: Iterable[float] | None, target: Target) -> float:
        """The expected error of the unbiased decoder for ``n`` people; arguments as for ``Mechanism.risk``."""
        check_risk(n, loss, target)
        return self.error(n, loss, None if truth is None else self.check_truth(truth), target)

    def label_variances(self) -> Vector:
        """The variance of one report about each label, in any order, if all are equally frequent."""
        even = np.full(self.labels, 1 / self.labels)
        return np.full(self.labels, self.risk(1, "l2", even, "population") / self.labels)

    def check_truth(self, truth: Iterable[float]) -> Vector:
        """The true shares as an array: a distribution over the labels."""
        return check_distribution("truth", truth, self.labels)

    @property
    def averages(self) -> bool:
        """Whether an estimate is the average of unbiased ones, each from a single report."""
        return True

    def totals(self, n: int, counts: Counts) -> Totals | None:
        """What groups of labels have together, where the reports tell it without noise; every decoder keeps it."""
        return None

    @property
    def told_apart(self) -> bool:
        """Whether an unbiased estimate of every label's share exists."""
        return True

    def check_decoder(self, decoder: str, prior: Iterable[float] | None = None) -> Vector | None:
        """The prior as an array, or None; refuses unknown decoders, and a prior for any but "posterior"."""
        return check_prior(decoder, prior, self.labels)

    def decoded(
        self, decoder: str, prior: Vector | None, n: int, counts: Counts, reports: Column | None = None
    ) -> Decoded:
        """The shares by a checked decoder, from counts and, if given, the reports themselves."""
        evidence, totals, linear = self.evidence(n, counts), self.totals(n, counts), LINEAR.get(decoder)
        if linear is project and totals is None and isinstance(evidence, SupportEvidence):
            unbiased, shares = evidence.projected()
            return Decoded(shares, unbiased, decoder, evidence)
        unbiased = evidence.unbiased()
        if linear is np.asarray:  # which keeps totals as it is
            return Decoded(unbiased, unbiased, decoder, evidence)
        if linear is not None:
            shares = linear(unbiased) if totals is None else totals.apply(linear, unbiased)
            return Decoded(shares, unbiased, decoder, evidence)
        likelihood = self.likelihood(counts)
        if likelihood is None and reports is not None:
            likelihood = self.report_likelihood(reports)
        shares = LIKELY[decoder](evidence, likelihood, prior)
        if totals is not None:  # what the search missed them by
            shares = totals.apply(normalize, shares)
        return Decoded(shares, unbiased, COMPOSITE if likelihood is None else decoder, evidence)


def check_risk(n: int, loss: str, target: str) -> None:
    """Refuse arguments of ``risk`` that are none; the truth is checked by the law."""
    check_users(n)
    if loss not in ("l2", "l1", "linf"):
        raise ParameterError(f'loss must be "l2", "l1" or "linf", got loss={loss!r}')
    if target not in ("population", "sample"):
        raise ParameterError(f'target must be "population" or "sample", got target={target!r}')
