"""Informed response (jiang2018): the channel of least error for a prior that everybody knows, under LIP."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from deniable.domain import Domain, DomainLike, is_int
from deniable.errors import ParameterError
from deniable.estimation.estimate import Estimate
from deniable.estimation.evidence import LinearEvidence
from deniable.mechanisms.curator import Curator
from deniable.mechanisms.explicit import Explicit
from deniable.mechanisms.limits import check_weights
from deniable.mechanisms.mechanism import Matrix
from deniable.mechanisms.runs import likeliest_first, packed, unpacked
from deniable.privacy.certified import WITHHELD, certified
from deniable.privacy.informed import InformationPrivacy
from deniable.privacy.matrix import Rows
from deniable.reports.layout import Column
from deniable.reports.spec import Spec
from deniable.reports.tally import Tally
from deniable.theory.arguments import Vector, check_choice
from deniable.theory.informed import Informed, optimal
from deniable.theory.informed_baselines import Misjudged, channel_loss, misjudged, paper_channel, posteriors
from deniable.theory.variance import VarianceLaw

GOALS = ("histogram", "sum")
TOLD = 1e-6
"""A label is told apart if the estimator takes its share from no other by more than this."""
LARGEST_LABEL = 1e100
"""Squares of labels must stay finite."""
STEPS = 13
"""Digits of a lift that count, in units of the range of lifts."""
WEAKEST = 1e-10
"""Directions of the channel that carry less than this share of the strongest are rounding."""


class InformedResponse(Explicit, Curator):
    """Reports that say as much as LIP allows to a curator who knows the prior.

    The channel is the optimum for the ``goal``, or near it: ``loss`` is the squared error of one person's posterior
    mean, and no channel of this level has one below ``bound``. If the prior is wrong, 2 epsilon LDP
    remains between the labels that it allows; a label of prior 0 is promised nothing.

    >>> m = InformedResponse(["a", "b", "c"], [0.5, 0.3, 0.2], 1.0)
    >>> round(m.loss, 6), m.method
    (0.413234, 'vertices')
    """

    title = "what tells a curator with the prior most"
    epsilon: float
    prior: Vector
    goal: str

    def __init__(self, domain: DomainLike, prior: Iterable[float], epsilon: float, goal: str = "histogram") -> None:
        promise = InformationPrivacy(domain, prior, epsilon)
        values = None if _checked_goal(goal, promise.domain) == "histogram" else numbers(promise.domain)
        self._settle(promise, goal, certified(lambda share: _solved(promise, values, share), promise))

    def _settle(self, promise: InformationPrivacy, goal: str, rows: Rows) -> None:
        prior = np.array(promise.prior)
        prior.flags.writeable = False
        self._fix(domain=promise.domain, epsilon=promise.epsilon, prior=prior, goal=goal, rows=rows)

    @classmethod
    def closed_form(
        cls, domain: DomainLike, prior: Iterable[float], epsilon: float, goal: str = "histogram"
    ) -> InformedResponse:
        """jiang2018's own channel: the truth with probability 1 - e^-eps, else a fresh draw from the prior.

        It is the optimum for every goal where each positive prior is at least 1/(1+e^eps). Elsewhere it breaks its own
        definition, and is refused with the level that it would leak.

        >>> InformedResponse.closed_form(["yes", "no"], [0.4, 0.6], 1.0).probabilities[:, :2].round(3).tolist()
        [[0.779, 0.221], [0.147, 0.853]]
        """
        promise, made = InformationPrivacy(domain, prior, epsilon), cls.__new__(cls)
        paper_channel(promise.prior, epsilon)  # refuses
        rows = certified(lambda share: paper_channel(promise.prior, epsilon, share), promise)
        made._settle(promise, _checked_goal(goal, promise.domain), rows)
        return made

    @classmethod
    def from_parameters(cls, domain: Domain, parameters: Spec) -> InformedResponse:
        """Read a spec, which holds the channel itself: an optimizer's last digits are its machine's."""
        promise = InformationPrivacy(domain, parameters["prior"], parameters["epsilon"])
        made = cls.__new__(cls)
        goal = _checked_goal(parameters["goal"], promise.domain)
        made._settle(promise, goal, unpacked(parameters["columns"], likeliest_first(promise.prior)))
        if not promise.judge(made.rows).holds:
            raise ParameterError("columns must be weights that keep the guarantee, got others")
        return made

    def parameters(self) -> Spec:
        """The prior, epsilon, the goal, and the channel."""
        columns = packed(self.rows, likeliest_first(tuple(self.prior)))
        return {"prior": self.prior.tolist(), "epsilon": self.epsilon, "goal": self.goal, "columns": columns}

    @cached_property
    def guarantee(self) -> InformationPrivacy:
        """Localized information privacy for the prior."""
        return InformationPrivacy(self.domain, self.prior, self.epsilon)

    @cached_property
    def values(self) -> Vector | None:
        """The labels as numbers, where the goal is their sum."""
        return None if self.goal == "histogram" else numbers(self.domain)

    @property
    def loss(self) -> float:
        """The mean squared error of one person's posterior mean, from the realised weights."""
        return channel_loss(self.prior, self.probabilities, self.values)

    @cached_property
    def _optimum(self) -> Informed:
        return optimal(self.prior, self.epsilon, self.values)

    @property
    def bound(self) -> float:
        """What no channel of this level can lose less than."""
        return self._optimum.bound

    @property
    def method(self) -> str:
        """How the channel was found."""
        return self._optimum.method

    def misjudged(self, truth: Iterable[float], values: Any = None) -> Misjudged:
        """What the curator's estimate is worth where people follow ``truth`` and not the prior."""
        return misjudged(self.prior, truth, self.probabilities, values)

    # --- the curator ------------------------------------------------------------------------------------------

    @cached_property
    def posteriors(self) -> Matrix:
        """Of each report (a row) what it says of each label."""
        told = posteriors(self.prior, self.probabilities)
        told.flags.writeable = False
        return told

    def sums(self, reports: Tally | Any, goals: Matrix) -> tuple[int, Vector]:
        """How many people, and the posterior means of the goals [labels, goals], added up."""
        tally = self.check_tally(reports if isinstance(reports, Tally) else self.tally(reports))
        return tally.n, np.asarray(tally.counts @ (self.posteriors @ goals))

    def each(self, reports: Column, goals: Matrix) -> Matrix:
        """The posterior means of each person's goals."""
        return np.asarray((self.posteriors @ goals)[self.layout.check(reports)])

    def mean_losses(self, goals: Matrix) -> Vector:
        """Each goal's squared error, of a person."""
        return np.array([channel_loss(self.prior, self.probabilities, goal) for goal in goals.T])

    def person_losses(self, reports: Column, goals: Matrix) -> Matrix:
        """The same for each person: all have one prior."""
        return np.tile(self.mean_losses(goals), (len(reports), 1))

    # --- the estimate without the curator -----------------------------------------------------------------------

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


def _checked_goal(goal: Any, domain: Domain) -> str:
    known = check_choice("goal", goal, GOALS)
    if known == "sum":
        numbers(domain)
    return known


def _solved(promise: InformationPrivacy, values: Vector | None, share: float) -> Matrix:
    """The optimum with its lifts in steps from the lowest on: what differs by rounding becomes one weight.

    Where lifts range so far that the steps are no rounding any more, it is left as it is.
    """
    found = optimal(promise.prior, promise.epsilon, values, share)
    check_weights(len(found.lifts), len(found.chances) + 1)  # as a spec of it can hold
    lowest, width = found.lifts.min(), np.ptp(found.lifts) or 1.0
    stepped = np.asarray(found.chances * (lowest + np.round((found.lifts - lowest) / width, STEPS) * width))
    return stepped if np.abs(stepped.sum(axis=1) - 1).max() <= WITHHELD / 2 else found.matrix


def numbers(domain: Domain) -> Vector:
    """The labels as the numbers that they are."""
    if not all((is_int(label) or isinstance(label, float)) and abs(label) <= LARGEST_LABEL for label in domain):
        raise ParameterError(f"labels must be numbers up to {LARGEST_LABEL:g} to be added up, got some that are not")
    return np.array(list(domain), np.float64)
