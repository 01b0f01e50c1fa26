"""A curator with a prior for people's values: four questions, each answered with its expected error.

Every report moves the belief about its sender from the prior to the posterior, and the answers are sums of posterior
means. They are Bayes estimates: their squared error is the least possible if the priors are right. Errors of different
people add, so the error of a sum is the root of the sum of the people's squared errors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.protocol.errors import ParameterError
from deniable.theory.informed.baselines import check_values
from deniable.values.domain import Domain


class Answer(NamedTuple):
    """The answer of the curator, and its expected root mean squared error, for histograms over all labels together."""

    value: Any
    error: float


class Curator(ABC):
    """The base of objects that can compute posterior means from reports."""

    domain: Domain
    values: Vector | None
    """The numbers that are added up unless others are asked for; None for the labels themselves."""

    @abstractmethod
    def sums(self, reports: Any, goals: Matrix) -> tuple[Vector, Vector]:
        """The posterior means of the goals [labels, goals], added up over people, and the squared error of each."""

    @abstractmethod
    def each(self, reports: Any, goals: Matrix) -> Matrix:
        """The posterior means of each person's goals."""

    @abstractmethod
    def person_losses(self, reports: Any, goals: Matrix) -> Matrix:
        """The squared error of each person's goals."""

    def survey(self, reports: Any, label: Any) -> Answer:
        """The estimated number of people who hold a label, with its expected error.

        >>> import deniable as dn
        >>> m = dn.InformedResponse(["yes", "no"], [0.2, 0.8], 1.0)
        >>> found = m.curator.survey(m.privatize_many(["yes"] * 200 + ["no"] * 800, seed=1), "yes")
        >>> abs(found.value - 200) < 4 * found.error
        True
        """
        goal = np.zeros((len(self.domain), 1))
        goal[self.domain.index(label)] = 1
        return self._scalar(reports, goal)

    def total(self, reports: Any, values: Any = None) -> Answer:
        """The estimated sum of ``values``, one per label, over people; by default the channel's, or the labels."""
        return self._scalar(reports, self._numbers(values)[:, None])

    def histogram(self, reports: Any) -> Answer:
        """The estimated number of people who hold each label, with the expected error of all labels together."""
        goals = np.eye(len(self.domain))
        counts, losses = self.sums(reports, goals)
        return Answer(counts, float(np.sqrt(losses.sum())))

    def weighted_total(self, reports: Any, weights: Any, offsets: Any = 0.0, values: Any = None) -> Answer:
        """The sum of weight * value + offset, with a weight and an offset per person; needs the reports in order."""
        goal = self._numbers(values)[:, None]
        means = self.each(reports, goal)[:, 0]
        factors, shifts = _one_each("weights", weights, len(means)), _one_each("offsets", offsets, len(means))
        losses = self.person_losses(reports, goal)[:, 0]
        return Answer(float(factors @ means + shifts.sum()), float(np.sqrt(factors**2 @ losses)))

    def _scalar(self, reports: Any, goal: Matrix) -> Answer:
        sums, losses = self.sums(reports, goal)
        return Answer(float(sums[0]), float(np.sqrt(losses[0])))

    def _numbers(self, values: Any) -> Vector:
        usual = list(self.domain) if self.values is None else self.values
        return check_values(usual if values is None else values, len(self.domain))


def _one_each(name: str, numbers: Any, people: int) -> Vector:
    """One number for each person, or one for all."""
    given = np.asarray(numbers)
    if given.dtype.kind not in "iuf" or given.shape not in ((), (people,)) or not np.isfinite(given).all():
        got = f"{given.dtype} of shape {given.shape}"
        raise ParameterError(f"{name} must be a finite number, or one for each of {people} people, got {got}")
    return np.broadcast_to(given.astype(np.float64), people)
