"""A number set beside another answer: from the parts that report both as one label."""

from __future__ import annotations

from collections.abc import Sequence

from deniable.estimation.numbers.association import Association
from deniable.estimation.numbers.by_group import MeansByGroup
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.sources import Source
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.number import Number
from deniable.protocol.questions.one_of import OneOf
from deniable.surveys.combining import PartReports


def means_by_group(groups: OneOf, number: Number, told: Sequence[PartReports]) -> MeansByGroup:
    """The mean of a number by label."""
    source = _source(told, (groups.name, number.name))
    return MeansByGroup((groups.name, number.name), tuple(groups.labels), number.scale, number.unit, source)


def associated(
    first: Number, second: Number, told: Sequence[PartReports], spread: Quantity | None, other: Quantity | None
) -> Association:
    """How two numbers go together."""
    names = first.name, second.name
    return Association(names, (first.scale, second.scale), _source(told, names), (spread, other))


def _source(told: Sequence[PartReports], names: tuple[str, str]) -> Source:
    """The shares of the pairs, those of the first label first."""
    if not told:
        raise ParameterError(f"{names[0]!r} and {names[1]!r} must be crossed in the survey, got no arm with both")
    if len(told) > 1 or told[0].part.names != names:
        raise ParameterError(f"a number must be crossed once, as the pair {names!r}, got it otherwise")
    return told[0].source
