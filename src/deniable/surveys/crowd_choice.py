"""Which mechanism reports an answer that goes through a mixer: within what a crowd hides, of least error."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

import numpy as np

from deniable.mechanisms.blankets import blankets_of
from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.plain.subset import Subset
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.one_of import OneOf
from deniable.surveys.choosing import (
    COHORTS,
    COMMON,
    MOST_TRIED,
    M,
    MechanismChoice,
    best_list,
    lists_for,
    of_least_error,
)
from deniable.theory.risk.support import variance_population
from deniable.values.domain import Domain

STEPS: Final = 1000
"""Levels of reports have three decimals, as people read them."""
SYMBOLS: Final = (2, 4, 8, 16, 32, 64, 128)
"""How many symbols of a cohort are tried for texts."""


@dataclass(frozen=True)
class CrowdChoice(MechanismChoice):
    """Each report has the largest level at which the crowd still hides it.

    ``cap`` is the largest level of a whole answer, and ``level`` that of the crowd, at which no crowd is needed.
    ``spread`` is the largest second moment of a whole answer's blanket (``theory.crowd.blanket``), which parts share as
    they share the cap.
    """

    cap: float
    level: float
    spread: float

    def of_labels(self, question: OneOf, level: float, people: int) -> Mechanism:
        if not question.guarantee(1.0).alike:
            raise ParameterError(
                f"a question in a crowd must protect all of its answers alike, got {question.name!r}; a report that "
                "only some answers may send is hidden by no crowd"
            )
        return _best_mechanism(Domain.of(question.labels), level, self)

    def of_list(self, question: AnyOf, level: float) -> Mechanism:
        return self.within(level, lambda part: best_list(list(_hidden_mechanisms(question, part)), question))

    def of_text(self, level: float, key: str) -> Mechanism:
        makers = [partial(HashedResponse, symbols=each, cohorts=COHORTS, key=key) for each in SYMBOLS]
        return of_least_error([self.within(level, make) for make in makers], MOST_TRIED)

    def of_joined(self, labels: Domain, level: float, people: int) -> Mechanism:
        return _best_mechanism(labels, level, self)

    def within(self, level: float, make: Callable[[float], M]) -> M:
        """A mechanism at the largest level, up to this one, at which its blanket spreads no more than its share."""
        spread_share = math.expm1(math.log1p(self.spread) * level / self.cap)
        low, high = max(1, math.floor(self.level * level / self.cap * STEPS)), math.floor(round(level * STEPS, 4))
        return make(_last_within(low, high, lambda steps: _spread(make(steps / STEPS)), spread_share) / STEPS)


@lru_cache(maxsize=1024)
def _best_mechanism(labels: Domain, level: float, choice: CrowdChoice) -> Mechanism:
    """The best mechanism for labels; cached for designs that are compared."""
    share = max(COMMON, 1 / len(labels))
    return min((choice.within(level, make) for make in _makers(labels)), key=lambda m: _variance(m, share))


def _makers(labels: Domain) -> Iterator[Callable[[float], RandomizedResponse | Subset]]:
    """Mechanisms by level that report one label, or a set of few: a crowd hides smaller sets than are best alone."""
    yield partial(RandomizedResponse, labels)
    yield from (partial(Subset, labels, size=size) for size in sizes_for(len(labels)))


def sizes_for(labels: int) -> list[int]:
    """The sizes of sets that are compared: 2, 3, 4, 6, 8, 12 and so on, up to half of the labels.

    >>> sizes_for(16)
    [2, 3, 4, 6, 8]
    """
    doubled = sorted(size << power for size in (2, 3) for power in range(labels.bit_length()))
    return [size for size in doubled if size <= labels // 2]


def _variance(m: RandomizedResponse | Subset, share: float) -> float:
    """The variance of one report about a label with this share."""
    return float(variance_population(m.law.support, 1, np.array([share]))[0])


def _last_within(low: int, high: int, value: Callable[[int], float], most: float) -> int:
    """The last number from ``low`` to ``high`` whose value is at most so much, or ``low``.

    Values grow about as a power of the number, so the next number to try is interpolated between logarithms.
    """
    above, below = value(high), value(low)
    if above <= most or below > most:
        return high if above <= most else low
    while high - low > 1:
        interpolated = low * (high / low) ** (math.log(most / below) / math.log(above / below))
        middle = min(max(round(interpolated), low + 1), high - 1)
        between = value(middle)
        if between <= most:
            low, below = middle, between
        else:
            high, above = middle, between
    return low


def _hidden_mechanisms(question: AnyOf, level: float) -> Iterator[Mechanism]:
    """The mechanisms for lists whose reports a crowd hides."""
    for m in lists_for(question, level):
        with suppress(ParameterError):
            blankets_of(m)
            yield m


def _spread(m: Mechanism) -> float:
    return max(each.spread for each in blankets_of(m))
