"""How likely each label is at a person's linear predictors, and what a report then says of them (regression.md 2).

A report counts by L = sum_y q_y pi_y, q_y its probability from label y: whatever the mechanism, nothing else of it is
asked for. ``tau_y = q_y pi_y / L`` is what the report leaves of the labels. Derivatives are those by the predictors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import special

from deniable.arrays import Matrix, Stack, Vector


class RowTerms(NamedTuple):
    """Of each row the log-likelihood, its slopes [rows, predictors] and the information [rows, predictors, same]."""

    log: Vector
    slopes: Matrix
    information: Stack


class Response(ABC):
    """What people answer, with chances that follow from some linear predictors of each person."""

    @property
    def predictors(self) -> int:
        """How many linear predictors a person has."""
        return len(self.on_covariates)

    @property
    @abstractmethod
    def on_covariates(self) -> Matrix:
        """[predictors, rows of coefficients]: how often each row of coefficients is part of each predictor."""

    @property
    def on_offsets(self) -> Matrix:
        """[predictors, numbers]: the same of offsets, which belong to no covariate, such as cuts; mostly none."""
        return np.zeros((self.predictors, 0))

    @abstractmethod
    def terms(self, eta: Matrix, q: Matrix, outcome: Vector | None) -> RowTerms:
        """What each row says: ``q`` are its report's chances [rows, states], ``outcome`` is open where there is one."""

    @abstractmethod
    def complete(self, eta: Matrix, q: Matrix, outcome: Vector | None) -> Stack:
        """The information as if labels were known; it is never negative, so that steps by it always rise."""

    def unconstrained(self, offsets: Vector) -> Vector:
        """Numbers that may be anything, in the place of offsets that may not, such as cuts, which ascend."""
        return offsets

    def offsets_with_derivatives(self, unconstrained: Vector) -> tuple[Vector, Matrix, Matrix]:
        """Their offsets, with first derivatives, and second ones [offsets, unconstrained], which mix no two."""
        size = len(unconstrained)
        return unconstrained, np.eye(size), np.zeros((size, size))


class LabelResponse(Response):
    """A response without an open outcome: each predictor says something of one label or of a cut between two."""

    @abstractmethod
    def shares(self, eta: Matrix) -> Matrix:
        """The chances [rows, labels]."""

    @abstractmethod
    def share_slopes(self, eta: Matrix) -> Stack:
        """Their derivatives [rows, labels, predictors]."""

    def complete(self, eta: Matrix, q: Matrix, outcome: Vector | None = None) -> Stack:
        return self.expected(eta, np.eye(q.shape[1]))

    def expected(self, eta: Matrix, channel: Matrix) -> Stack:
        """The expected information of reports of a channel [reports, labels]."""
        chances = self.shares(eta) @ channel.T
        slopes = np.einsum("ry,nyj->nrj", channel, self.share_slopes(eta))
        scaled = slopes / np.maximum(chances, 1e-300)[:, :, None]
        return np.asarray(np.einsum("nrj,nrk->njk", slopes, scaled), np.float64)


class LinkCurve(NamedTuple):
    """A distribution function with its first two derivatives."""

    value: Callable[[Vector], Vector]
    slopes: Callable[[Vector], tuple[Vector, Vector]]


def _logit_slopes(eta: Vector) -> tuple[Vector, Vector]:
    p, q = special.expit(eta), special.expit(-eta)
    return p * q, p * q * (q - p)


def _probit_slopes(eta: Vector) -> tuple[Vector, Vector]:
    density = np.exp(-eta * eta / 2) / np.sqrt(2 * np.pi)
    return density, -eta * density


LOGIT = LinkCurve(special.expit, _logit_slopes)
PROBIT = LinkCurve(special.ndtr, _probit_slopes)


