"""A private item as a covariate of an outcome, which is open or private too (regression.md 7).

L = sum_z Q(R|z) rho_z(x; c) f(o|x, z; b), c and b fitted together: z given x is a multinomial logit on all covariates
of the outcome. The outcome's predictor for somebody with label z is x'b + t_z, t = 0 for the first label.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import special

from deniable.arrays import Matrix, Stack, Vector
from deniable.estimation.models.responses import LinkCurve, Response, RowTerms, diagonal, outer, spread


class OutcomeTerms(NamedTuple):
    """How likely the outcome is, f [rows, labels of z] (``value``), and derivatives of f, each divided by f.

    ``first`` and ``second`` are by the predictor, ``by_number`` by the number beside it, ``by_both`` once by each.
    """

    value: Matrix
    first: Matrix
    second: Matrix
    by_number: Matrix
    by_number_twice: Matrix
    by_both: Matrix


class OutcomeModel(ABC):
    """How likely an outcome is at a person's linear predictor."""

    numbers: int = 0
    """How many numbers it depends on besides the predictor: 0, or 1, such as the log of the errors' deviation."""

    @abstractmethod
    def terms(self, eta: Matrix, number: Vector | None, q: Stack, outcome: Vector | None) -> OutcomeTerms:
        """Chances f, times those of reports, Q(R|z, y): ``q`` is [rows, labels of z, labels of the outcome]."""

    @abstractmethod
    def weight(self, eta: Matrix, number: Vector | None) -> Matrix:
        """The information of an open outcome about its predictor."""


@dataclass(frozen=True)
class TwoOutcomes(OutcomeModel):
    """A yes or no, open (then its report is the answer itself) or private."""

    curve: LinkCurve

    def terms(self, eta: Matrix, number: Vector | None, q: Stack, outcome: Vector | None) -> OutcomeTerms:
        """``q`` [rows, labels of z, 2]: how likely a row's reports are with each label of z and with no or yes."""
        value = q[:, :, 0] * self.curve.value(-eta) + q[:, :, 1] * self.curve.value(eta)
        first, second = self.curve.slopes(eta)
        tilt = (q[:, :, 1] - q[:, :, 0]) / np.maximum(value, 1e-300)
        none = np.zeros_like(value)
        return OutcomeTerms(value, tilt * first, tilt * second, none, none, none)

    def weight(self, eta: Matrix, number: Vector | None) -> Matrix:
        slopes = self.curve.slopes(eta)[0]
        return np.asarray(slopes**2 / np.maximum(self.curve.value(eta) * self.curve.value(-eta), 1e-300))


@dataclass(frozen=True)
class NormalOutcome(OutcomeModel):
    """An open number with normal errors; its offset is the log of their standard deviation."""

    numbers = 1

    def terms(self, eta: Matrix, number: Vector | None, q: Stack, outcome: Vector | None) -> OutcomeTerms:
        """``q`` [rows, labels of z, 1]: how likely a row's report is with each label; ``number``: log deviations."""
        assert number is not None
        assert outcome is not None
        s = np.exp(number)[:, None]
        u = (outcome[:, None] - eta) / s
        value = q[:, :, 0] * np.exp(-u * u / 2) / (s * np.sqrt(2 * np.pi))
        grown = u * u - 1
        return OutcomeTerms(value, u / s, grown / s**2, grown, grown**2 - 2 * u * u, u * (u * u - 3) / s)

    def weight(self, eta: Matrix, number: Vector | None) -> Matrix:
        assert number is not None
        return np.broadcast_to(np.exp(-2 * number)[:, None], eta.shape)


