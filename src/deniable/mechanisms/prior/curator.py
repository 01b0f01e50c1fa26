"""A curator who knows what people's values are likely to be: four questions, each with the error to expect.

Every report moves what is believed of its sender from the prior to the posterior, and the answers are sums of posterior
means. They are Bayes estimates: the squared error is the least there is if the priors are right. Errors of different
people add, so the error of a sum is the root of the sum of the people's squared errors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.errors import ParameterError
from deniable.theory.informed.baselines import check_values
from deniable.values.domain import Domain


class Answer(NamedTuple):
    """What the curator believes, and the root mean squared error to expect, for histograms over all labels."""

    value: Any
    error: float


class Curator(ABC):
    """Whoever can say what reports tell of their senders."""

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
        """How many people hold a label.

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
        """The sum of ``values``, one a label; of those that the channel was made for, or of the labels themselves."""
        return self._scalar(reports, self._numbers(values)[:, None])

    def histogram(self, reports: Any) -> Answer:
        """How many people hold each label."""
        goals = np.eye(len(self.domain))
        found, losses = self.sums(reports, goals)
        return Answer(found, float(np.sqrt(losses.sum())))

    def weighted_total(self, reports: Any, weights: Any, offsets: Any = 0.0, values: Any = None) -> Answer:
        """The sum of weight times value plus offset, where each person has a weight and an offset; from the reports."""
        goal = self._numbers(values)[:, None]
        means = self.each(reports, goal)[:, 0]
        factors, shifts = _one_each("weights", weights, len(means)), _one_each("offsets", offsets, len(means))
        losses = self.person_losses(reports, goal)[:, 0]
        return Answer(float(factors @ means + shifts.sum()), float(np.sqrt(factors**2 @ losses)))

    def _scalar(self, reports: Any, goal: Matrix) -> Answer:
        found, losses = self.sums(reports, goal)
        return Answer(float(found[0]), float(np.sqrt(losses[0])))

    def _numbers(self, values: Any) -> Vector:
        own = list(self.domain) if self.values is None else self.values
        return check_values(own if values is None else values, len(self.domain))


def _one_each(name: str, numbers: Any, people: int) -> Vector:
    """One number for each person, or one for all."""
    found = np.asarray(numbers)
    if found.dtype.kind not in "iuf" or found.shape not in ((), (people,)) or not np.isfinite(found).all():
        raise ParameterError(f"{name} must be a number, or one for each of {people} people, got something else")
    return np.broadcast_to(found.astype(np.float64), people)
