"""Shared by the high-low mechanisms: the ranking with sensitive labels first, the spec and the registry row."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from deniable.arrays import Indices
from deniable.mechanisms.family import FEWER_SIZES, Family, Sample, Way
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.chosen import some_level, some_sensitive
from deniable.mechanisms.shared.limits import MOST_ROWS, check_rows
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_epsilon
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.context import HighLow
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.values.domain import Domain, DomainLike


class Ranking(NamedTuple):
    """The order of the labels in reports and counts: the sensitive ones first."""

    order: Indices
    """The places of all labels in the domain, the sensitive ones first."""
    rank: Indices
    """Each label's number in that order."""
    sensitive: int
    """How many are."""

    @classmethod
    def of(cls, promise: HighLow) -> Ranking:
        """The ranking of a guarantee's labels."""
        places = promise.places
        rest = np.setdiff1d(np.arange(len(promise.domain)), places)
        order = np.concatenate((np.asarray(places, np.int64), rest))
        return cls(order, np.argsort(order), len(places))


def promised(domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float, name: str) -> HighLow:
    """The HighLow guarantee of a mechanism of this name, with the number of labels checked."""
    labels = Domain.of(domain)
    check_rows(len(labels), name)
    return HighLow(labels, sensitive, check_epsilon(epsilon))


def high_low_spec(promise: HighLow) -> Spec:
    """The spec's parameters: epsilon and the indices of the sensitive labels."""
    return {"epsilon": promise.epsilon, "sensitive": list(promise.places)}


def high_low_repr(mechanism: Mechanism, promise: HighLow) -> str:
    """The mechanism as text, with numbers of labels instead of the labels."""
    return f"{mechanism.name}({promise.domain!r}, {len(promise.sensitive)} sensitive, epsilon={promise.epsilon!r})"


def high_low_family(
    make: Callable[..., Any],
    title: str,
    samples: Iterable[Sample],
    resolved: Mapping[str, Callable[[Spec, int], Any]] = MappingProxyType({}),
    names: Iterable[str] = (),
    most: int = MOST_ROWS,
) -> Family:
    """The row of a family whose constructor takes a domain, its sensitive labels and an epsilon.

    ``resolved`` are further arguments, each with what reads it from the spec, given the number of sensitive labels;
    ``names`` are what the spec calls them. There can be ``most`` labels, one of them sensitive.
    """
    known = {"epsilon", "sensitive", *names}

    def example(domain: Domain, epsilon: float) -> Mechanism:
        """An example in which every second label is sensitive."""
        made: Mechanism = make(domain, list(domain)[1::2], epsilon)
        return made

    def keeps(guarantee: Guarantee, domain: Domain) -> Way | None:
        if not isinstance(guarantee, HighLow):
            return None
        return lambda: make(domain, guarantee.sensitive, guarantee.epsilon)

    def read(domain: Any, parameters: Spec) -> Mechanism:
        """The mechanism of a spec, which holds the indices of the sensitive labels."""
        labels = Domain.from_json(domain)
        places = parameters["sensitive"]
        if set(parameters) != known or min(places, default=0) < 0:
            raise ParameterError("sensitive must be places in the domain, beside epsilon, got others")
        more = {name: read(parameters, len(places)) for name, read in resolved.items()}
        made: Mechanism = make(labels, [labels[place] for place in places], parameters["epsilon"], **more)
        return made

    family: Any = make
    return Family(
        make=family, title=title, example=example, keeps=keeps, read=read, samples=tuple(samples),
        random=lambda source: make(*some_sensitive(source), some_level(source)),
        largest=lambda: make(most, [7], 1.0),
        measured=lambda labels: make(labels, range(0, labels, 4), 1.0),
        sizes=tuple(size for size in FEWER_SIZES if size <= most),
    )  # fmt: skip
