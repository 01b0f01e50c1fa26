"""The curator of one informed channel, who reads every report with the prior (jiang2018)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from deniable.arrays import Column, Indices, Matrix, Vector
from deniable.mechanisms.mechanism import Mechanism, check_tally
from deniable.mechanisms.prior.curator import Curator
from deniable.privacy.matrix import Rows
from deniable.reports.tally import Tally
from deniable.theory.informed.baselines import Misjudged, channel_loss, misjudged, paper_loss, posteriors
from deniable.theory.informed.labelled import joined, read_as, reading_costs
from deniable.theory.informed.optimum import Informed, optimal
from deniable.values.domain import Domain

M = TypeVar("M", bound=Mechanism)


class PriorCurator(Curator, Generic[M]):
    """Posterior means from reports of one channel. ``loss`` is the squared error of one person's posterior mean.

    ``level`` is that of its guarantee, ``paper_level`` that of a channel of the paper's closed form, and None of any
    other. ``remade`` makes a mechanism like this one with other rows of weights.
    """

    def __init__(
        self,
        mechanism: M,
        domain: Domain,
        prior: Vector,
        values: Vector | None,
        paper_level: float | None,
        level: float,
        remade: Callable[[Rows], M],
    ) -> None:
        self.mechanism, self.domain, self.prior, self.values = mechanism, domain, prior, values
        self._paper_level, self._level, self._remade = paper_level, level, remade

    @property
    def _chances(self) -> Matrix:
        return self.mechanism.channel().probabilities

    @property
    def goal_values(self) -> Matrix:
        """The goals of the channel [labels, goals]: a column of values, or one column per label."""
        return np.eye(len(self.domain)) if self.values is None else self.values[:, None]

    @property
    def loss(self) -> float:
        """The mean squared error of one person's posterior mean, from the realised weights."""
        return channel_loss(self.prior, self._chances, self.values)

    @cached_property
    def _optimum(self) -> Informed:
        return optimal(self.prior, self._level, self.values)

    @property
    def bound(self) -> float:
        """A lower bound on the loss of any channel with this guarantee."""
        if self._paper_level is not None:
            return paper_loss(self.prior, self._paper_level, self.values)
        return self._optimum.bound

    @property
    def method(self) -> str:
        """How the channel was found."""
        return "closed form" if self._paper_level is not None else self._optimum.method

    def misjudged(self, truth: Iterable[float], values: Any = None) -> Misjudged:
        """The bias and error of the curator's estimate if people follow ``truth`` instead of the prior."""
        return misjudged(self.prior, truth, self._chances, values)

    # --- reports as labels ------------------------------------------------------------------------------------

    @cached_property
    def _reading(self) -> Matrix:
        return reading_costs(self.prior, self._chances, self.values)

    @cached_property
    def read_as(self) -> Indices:
        """For each report the index of the label that it is read as, so that ``mean_absolute_error`` is least.

        Different reports have different labels; if there are more reports than labels, similar reports share one.
        """
        groups = joined(self.posteriors @ self.goal_values, self.prior @ self._chances, len(self.domain))
        labels = read_as(self._reading, groups).astype(np.int64)
        labels.flags.writeable = False
        return labels

    @property
    def mean_absolute_error(self) -> float:
        """E|X - Y| of a value X and the label Y that its report is read as; for a histogram, how often they differ."""
        return float(self._reading[np.arange(len(self._reading)), self.read_as].sum())

    def as_labels(self) -> M:
        """The mechanism with reports that are labels: report y is label number y (jiang2018, proposition 3).

        Reports are sorted for the least ``mean_absolute_error``. If there are more reports than labels, some are
        merged: that reveals no more than before, and ``loss`` gives the new error.

        >>> import deniable as dn
        >>> m = dn.InformedResponse([0, 1, 2], [0.7, 0.2, 0.1], 1.0, "sum").curator.as_labels()
        >>> m.layout.outputs, m.curator.read_as.tolist(), round(m.curator.mean_absolute_error, 4)
        (3, [0, 1, 2], 0.3147)
        """
        rows = self.mechanism.channel().rows
        weights = np.zeros((len(self.domain), len(self.domain)), np.uint64)
        for report, label in enumerate(self.read_as.tolist()):
            weights[:, label] += rows.weights[:, report]  # a row's total fits a word
        divisor = int(np.gcd.reduce(weights, axis=None))
        weights //= np.uint64(divisor)
        weights.flags.writeable = False
        return self._remade(Rows(weights, rows.total // divisor))

    # --- what every curator can say ---------------------------------------------------------------------------

    @cached_property
    def posteriors(self) -> Matrix:
        """The posterior [reports, labels] after each report."""
        beliefs = posteriors(self.prior, self._chances)
        beliefs.flags.writeable = False
        return beliefs

    def sums(self, reports: Tally | Any, goals: Matrix) -> tuple[Vector, Vector]:
        m = self.mechanism
        tally = check_tally(m, reports if isinstance(reports, Tally) else m.tally(reports))
        return np.asarray(tally.counts @ (self.posteriors @ goals)), tally.n * self.mean_losses(goals)

    def each(self, reports: Column, goals: Matrix) -> Matrix:
        return np.asarray((self.posteriors @ goals)[self.mechanism.layout.check(reports)])

    def mean_losses(self, goals: Matrix) -> Vector:
        """Each goal's squared error per person."""
        return np.array([channel_loss(self.prior, self._chances, goal) for goal in goals.T])

    def person_losses(self, reports: Column, goals: Matrix) -> Matrix:
        """The same squared errors for each person, since all have one prior."""
        return np.tile(self.mean_losses(goals), (len(reports), 1))
