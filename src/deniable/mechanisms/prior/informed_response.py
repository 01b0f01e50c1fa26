"""Informed response (jiang2018): the channel of least error for a prior that everybody knows, under LIP."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from deniable.arrays import Column, Indices, Matrix, Vector
from deniable.errors import ParameterError
from deniable.mechanisms.prior.curator import Curator
from deniable.mechanisms.prior.prior_inverse import PriorInverse
from deniable.mechanisms.prior.question import Question
from deniable.privacy.certified import WITHHELD, certified
from deniable.privacy.column_runs import check_weights, likeliest_first, packed, unpacked
from deniable.privacy.informed import InformationPrivacy, OneSidedInformationPrivacy, UnderPrior
from deniable.privacy.matrix import Rows
from deniable.reports.spec import Spec
from deniable.reports.tally import Tally
from deniable.theory.informed.baselines import (
    Misjudged,
    channel_loss,
    misjudged,
    one_sided_channel,
    paper_channel,
    paper_loss,
    posteriors,
)
from deniable.theory.informed.labelled import joined, read_as, reading_costs
from deniable.theory.informed.optimum import Informed, optimal
from deniable.values.domain import Domain, DomainLike

STEPS = 13
"""Digits of a lift that count, in units of the range of lifts."""


class InformedResponse(PriorInverse, Curator):
    """Reports that say as much as LIP allows to a curator who knows the prior.

    The channel is the optimum for the ``goal``, or near it: ``loss`` is the squared error of one person's posterior
    mean, and no channel of this level has one below ``bound``. If the prior is wrong, 2 epsilon LDP
    remains between the labels that it allows; a label of prior 0 is promised nothing.

    Goals: "histogram", for the counts of all labels; "sum", for the sum of labels that are numbers, or of ``values``,
    one a label. ``one_sided`` promises the lower half of LIP alone, and is then jiang2018's own channel.

    >>> m = InformedResponse(["a", "b", "c"], [0.5, 0.3, 0.2], 1.0)
    >>> round(m.loss, 6), m.method
    (0.413234, 'vertices')
    >>> one = InformedResponse(["a", "b", "c"], [0.5, 0.3, 0.2], 1.0, "sum", values=[1, 0, 0])
    >>> round(float(m.mean_losses(one.goal_values)[0]), 3), round(one.loss, 3)
    (0.171, 0.15)
    """

    title = "what tells a curator with the prior most"
    epsilon: float
    prior: Vector
    goal: str
    own_values: Vector | None
    """The values that were given."""
    one_sided: bool

    def __init__(
        self,
        domain: DomainLike,
        prior: Iterable[float],
        epsilon: float,
        goal: str = "histogram",
        values: Iterable[float] | None = None,
        one_sided: bool = False,
    ) -> None:
        promise = _promise(domain, prior, epsilon, one_sided)
        question = Question.read(promise.domain, goal, values)
        if isinstance(promise, OneSidedInformationPrivacy):
            rows = certified(lambda share: one_sided_channel(promise.prior, promise.epsilon, share), promise)
        else:
            rows = certified(lambda share: _solved(promise, question.values, share), promise)
        self._settle(promise, question, rows)

    def _settle(self, promise: UnderPrior, question: Question, rows: Rows) -> None:
        prior = np.array(promise.prior)
        prior.flags.writeable = False
        one_sided = isinstance(promise, OneSidedInformationPrivacy)
        kept = {"goal": question.goal, "own_values": question.given, "values": question.values, "one_sided": one_sided}
        self._fix(domain=promise.domain, epsilon=promise.epsilon, prior=prior, rows=rows, **kept)

    @classmethod
    def closed_form(
        cls,
        domain: DomainLike,
        prior: Iterable[float],
        epsilon: float,
        goal: str = "histogram",
        values: Iterable[float] | None = None,
    ) -> InformedResponse:
        """jiang2018's own channel: the truth with probability 1 - e^-eps, else a fresh draw from the prior.

        It is the optimum for every goal where each positive prior is at least 1/(1+e^eps). Elsewhere it breaks its own
        definition, and is refused with the level that it would leak; ``one_sided=True`` makes it for any prior.

        >>> InformedResponse.closed_form(["yes", "no"], [0.4, 0.6], 1.0).probabilities[:, :2].round(3).tolist()
        [[0.779, 0.221], [0.147, 0.853]]
        """
        promise, made = InformationPrivacy(domain, prior, epsilon), cls.__new__(cls)
        paper_channel(promise.prior, epsilon)  # refuses
        rows = certified(lambda share: paper_channel(promise.prior, epsilon, share), promise)
        made._settle(promise, Question.read(promise.domain, goal, values), rows)
        return made

    @classmethod
    def from_parameters(cls, domain: Domain, parameters: Spec) -> InformedResponse:
        """Read a spec, which holds the channel itself: an optimizer's last digits are its machine's."""
        promise = _promise(domain, parameters["prior"], parameters["epsilon"], parameters.get("one_sided", False))
        question = Question.read(promise.domain, parameters["goal"], parameters.get("values"))
        made = cls.__new__(cls)
        made._settle(promise, question, unpacked(parameters["columns"], likeliest_first(promise.prior)))
        if not promise.judge(made.rows).holds:
            raise ParameterError("columns must be weights that keep the guarantee, got others")
        return made

    def parameters(self) -> Spec:
        """The prior, epsilon, the goal, and the channel; values and one_sided where they were given."""
        columns = packed(self.rows, likeliest_first(tuple(self.prior)))
        given: Spec = {} if self.own_values is None else {"values": self.own_values.tolist()}
        if self.one_sided:
            given["one_sided"] = True
        return {
            "prior": self.prior.tolist(), "epsilon": self.epsilon, "goal": self.goal, **given, "columns": columns,
        }  # fmt: skip

    @cached_property
    def guarantee(self) -> InformationPrivacy | OneSidedInformationPrivacy:
        """Localized information privacy for the prior, or its lower half."""
        return _promise(self.domain, self.prior, self.epsilon, self.one_sided)

    @property
    def goal_values(self) -> Matrix:
        """What the channel was made to tell: a column of values, or one column a label."""
        return np.eye(len(self.domain)) if self.values is None else self.values[:, None]

    @property
    def loss(self) -> float:
        """The mean squared error of one person's posterior mean, from the realised weights."""
        return channel_loss(self.prior, self.probabilities, self.values)

    @cached_property
    def _optimum(self) -> Informed:
        return optimal(self.prior, self.epsilon, self.values)

    @property
    def bound(self) -> float:
        """What no channel of this promise can lose less than."""
        return paper_loss(self.prior, self.epsilon, self.values) if self.one_sided else self._optimum.bound

    @property
    def method(self) -> str:
        """How the channel was found."""
        return "closed form" if self.one_sided else self._optimum.method

    def misjudged(self, truth: Iterable[float], values: Any = None) -> Misjudged:
        """What the curator's estimate is worth where people follow ``truth`` and not the prior."""
        return misjudged(self.prior, truth, self.probabilities, values)

    # --- reports as labels ------------------------------------------------------------------------------------

    @cached_property
    def _reading(self) -> Matrix:
        return reading_costs(self.prior, self.probabilities, self.values)

    @cached_property
    def read_as(self) -> Indices:
        """Of each report the place of the label that it is read as, so that ``mean_absolute_error`` is least.

        Reports have labels of their own; if there are more than labels, those that say nearly the same share one.
        """
        groups = joined(self.posteriors @ self.goal_values, self.prior @ self.probabilities, len(self.domain))
        found = read_as(self._reading, groups).astype(np.int64)
        found.flags.writeable = False
        return found

    @property
    def mean_absolute_error(self) -> float:
        """E|X - Y| of a value X and the label Y that its report is read as; of a histogram, how often they differ."""
        return float(self._reading[np.arange(self.outputs), self.read_as].sum())

    def as_labels(self) -> InformedResponse:
        """The same with reports that stay labels: report y is label number y (jiang2018, proposition 3).

        Reports are put in the order of least ``mean_absolute_error``. If there are more than labels, some are joined:
        that tells no more than before, and ``loss`` says what it costs.

        >>> m = InformedResponse([0, 1, 2], [0.7, 0.2, 0.1], 1.0, "sum").as_labels()
        >>> m.outputs, m.read_as.tolist(), round(m.mean_absolute_error, 4)
        (3, [0, 1, 2], 0.3147)
        """
        weights = np.zeros((len(self.domain), len(self.domain)), np.uint64)
        for report, label in enumerate(self.read_as.tolist()):
            weights[:, label] += self.rows.weights[:, report]  # a row's total fits a word
        divisor = int(np.gcd.reduce(weights, axis=None))
        weights //= np.uint64(divisor)
        weights.flags.writeable = False
        made = type(self).__new__(type(self))
        question = Question(self.goal, self.own_values, self.values)
        made._settle(self.guarantee, question, Rows(weights, self.rows.total // divisor))
        return made

    # --- the curator ------------------------------------------------------------------------------------------

    @cached_property
    def posteriors(self) -> Matrix:
        """Of each report (a row) what it says of each label."""
        told = posteriors(self.prior, self.probabilities)
        told.flags.writeable = False
        return told

    def sums(self, reports: Tally | Any, goals: Matrix) -> tuple[Vector, Vector]:
        """The posterior means of the goals [labels, goals], added up over people, and the squared error of each."""
        tally = self.check_tally(reports if isinstance(reports, Tally) else self.tally(reports))
        return np.asarray(tally.counts @ (self.posteriors @ goals)), tally.n * self.mean_losses(goals)

    def each(self, reports: Column, goals: Matrix) -> Matrix:
        """The posterior means of each person's goals."""
        return np.asarray((self.posteriors @ goals)[self.layout.check(reports)])

    def mean_losses(self, goals: Matrix) -> Vector:
        """Each goal's squared error, of a person."""
        return np.array([channel_loss(self.prior, self.probabilities, goal) for goal in goals.T])

    def person_losses(self, reports: Column, goals: Matrix) -> Matrix:
        """The same for each person: all have one prior."""
        return np.tile(self.mean_losses(goals), (len(reports), 1))


def _promise(
    domain: DomainLike, prior: Iterable[float], epsilon: float, one_sided: Any
) -> InformationPrivacy | OneSidedInformationPrivacy:
    if not isinstance(one_sided, bool):
        raise ParameterError(f"one_sided must be True or False, got {type(one_sided).__name__}")
    return (OneSidedInformationPrivacy if one_sided else InformationPrivacy)(domain, prior, epsilon)


def _solved(promise: UnderPrior, values: Vector | None, share: float) -> Matrix:
    """The optimum with its lifts in steps from the lowest on: what differs by rounding becomes one weight.

    Where lifts range so far that the steps are no rounding any more, it is left as it is.
    """
    found = optimal(promise.prior, promise.epsilon, values, share)
    check_weights(len(found.lifts), len(found.chances) + 1)  # as a spec of it can hold
    lowest, width = found.lifts.min(), np.ptp(found.lifts) or 1.0
    stepped = np.asarray(found.chances * (lowest + np.round((found.lifts - lowest) / width, STEPS) * width))
    return stepped if np.abs(stepped.sum(axis=1) - 1).max() <= WITHHELD / 2 else found.matrix
