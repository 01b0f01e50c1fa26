"""Which mechanism reports the answer to a question: of those that keep its promise, the one of least error."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

import numpy as np

from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.mechanisms.lists.asked_items import AskedItems
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import FAMILIES
from deniable.mechanisms.repeat.remembered import Remembered, can_be_remembered
from deniable.planning.solving import plan
from deniable.protocol.checks import SMALLEST_EPSILON
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.one_of import OneOf
from deniable.surveys.arms import treats_alike
from deniable.surveys.discovery import MOST_CANDIDATES
from deniable.surveys.part_errors import stated_share
from deniable.theory.risk.hashed import best_symbols
from deniable.values.domain import Domain

COHORTS = 512
GRAIN = 1_000_000
"""Levels are split to so many parts of 1, rounded down, so that their sum stays within the whole."""
MOST_SYMBOLS = 16
"""The most symbols of a cohort that are tried where a device keeps a report for each of them."""
MOST_TOGETHER = 4
"""The most labels of a checklist that are tried together where a device keeps a report for each pattern of them."""
MOST_TRIED = 256
"""How many texts stand for all that may be looked for, where mechanisms are compared."""
COMMON = 0.1
"""The share of a label for which mechanisms of checklists are compared where lists may be of any length."""


def part_of(level: float, parts: int) -> float:
    """One of so many equal parts of a level, rounded down.

    >>> part_of(1.0, 3)
    0.333333
    """
    part = math.floor(Fraction(level) * GRAIN / parts) / GRAIN
    if part < SMALLEST_EPSILON:
        raise ParameterError(f"epsilon must leave a part for each of {parts}, got epsilon={level:g}")
    return part


M = TypeVar("M", bound=Mechanism)


class MechanismChoice(ABC):
    """How mechanisms are chosen for the questions of a survey, each with a level of its own."""

    @abstractmethod
    def of_labels(self, question: OneOf, level: float, people: int) -> Mechanism:
        """For one answer out of a question's labels."""

    @abstractmethod
    def of_list(self, question: AnyOf, level: float) -> Mechanism:
        """For the list that answers a checklist."""

    @abstractmethod
    def of_text(self, level: float, key: str) -> Mechanism:
        """For texts, under a key of their own."""

    @abstractmethod
    def of_joined(self, labels: Domain, level: float, people: int) -> Mechanism:
        """For several answers as one label, by reports that say how shares of labels vary together."""

    def within(self, level: float, make: Callable[[float], M]) -> M:
        """A mechanism that ``make`` makes at a level: at all of it, unless something else bounds it."""
        return make(level)


@dataclass(frozen=True)
class FreshChoice(MechanismChoice):
    """Every answer is a new report, with all of the level."""

    def of_labels(self, question: OneOf, level: float, people: int) -> Mechanism:
        return _best_mechanism(question.labels, question.guarantee(level))

    def of_list(self, question: AnyOf, level: float) -> Mechanism:
        """The best of those that protect the whole list; for short lists there are others."""
        return best_list(lists_for(question, level), question)

    def of_text(self, level: float, key: str) -> Mechanism:
        return HashedResponse(level, best_symbols(level, MOST_CANDIDATES), COHORTS, key=key)

    def of_joined(self, labels: Domain, level: float, people: int) -> Mechanism:
        rows = plan(labels, level, max(1, people)).rows
        return next(row.mechanism for row in rows if treats_alike(row.mechanism))


@dataclass(frozen=True)
class RememberedChoice(MechanismChoice):
    """Reports are remembered: a level is that of a life, shared by the permanent reports that a device keeps.

    ``each`` is the level of one period's report; without it the permanent report is sent as it is.
    """

    each: float | None = None

    def of_labels(self, question: OneOf, level: float, people: int) -> Mechanism:
        """A permanent report for each label, or for each of fewer symbols, which leaves more of the level to each."""
        if not question.guarantee(1.0).alike:
            raise ParameterError(
                f"a question whose answers are remembered must protect all of them alike, got {question.name!r}"
            )
        labels = Domain.of(question.labels)
        return of_least_error(
            [*self._with_report_for_each(labels, level, people), *self._with_symbols(level, labels)], len(labels)
        )

    def of_list(self, question: AnyOf, level: float) -> Mechanism:
        together = range(1, min(len(question.labels), MOST_TOGETHER) + 1)
        permanent = [AskedItems(question.labels, part_of(level, 1 << b), together=b) for b in together]
        return best_list([self._remembered(m) for m in permanent], question)

    def of_text(self, level: float, key: str) -> Mechanism:
        return of_least_error(self._with_symbols(level, key=key), MOST_TRIED)

    def of_joined(self, labels: Domain, level: float, people: int) -> Mechanism:
        mechanisms = [m for m in self._with_report_for_each(labels, level, people) if treats_alike(m)]
        return of_least_error(mechanisms, len(labels))

    def _with_report_for_each(self, labels: Domain, level: float, people: int) -> list[Remembered]:
        """Mechanisms with a permanent report for each label."""
        rows = plan(labels, part_of(level, len(labels)), max(1, people)).rows
        return [self._remembered(row.mechanism) for row in rows if can_be_remembered(row.mechanism)]

    def _with_symbols(self, level: float, domain: Domain | None = None, key: str = "") -> list[Remembered]:
        """Mechanisms with a permanent report for each symbol of a cohort."""
        most = MOST_SYMBOLS if domain is None else min(MOST_SYMBOLS, len(domain) - 1)
        permanent = [HashedResponse(part_of(level, r), r, COHORTS, domain, key) for r in range(2, most + 1)]
        return [self._remembered(m) for m in permanent]

    def _remembered(self, permanent: Mechanism) -> Remembered:
        level = permanent.guarantee.claimed
        return Remembered(permanent, level if self.each is None else min(self.each, level))


@lru_cache(maxsize=1024)
def _best_mechanism(labels: Domain, guarantee: Guarantee) -> Mechanism:
    """The best mechanism for labels under a guarantee, of however many people; cached for designs that are compared."""
    return plan(labels, users=1, guarantee=guarantee).best


def of_least_error(mechanisms: Sequence[Mechanism], labels: int) -> Mechanism:
    """The mechanism of least error where all labels are alike."""
    return min(mechanisms, key=lambda m: m.risk(1, "l2", np.full(labels, 1 / labels)))


def lists_for(question: AnyOf, level: float) -> list[Mechanism]:
    """All mechanisms that report the lists of a question at a level."""
    rows = [row.for_lists for row in FAMILIES.values() if row.for_lists is not None]
    labels = Domain.of(question.labels)
    return [m for make in rows for m in make(labels, level, question.most)]


def best_list(mechanisms: Sequence[Mechanism], question: AnyOf) -> Mechanism:
    """The mechanism of least error where lists are as long as they may be, or hold one label in ten."""
    share = COMMON if question.most is None else stated_share(question)
    return min(mechanisms, key=lambda m: m.risk(1, "l2", np.full(len(question.labels), share)))
