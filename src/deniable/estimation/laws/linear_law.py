"""Linear estimators: the law of an explicit channel, with one integer weight per value and report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Exact, Flags, Matrix, Vector
from deniable.estimation.decoders import Likelihood
from deniable.estimation.evidence import LinearEvidence
from deniable.estimation.laws.law import Law
from deniable.privacy.exact_channel import ExactChannel
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.protocol.privacy.rows import Ratio
from deniable.theory.risk.variance import Loss, Target, VarianceLaw

REFINEMENTS = 2
CLOSED = 1e-6
"""How far the sum of the estimates from one report may be from 1 and still count as 1."""
NEGLIGIBLE = 1e-6
"""A label is told apart if no other label contributes more than this to its estimate."""
WEAKEST = 1e-10
"""Singular values below this share of the largest are treated as rounding errors."""


@dataclass(frozen=True, eq=False)
class LinearLaw(Law):
    """A histogram of reports and a left inverse of the channel: inverse @ counts / n is unbiased.

    With a ``prior`` the inverse is taken in its metric, some labels may not be told apart, and the decoder "posterior"
    uses it unless another prior is given.
    """

    labels: int
    channel: ExactChannel
    guarantee: Guarantee
    prior: Vector | None = None

    @cached_property
    def inverse(self) -> Matrix:
        """The estimator: [labels, reports]."""
        inverse = inverse_of(self._chances) if self.prior is None else prior_inverse(self._chances, self.prior)
        inverse.flags.writeable = False
        return inverse

    @property
    def _chances(self) -> Matrix:
        return self.channel.probabilities

    @cached_property
    def labels_told_apart(self) -> Flags:
        """For each label, whether an unbiased estimate of its share exists."""
        if self.prior is None:
            return np.ones(self.labels, np.bool_)
        mixed = self.inverse @ self._chances.T - np.eye(self.labels)
        return np.asarray(np.abs(mixed).max(axis=1) < NEGLIGIBLE)

    @property
    def told_apart(self) -> bool:
        try:
            _ = self.inverse
        except ParameterError:  # rows that depend on each other
            return False
        return bool(self.labels_told_apart.all())

    @property
    def leverage(self) -> float:
        return float(self.inverse.max())

    @property
    def decode_operations(self) -> float:
        return 2.0 * self.inverse.size

    def evidence(self, n: int, counts: Counts) -> LinearEvidence:
        """The evidence of the histogram; labels that are not told apart get the interval 0 to 1."""
        return LinearEvidence(n, counts, self.inverse, None if self.prior is None else self.labels_told_apart)

    def check_decoder(self, decoder: str, prior: Iterable[float] | None = None) -> Vector | None:
        """As for any law; without a prior "posterior" uses the law's own."""
        return super().check_decoder(decoder, self.prior if decoder == "posterior" and prior is None else prior)

    def likelihood(self, counts: Counts) -> Likelihood:
        rows = self._chances
        return Likelihood(counts, forward=lambda p: p @ rows, backward=lambda weights: rows @ weights)

    def exact_ratio(self) -> Ratio:
        """The ratio that comes nearest to the level of the guarantee, or exceeds it."""
        return self.guarantee.judge(self.channel.rows).ratio

    def chances(self, reports: Column) -> Exact:
        return self.channel.exact[:, reports]

    def mutual_information(self) -> float:
        return self.channel.mutual_information()

    @cached_property
    def variances(self) -> VarianceLaw:
        """The variances as a function of the truth, from the mean squared contribution of a report to each label."""
        if not self.told_apart:
            raise ParameterError(
                f"risk must be of a channel that tells all labels apart, got {(~self.labels_told_apart).sum()} that it "
                "does not; the curator's error is sqrt(n loss)"
            )
        second = self._chances @ (self.inverse**2).T
        sums = self.inverse[:, self._chances.any(axis=0)].sum(axis=0)  # of the estimates from each report
        closed = bool(np.abs(sums - 1).max() < CLOSED)
        return VarianceLaw(np.zeros(len(second)), lambda p: p @ second, lambda weights: second @ weights, closed)

    def label_variances(self) -> Vector:
        return self.variances.variances(np.full(self.labels, 1 / self.labels))

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        return self.variances.risk_at(n, loss, truth, target)


def inverse_of(chances: Matrix) -> Matrix:
    """The linear estimator [labels, reports] that is unbiased for every truth, with least variance at the uniform one.

    >>> inverse_of(np.array([[0.75, 0.25], [0.25, 0.75]])).round(9).tolist()
    [[1.5, -0.5], [-0.5, 1.5]]
    """
    marginal = chances.mean(axis=0)
    scaled = chances / np.where(marginal > 0, marginal, 1)
    gram = scaled @ chances.T
    if np.linalg.matrix_rank(gram) < len(gram):
        raise ParameterError(
            "a channel's rows must be linearly independent to estimate, got linearly dependent ones; "
            'of an optimal_channel the goals "squared", "minimax" and "minimax-l1" have them so'
        )
    inverse = np.linalg.solve(gram, scaled)
    for _ in range(REFINEMENTS):  # Newton steps with the residual in more digits, as weak channels are ill-conditioned
        residual = np.eye(len(chances)) - chances.astype(np.longdouble) @ inverse.T
        inverse = inverse + (residual.T.astype(np.float64) @ inverse)
    return np.asarray(inverse, np.float64)


def prior_inverse(chances: Matrix, prior: Vector) -> Matrix:
    """A linear estimator that is unbiased, except that labels which reports mix up share in proportion to the prior.

    The generalized inverse in the metric of the prior; if all labels are told apart, it is the unbiased estimator with
    the least variance at the prior.
    """
    root, marginal = np.sqrt(prior), prior @ chances
    scale = np.sqrt(np.where(marginal > 0, marginal, 1.0))
    scaled = chances * root[:, None] / scale
    return np.array(root[:, None] * np.linalg.pinv(scaled.T, rcond=WEAKEST) / scale, np.float64)