@dataclass(frozen=True)
class TwoLabels(LabelResponse):
    """Two labels, the second of which is the event.

    >>> eta, warner = np.array([[0.0]]), np.array([[0.25, 0.75]])
    >>> [part.ravel().round(4).tolist() for part in TwoLabels(LOGIT).terms(eta, warner, None)]
    [[-0.6931], [0.25], [0.0625]]
    """

    curve: LinkCurve

    @property
    def on_covariates(self) -> Matrix:
        return np.ones((1, 1))

    def shares(self, eta: Matrix) -> Matrix:
        return np.stack([self.curve.value(-eta[:, 0]), self.curve.value(eta[:, 0])], axis=1)

    def share_slopes(self, eta: Matrix) -> Stack:
        slope = self.curve.slopes(eta[:, 0])[0]
        return np.stack([-slope, slope], axis=1)[:, :, None]

    def terms(self, eta: Matrix, q: Matrix, outcome: Vector | None = None) -> RowTerms:
        one = eta[:, 0]
        chance = q[:, 0] * self.curve.value(-one) + q[:, 1] * self.curve.value(one)
        first, second = self.curve.slopes(one)
        tilt = (q[:, 1] - q[:, 0]) / chance
        slopes = tilt * first
        return RowTerms(np.log(chance), slopes[:, None], (slopes * slopes - tilt * second)[:, None, None])


@dataclass(frozen=True)
class ManyLabels(LabelResponse):
    """The multinomial logit: predictor j is the log of label j's chance over that of the first label."""

    labels: int

    @property
    def on_covariates(self) -> Matrix:
        return np.eye(self.labels - 1)

    def shares(self, eta: Matrix) -> Matrix:
        return np.asarray(special.softmax(np.column_stack([np.zeros(len(eta)), eta]), axis=1), np.float64)

    def share_slopes(self, eta: Matrix) -> Stack:
        return spread(self.shares(eta))[:, :, 1:]

    def terms(self, eta: Matrix, q: Matrix, outcome: Vector | None = None) -> RowTerms:
        shares = self.shares(eta)
        parts = q * shares
        chance = parts.sum(axis=1)
        posterior = parts / chance[:, None]
        return RowTerms(np.log(chance), (posterior - shares)[:, 1:], (spread(shares) - spread(posterior))[:, 1:, 1:])


@dataclass(frozen=True)
class Ordered(LabelResponse):
    """Ordered labels: predictor j is cut j less x'b, the logit of the chance of at most label j."""

    labels: int

    @property
    def on_covariates(self) -> Matrix:
        return -np.ones((self.labels - 1, 1))

    @property
    def on_offsets(self) -> Matrix:
        return np.eye(self.labels - 1)

    def shares(self, eta: Matrix) -> Matrix:
        up = special.expit(eta)
        return np.column_stack([up[:, 0], np.diff(up, axis=1), special.expit(-eta[:, -1])])

    def share_slopes(self, eta: Matrix) -> Stack:
        slopes, place = LOGIT.slopes(eta)[0], np.arange(self.predictors)
        derivatives = np.zeros((len(eta), self.labels, self.predictors))
        derivatives[:, place, place] = slopes
        derivatives[:, place + 1, place] = -slopes
        return derivatives

    def terms(self, eta: Matrix, q: Matrix, outcome: Vector | None = None) -> RowTerms:
        chance = (q * self.shares(eta)).sum(axis=1)
        tilt = -np.diff(q, axis=1) / chance[:, None]
        first, second = LOGIT.slopes(eta)
        slopes = tilt * first
        return RowTerms(np.log(chance), slopes, outer(slopes) - diagonal(tilt * second))

    def unconstrained(self, offsets: Vector) -> Vector:
        """The first cut, and the logs of the steps between cuts, which may be anything."""
        return np.append(offsets[:1], np.log(np.diff(offsets)))

    def offsets_with_derivatives(self, unconstrained: Vector) -> tuple[Vector, Matrix, Matrix]:
        steps = np.append(1.0, np.exp(unconstrained[1:]))
        below = np.tril(np.ones((len(unconstrained), len(unconstrained))))
        cuts = unconstrained[0] + np.append(0.0, np.cumsum(steps[1:]))
        return cuts, below * steps, below * np.append(0.0, steps[1:])


def spread(shares: Matrix) -> Stack:
    """diag(p) - p p' of each row."""
    return diagonal(shares) - outer(shares)


def diagonal(values: Matrix) -> Stack:
    """A diagonal matrix of each row."""
    return np.asarray(values[:, :, None] * np.eye(values.shape[1]), np.float64)


def outer(values: Matrix) -> Stack:
    """The product v v' of each row."""
    return np.asarray(values[:, :, None] * values[:, None, :], np.float64)
