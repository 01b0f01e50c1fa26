"""The optimal channel on two labels, each with its own level (acharya2019, Thm 2)."""

from __future__ import annotations

import math
from typing import Any

from deniable.arrays import Matrix
from deniable.estimation.laws.linear_law import LinearLaw
from deniable.mechanisms.channels.table import Table
from deniable.mechanisms.composed import Composed
from deniable.mechanisms.family import Family, Maker, Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.chosen import some_level
from deniable.privacy.exact_channel import ExactChannel
from deniable.privacy.matrix import Rows
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_epsilon
from deniable.protocol.errors import ParameterError
from deniable.protocol.mechanisms.channels import binary_rows, check_close
from deniable.protocol.privacy.context import Pairwise
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.protocol.privacy.levels import in_json
from deniable.values.domain import Domain, DomainLike


class BinaryResponse(Composed[LinearLaw]):
    """Two labels, each with its own level: no channel with these levels is more informative.

    ``epsilon_first`` bounds how much likelier a report may be from the first label than from the second. Equal levels
    give Warner's coin; if one is infinite it is Mangat's design, where that label may be revealed, and the other never.

    >>> m = BinaryResponse(["yes", "no"], 0.7, 1.4)
    >>> m.probabilities.round(6).tolist()
    [[0.858536, 0.141464], [0.426337, 0.573663]]
    """

    guarantee: Pairwise
    """A level each way."""
    epsilon_first: float
    """How much likelier a report may be from the first label than from the second, in nats."""
    epsilon_second: float
    """The same from the second label."""

    def __init__(self, domain: DomainLike, epsilon_first: float, epsilon_second: float) -> None:
        labels = Domain.of(domain)
        if len(labels) != 2:
            raise ParameterError(f"domain must be two labels for BinaryResponse, got {len(labels)}")
        first, second = _level("epsilon_first", epsilon_first), _level("epsilon_second", epsilon_second)
        if first == second == math.inf:
            raise ParameterError("epsilon_first and epsilon_second must not both be infinite, got no privacy")
        rows = Rows.of(binary_rows(first, second).weights)
        check_close(rows, (first, second))
        channel, promise = ExactChannel(labels, rows), Pairwise(labels, [[0, first], [second, 0]])
        fields = {"_channel": channel, "_parts": Table(channel, promise)}
        super().__init__(labels, promise, fields, epsilon_first=first, epsilon_second=second)

    def _spec_parameters(self) -> Spec:
        return {name: in_json(level) for name, level in super()._spec_parameters().items()}

    def __repr__(self) -> str:
        return f"BinaryResponse({self.domain!r}, {self.epsilon_first!r}, {self.epsilon_second!r})"

    @property
    def probabilities(self) -> Matrix:
        """The realised probabilities as floats, inputs by outputs."""
        return self._channel.probabilities


def _level(name: str, value: Any) -> float:
    if isinstance(value, float) and value == math.inf:
        return math.inf
    return check_epsilon(value, name)


def _example(domain: Domain, epsilon: float) -> Mechanism:
    """The first two labels, at one level."""
    return BinaryResponse(list(domain)[:2], epsilon, epsilon)


def _read(domain: Any, parameters: Spec) -> Mechanism:
    """A spec's levels, where infinity is the word inf."""
    levels = {name: math.inf if value == "inf" else value for name, value in parameters.items()}
    return BinaryResponse(Domain.from_json(domain), **levels)


def _keeps(guarantee: Guarantee, domain: Domain) -> Maker | None:
    """What makes the mechanism with a pairwise guarantee's two levels; None for other guarantees, or more labels."""
    if not isinstance(guarantee, Pairwise) or len(domain) != 2:
        return None
    levels = guarantee.pair_level(0, 1), guarantee.pair_level(1, 0)
    return lambda: BinaryResponse(domain, *levels)


FAMILY = Family(
    make=BinaryResponse,
    written_out=True,
    title="one of the two labels",
    example=_example,
    keeps=_keeps,
    read=_read,
    may_refuse=True,
    samples=(
        Sample(20, lambda: BinaryResponse(["yes", "no"], 0.7, 1.4)),
        Sample(21, lambda: BinaryResponse(["yes", "no"], math.inf, 1.0)),
    ),
    random=lambda source: BinaryResponse(2, some_level(source), source.choice((math.inf, some_level(source)))),
    sizes=(2,),
)
