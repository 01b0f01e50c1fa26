"""Informed response (jiang2018): the channel with the least error for a public prior, under LIP."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.estimation.laws.linear_law import LinearLaw
from deniable.mechanisms.channels.table import Table
from deniable.mechanisms.composed import Composed
from deniable.mechanisms.family import Family, Maker, Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.prior.prior_curator import PriorCurator
from deniable.privacy.certified import WITHHELD, certified
from deniable.privacy.column_runs import check_weights, likeliest_first, packed, unpacked
from deniable.privacy.exact_channel import ExactChannel
from deniable.privacy.matrix import Rows
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_bool, check_choice, is_int
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.protocol.privacy.informed import InformationPrivacy, OneSidedInformationPrivacy, UnderPrior
from deniable.theory.informed.baselines import check_values, one_sided_channel, paper_channel
from deniable.theory.informed.optimum import optimal
from deniable.values.domain import Domain, DomainLike

GOALS = ("histogram", "sum")
LARGEST_LABEL = 1e100
"""The largest absolute value of a numeric label, so that squares stay finite."""


class ChannelGoal(NamedTuple):
    """The goal of a channel, the values given for it, and the numbers that are added up."""

    goal: str
    given: Vector | None
    values: Vector | None

    @classmethod
    def read(cls, domain: Domain, goal: Any, values: Any) -> ChannelGoal:
        """The checked goal: values are only for a sum; without them the labels are added up."""
        known = check_choice("goal", goal, GOALS)
        if known == "histogram":
            if values is not None:
                raise ParameterError('values must go with goal="sum", got them with goal="histogram"')
            return cls(known, None, None)
        if values is None:
            labels = numbers(domain)
            labels.flags.writeable = False
            return cls(known, None, labels)
        given = check_values(list(values) if isinstance(values, Iterator) else values, len(domain))
        if np.abs(given).max() > LARGEST_LABEL:
            raise ParameterError(f"values must be numbers up to {LARGEST_LABEL:g}, got one that is larger")
        given.flags.writeable = False
        return cls(known, given, given)


def numbers(domain: Domain) -> Vector:
    """Numeric labels as floats; other labels are refused."""
    if not all((is_int(label) or isinstance(label, float)) and abs(label) <= LARGEST_LABEL for label in domain):
        raise ParameterError(f"labels must be numbers up to {LARGEST_LABEL:g} to be added up, got some that are not")
    return np.array(list(domain), np.float64)


STEPS = 13
"""How many digits of a lift are kept, relative to the range of lifts."""


class InformedResponse(Composed[LinearLaw]):
    """Reports that are as informative as LIP allows for a curator who knows the prior.

    The channel is the optimum for the ``goal``, or near it; what ``curator`` makes of its reports has a loss that no
    channel of this level undercuts by much. If the prior is wrong, 2 epsilon LDP remains between the labels that it
    allows; a label of prior 0 is promised nothing.

    Goals: "histogram", for the counts of all labels; "sum", for the sum of labels that are numbers, or of ``values``,
    one for each label. ``one_sided`` promises the lower half of LIP alone, and is then jiang2018's own channel.
    ``closed_form`` asks for that channel under all of LIP: the truth with probability 1 - e^-eps, else a fresh draw
    from the prior. It is the optimum for every goal where each positive prior is at least 1/(1+e^eps). Elsewhere it
    breaks its own definition, and is refused with the level that it would leak.

    >>> m = InformedResponse(["a", "b", "c"], [0.5, 0.3, 0.2], 1.0)
    >>> round(m.curator.loss, 6), m.curator.method
    (0.413234, 'vertices')
    >>> one = InformedResponse(["a", "b", "c"], [0.5, 0.3, 0.2], 1.0, "sum", values=[1, 0, 0])
    >>> round(float(m.curator.mean_losses(one.curator.goal_values)[0]), 3), round(one.curator.loss, 3)
    (0.171, 0.15)
    >>> paper = InformedResponse(["yes", "no"], [0.4, 0.6], 1.0, closed_form=True)
    >>> paper.channel().probabilities[:, :2].round(3).tolist()
    [[0.779, 0.221], [0.147, 0.853]]
    """

    guarantee: InformationPrivacy | OneSidedInformationPrivacy
    """What is promised to each person."""
    epsilon: float
    """The level of privacy."""
    prior: Vector
    """How likely each label is known to be."""
    goal: str
    """What the channel is made to tell: "histogram" or "sum"."""
    values: Vector | None
    """The numbers that are added up; None where all labels are counted."""
    _goal: ChannelGoal

    def __init__(
        self,
        domain: DomainLike,
        prior: Iterable[float],
        epsilon: float,
        goal: str = "histogram",
        values: Iterable[float] | None = None,
        one_sided: bool = False,
        closed_form: bool = False,
    ) -> None:
        promise = _promise(domain, prior, epsilon, one_sided)
        wanted = ChannelGoal.read(Domain.of(promise.domain), goal, values)
        self._settle(promise, wanted, _best_rows(promise, wanted, closed_form))

    def _settle(
        self, promise: InformationPrivacy | OneSidedInformationPrivacy, wanted: ChannelGoal, rows: Rows
    ) -> None:
        """Set all fields, of a channel that is made for a goal or read from a spec."""
        known, channel = np.array(promise.prior), ExactChannel(Domain.of(promise.domain), rows)
        known.flags.writeable = False
        hidden = {"_channel": channel, "_parts": Table(channel, promise, known), "_goal": wanted}
        fields = {"prior": known, "epsilon": promise.epsilon, "goal": wanted.goal, "values": wanted.values}
        super().__init__(channel.domain, promise, {**hidden, **fields})

    @classmethod
    def _of(cls, promise: InformationPrivacy | OneSidedInformationPrivacy, wanted: ChannelGoal, rows: Rows) -> Any:
        """The mechanism with a channel that is known already."""
        made = cls.__new__(cls)
        made._settle(promise, wanted, rows)
        return made

    def _spec_parameters(self) -> Spec:
        given: Spec = {} if self._goal.given is None else {"values": self._goal.given.tolist()}
        if isinstance(self.guarantee, OneSidedInformationPrivacy):
            given["one_sided"] = True
        return {
            "prior": self.prior.tolist(), "epsilon": self.epsilon, "goal": self.goal, **given, "columns": self._columns,
        }  # fmt: skip

    @cached_property
    def _columns(self) -> list[list[int]]:
        """The channel as a spec holds it."""
        return packed(self._channel.rows, likeliest_first(tuple(self.prior)))

    @cached_property
    def curator(self) -> PriorCurator[InformedResponse]:
        """The curator, who reads reports with the prior: counts, totals and histograms with their expected errors."""
        paper = self.epsilon if self.guarantee.one_sided else None

        def remade(rows: Rows) -> InformedResponse:
            made: InformedResponse = type(self)._of(self.guarantee, self._goal, rows)
            return made

        return PriorCurator(self, self.domain, self.prior, self.values, paper, self.epsilon, remade)


def _promise(
    domain: DomainLike, prior: Iterable[float], epsilon: float, one_sided: Any
) -> InformationPrivacy | OneSidedInformationPrivacy:
    return (OneSidedInformationPrivacy if check_bool("one_sided", one_sided) else InformationPrivacy)(
        domain, prior, epsilon
    )


def _solved(promise: UnderPrior, values: Vector | None, share: float) -> Matrix:
    """The optimum at a ``share`` of the level, its lifts rounded so that those which differ by rounding get one weight.

    If the range of lifts is so large that the steps would matter, nothing is rounded.
    """
    optimum = optimal(promise.prior, promise.epsilon, values, share)
    check_weights(len(optimum.lifts), len(optimum.chances) + 1)  # as a spec of it can hold
    lowest, width = optimum.lifts.min(), np.ptp(optimum.lifts) or 1.0
    rounded = np.asarray(optimum.chances * (lowest + np.round((optimum.lifts - lowest) / width, STEPS) * width))
    return rounded if np.abs(rounded.sum(axis=1) - 1).max() <= WITHHELD / 2 else optimum.matrix


def _best_rows(promise: UnderPrior, wanted: ChannelGoal, closed_form: Any) -> Rows:
    """The requested channel, as integer weights that provably keep the guarantee."""
    prior, epsilon, by_paper = promise.prior, promise.epsilon, check_bool("closed_form", closed_form)
    if promise.one_sided:
        return certified(lambda share: one_sided_channel(prior, epsilon, share), promise)
    if by_paper:
        paper_channel(prior, epsilon)  # refuses
        return certified(lambda share: paper_channel(prior, epsilon, share), promise)
    return certified(lambda share: _solved(promise, wanted.values, share), promise)


def _read(domain: Any, parameters: Spec) -> InformedResponse:
    """The mechanism of a spec, which holds the channel itself: an optimizer's last digits are its machine's."""
    labels = Domain.from_json(domain)
    promise = _promise(labels, parameters["prior"], parameters["epsilon"], parameters.get("one_sided", False))
    wanted = ChannelGoal.read(Domain.of(promise.domain), parameters["goal"], parameters.get("values"))
    rows = unpacked(parameters["columns"], likeliest_first(promise.prior))
    if not promise.judge(rows).holds:
        raise ParameterError(f"columns must be weights that keep the guarantee, got some that are not {promise}")
    made: InformedResponse = InformedResponse._of(promise, wanted, rows)
    return made


def _example(domain: Domain, epsilon: float) -> Mechanism:
    """An example with a prior that rises from the first label to the last."""
    shares = np.arange(2, len(domain) + 2)
    return InformedResponse(domain, shares / shares.sum(), epsilon)


def _keeps(guarantee: Guarantee, domain: Domain) -> Maker | None:
    """The mechanism for a guarantee with a prior; None for others."""
    if not isinstance(guarantee, UnderPrior):
        return None
    return lambda: InformedResponse(domain, guarantee.prior, guarantee.enough, one_sided=guarantee.one_sided)


SAMPLE = {
    "prior": [0.5, 0.3, 0.2],
    "epsilon": 1.0,
    "goal": "histogram",
    "columns": [
        [50695365541731240, 1, 11426718858142218, 2],
        [13409672439234744, 1, 7129235253174722, 1, 52678319122825440, 1],
        [7952551761992975, 1, 53501635631642504, 1, 7952551761992975, 1],
        [4294968977, 1, 4294968492, 1, 4294967303, 1],
    ],
}
"""The channel is part of the spec, because an optimizer's last digits depend on the machine."""


def _random(source: Random) -> InformedResponse:
    weights = np.array([source.randint(1, 9) for _ in range(3)])
    return InformedResponse(3, weights / weights.sum(), source.choice((0.5, 1.0)), one_sided=source.random() < 0.3)


def _measured(labels: int) -> InformedResponse:
    """Zipf's law is the prior."""
    shares = 1 / np.arange(1, labels + 1)
    return InformedResponse(labels, shares / shares.sum(), 1.0)


FAMILY = Family(
    make=InformedResponse,
    written_out=True,
    title="what tells a curator with the prior most",
    example=_example,
    keeps=_keeps,
    read=_read,
    samples=(Sample(29, lambda: _read(["ill", "well", "away"], SAMPLE)),),
    random=_random,
    measured=_measured,
    sizes=(2, 16),
)