@dataclass(frozen=True)
class PrivatePredictor(Response):
    """An outcome that depends on a private item z, of which a row knows the report.

    The predictors are, one after another: the log odds of each label of z against the first, the outcome's predictor
    for somebody with each label, and the number beside it if the outcome has one.
    """

    labels: int
    """How many labels z has."""
    outcome: OutcomeModel

    @property
    def predictors(self) -> int:
        return 2 * self.labels - 1 + self.outcome.numbers

    @property
    def on_covariates(self) -> Matrix:
        ones, k = np.zeros((self.predictors, self.labels)), self.labels
        ones[np.arange(k - 1), np.arange(k - 1)] = 1
        ones[k - 1 : 2 * k - 1, k - 1] = 1
        return ones

    @property
    def on_offsets(self) -> Matrix:
        ones, k = np.zeros((self.predictors, self.labels - 1 + self.outcome.numbers)), self.labels
        ones[np.arange(k, 2 * k - 1), np.arange(k - 1)] = 1
        ones[2 * k - 1 :, k - 1 :] = 1
        return ones

    def _parts(self, eta: Matrix) -> tuple[Matrix, Matrix, Vector | None]:
        """The chances of z, the outcome's predictors, its number."""
        k = self.labels
        shares = special.softmax(np.column_stack([np.zeros(len(eta)), eta[:, : k - 1]]), axis=1)
        return shares, eta[:, k - 1 : 2 * k - 1], eta[:, -1] if self.outcome.numbers else None

    def _joined(self, eta: Matrix, q: Matrix, outcome: Vector | None) -> tuple[Matrix, Vector, Matrix, OutcomeTerms]:
        """The shares of z by x alone, the chance of the row, the shares of z given the row, and the outcome's terms."""
        shares, predictors, number = self._parts(eta)
        terms = self.outcome.terms(predictors, number, q.reshape(len(q), self.labels, -1), outcome)
        parts = shares * terms.value
        chance = parts.sum(axis=1)
        return shares, chance, parts / chance[:, None], terms

    def terms(self, eta: Matrix, q: Matrix, outcome: Vector | None) -> RowTerms:
        k, (shares, chance, posterior, says) = self.labels, self._joined(eta, q, outcome)
        of_z, of_outcome = slice(k - 1), slice(k - 1, 2 * k - 1)
        slopes = np.zeros(eta.shape)
        slopes[:, of_z], slopes[:, of_outcome] = (posterior - shares)[:, 1:], posterior * says.first
        bend = np.zeros((len(eta), self.predictors, self.predictors))
        bend[:, of_z, of_z] = (spread(posterior) - spread(shares))[:, 1:, 1:]
        bend[:, of_z, of_outcome] = (spread(posterior) * says.first[:, None, :])[:, 1:]
        bend[:, of_outcome, of_outcome] = diagonal(posterior * says.second) - outer(posterior * says.first)
        if self.outcome.numbers:
            by_number = (posterior * says.by_number).sum(axis=1)
            slopes[:, -1] = by_number
            bend[:, of_z, -1] = (posterior * (says.by_number - by_number[:, None]))[:, 1:]
            bend[:, of_outcome, -1] = posterior * (says.by_both - says.first * by_number[:, None])
            bend[:, -1, -1] = (posterior * says.by_number_twice).sum(axis=1) - by_number**2
        upper = np.triu(np.ones((self.predictors, self.predictors)))
        bend = bend * upper + np.transpose(bend * np.triu(upper, 1), (0, 2, 1))
        return RowTerms(np.log(chance), slopes, -bend)

    def complete(self, eta: Matrix, q: Matrix, outcome: Vector | None) -> Stack:
        k, (shares, _, posterior, _) = self.labels, self._joined(eta, q, outcome)
        of_z, of_outcome = slice(k - 1), slice(k - 1, 2 * k - 1)
        information = np.zeros((len(eta), self.predictors, self.predictors))
        information[:, of_z, of_z] = spread(shares)[:, 1:, 1:]
        _, predictors, number = self._parts(eta)
        information[:, of_outcome, of_outcome] = diagonal(posterior * self.outcome.weight(predictors, number))
        if self.outcome.numbers:
            information[:, -1, -1] = 2
        return information
