"""Estimates of a channel that was made for a prior and may tell not all labels apart."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.errors import ParameterError
from deniable.estimation.estimate import Estimate
from deniable.estimation.evidence import LinearEvidence
from deniable.mechanisms.channels.explicit import Explicit
from deniable.reports.tally import Tally
from deniable.theory.risk.variance import VarianceLaw

TOLD = 1e-6
"""A label is told apart if the estimator takes its share from no other by more than this."""
WEAKEST = 1e-10
"""Directions of the channel that carry less than this share of the strongest are rounding."""


class PriorInverse(Explicit):
    """The linear estimator in the metric of the prior, and what it says of labels that reports mix up."""

    prior: Vector

    @cached_property
    def inverse(self) -> Matrix:
        """A linear estimator: what reports cannot tell apart shares in proportion to the prior, the rest is unbiased.

        The generalized inverse in the metric of the prior; where all labels are told apart, it is the unbiased
        estimator of least variance at the prior.
        """
        root, chances = np.sqrt(self.prior), self.prior @ self.probabilities
        scale = np.sqrt(np.where(chances > 0, chances, 1.0))
        scaled = self.probabilities * root[:, None] / scale
        found = np.array(root[:, None] * np.linalg.pinv(scaled.T, rcond=WEAKEST) / scale, np.float64)
        found.flags.writeable = False
        return found

    def estimate(
        self,
        tally: Tally | Any,
        decoder: str = "projected",
        candidates: Iterable[Any] | None = None,
        prior: Iterable[float] | None = None,
    ) -> Estimate:
        """As of any mechanism; the posterior decoder takes the mechanism's own prior unless another is given."""
        known = self.prior if decoder == "posterior" and prior is None else prior
        return super().estimate(tally, decoder, candidates, known)

    @cached_property
    def told_apart(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The labels whose share an unbiased estimate exists of."""
        mixed = self.inverse @ self.probabilities.T - np.eye(len(self.domain))
        return np.asarray(np.abs(mixed).max(axis=1) < TOLD)

    def evidence(self, tally: Tally) -> LinearEvidence:
        """The histogram with its linear estimator; no interval for labels that are not told apart but 0 to 1."""
        return LinearEvidence(tally.n, tally.counts, self.inverse, self.told_apart)

    @cached_property
    def variance_law(self) -> VarianceLaw:
        """As of any channel, if it tells all labels apart."""
        if not self.told_apart.all():
            raise ParameterError(
                f"risk must be of a channel that tells all labels apart, got {(~self.told_apart).sum()} that it does "
                "not; the curator's error is sqrt(n loss)"
            )
        return super().variance_law
