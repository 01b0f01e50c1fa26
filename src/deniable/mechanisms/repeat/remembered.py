"""Memoized reports: a permanent report is drawn once per answer, and each round sends it, or a uniform one.

What RAPPOR calls permanent and instantaneous responses (Erlingsson et al. 2014), for any family that treats its labels
alike. A round's report is the same mechanism at weaker odds, exactly: see privacy/repeated.py.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import Any, Self

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.law import Law
from deniable.estimation.laws.lists_law import ListsLaw
from deniable.estimation.laws.support_law import SupportLaw
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Family, Sample, keeps_none
from deniable.mechanisms.hashed import hashed_response
from deniable.mechanisms.lists import asked_items, item_response
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain import cyclic, hadamard, randomized_response, subset, unary
from deniable.mechanisms.shared.rounds import Rounds, at_odds
from deniable.privacy.entropy import Entropy, checked_entropy
from deniable.privacy.repeated import PARTS
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import LARGEST_EPSILON, check_epsilon, check_int
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.protocol.privacy.rows import level
from deniable.protocol.values import LARGEST
from deniable.reports.layout import Layout
from deniable.reports.spec import VERSION
from deniable.values.domain import Domain

MOST_ROUNDS = 10_000
"""The most rounds whose level is computed: daily reports of 27 years."""
PERMANENT = (
    randomized_response.FAMILY, unary.RAPPOR, unary.OPTIMIZED_UNARY, subset.FAMILY, hadamard.FAMILY, cyclic.FAMILY,
    hashed_response.FAMILY, asked_items.FAMILY, item_response.FAMILY,
)  # fmt: skip
"""Whose reports can be permanent."""


class Remembered(Mechanism):
    """A permanent report of ``mechanism`` is drawn once per answer; every round costs ``each`` to who sees it alone.

    Anyone who keeps all reports of a person learns at most what the permanent report tells: ``linked_level`` says how
    fast they get there, and ``dn.linked`` what else they see.

    >>> import deniable as dn
    >>> m = Remembered(dn.RandomizedResponse(16, 2.0), each=1.0)
    >>> kept = m.remember(3)  # on the device, once
    >>> m.tally([m.again(kept) for _ in range(30)]).n  # a report every day
    30
    >>> [round(m.linked_level(days), 3) for days in (1, 2, 3, 30)]
    [1.0, 1.8, 1.976, 2.0]
    """

    permanent: Mechanism
    """The mechanism of the permanent reports, whose level is that of all rounds together."""
    each: float
    """The level of one round's report."""
    _rounds_of: Rounds
    _keep: int
    """u: a report, or each bit, is kept in u cases of 2^40."""

    def __init__(self, mechanism: Mechanism, each: float) -> None:
        rounds = _rounds_of(mechanism)
        round_level = check_epsilon(each, "each")
        if round_level > mechanism.guarantee.claimed:
            raise ParameterError(
                f"each must be at most the level of the permanent report, {mechanism.guarantee.claimed:g}, "
                f"got each={round_level:g}"
            )
        keep = rounds.promise.keep(round_level)
        if rounds.promise.linked(keep, 1) <= 1:
            raise CapacityError(f"each must leave a coin of 2^40 cases something to keep, got each={round_level:g}")
        derived = {"permanent": mechanism, "_rounds_of": rounds, "_keep": keep}
        super().__init__(mechanism.domain, rounds.guarantee(round_level), derived, each=round_level)

    def spec(self) -> Spec:
        """The permanent mechanism's spec, which holds the labels, the level of a round and the coin u of m."""
        fields = {"each": self.each, "ever": self.permanent.spec(), "u": self._keep, "m": PARTS}
        return {"version": VERSION, "mechanism": self.name, **fields}

    def __repr__(self) -> str:
        return f"{self.name}({self.permanent!r}, each={self.each!r})"

    def _over(self, candidates: Iterable[Any] | None) -> Self:
        permanent = self.permanent._over(candidates)
        if permanent is self.permanent:
            return self
        listed = copy.copy(self)
        for stale in ("_fresh", "law"):
            vars(listed).pop(stale, None)
        vars(listed)["permanent"] = permanent
        return listed

    @property
    def _labels(self) -> Sequence[Hashable]:
        return self.permanent._labels

    @cached_property
    def _fresh(self) -> Mechanism:
        """What a round's report is: the permanent mechanism at weaker odds."""
        promise = self._rounds_of.promise
        return at_odds(self.permanent, promise.fresh(self._keep), promise.linked(self._keep, 1))

    @property
    def layout(self) -> Layout:
        return self.permanent.layout

    @cached_property
    def law(self) -> Law:
        """The permanent mechanism's law at the odds of one round, which knows what its periods have in common."""
        once, ever = self._fresh.law, self.permanent.law
        if isinstance(once, SupportLaw | ListsLaw) and isinstance(ever, SupportLaw | ListsLaw):
            return replace(once, permanent=ever.support)
        return once

    @property
    def cost(self) -> Cost:
        words, draws = self.permanent.cost
        return Cost(words + self._rounds_of.words, draws)

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return self._rounds_of.again(self.permanent.draw(values, entropy), self._keep, entropy)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of one round, from the permanent mechanism's own draw at the odds of one round."""
        return self._fresh.draw_counts(people, generator)

    def remember(self, label: Any, entropy: Entropy | None = None) -> int | bytes:
        """A permanent report of one value, to be kept on the device and never sent as it is.

        A device whose answer may change needs one for each answer: ``dn.linked.enrol`` draws all of them.
        """
        return self.permanent.privatize(label, entropy)

    def again(self, report: int | bytes, entropy: Entropy | None = None) -> int | bytes:
        """What a round sends of a permanent report: the report itself or a uniform one; of bits, each for itself."""
        source, kept = checked_entropy(entropy), self.layout.check([report])
        return self.layout.single(self._rounds_of.again(kept, self._keep, source))

    def linked_level(self, rounds: int) -> float:
        """The exact level of so many reports about one unchanged answer, rounded up; in the end the permanent one's."""
        check_int("rounds", rounds, 1, MOST_ROUNDS)
        return level(self._rounds_of.promise.linked(self._keep, rounds))


def can_be_remembered(mechanism: Mechanism) -> bool:
    """Whether the mechanism's reports can be sent again in round after round."""
    return mechanism._rounds is not None


def one_round(mechanism: Mechanism) -> Mechanism:
    """What draws and counts like one round of a Remembered mechanism; any other is itself. Its spec is another."""
    return mechanism._fresh if isinstance(mechanism, Remembered) else mechanism


def _rounds_of(mechanism: Any) -> Rounds:
    """How the reports of a mechanism are sent again; refused if they cannot be."""
    if not isinstance(mechanism, Mechanism):
        raise ParameterError(f"mechanism must be one of deniable's, got {type(mechanism).__name__}")
    rounds = mechanism._rounds
    if rounds is None:
        raise ParameterError(
            f"mechanism must be one whose reports can be sent again, such as Cyclic or Subset, got {mechanism.name}"
        )
    return rounds


def _example(domain: Domain, epsilon: float) -> Remembered:
    """A permanent report of twice the level, as far as levels go."""
    each = check_epsilon(epsilon)
    return Remembered(randomized_response.FAMILY.example(domain, min(2 * each, LARGEST_EPSILON)), each)


def _read(domain: Any, parameters: Spec) -> Remembered:
    """The coin follows from the levels; that the spec holds the same one is checked as for every spec."""
    return Remembered(parameters["ever"], parameters["each"])


def _random(source: Random) -> Remembered:
    permanent = source.choice(PERMANENT).random_member(source)
    return Remembered(permanent, permanent.guarantee.claimed * source.choice((0.3, 0.5, 1.0, source.random())))


def _sample(number: int, row: Family, which: int) -> Sample:
    """One of a row's samples, remembered, at half of its level for each round."""

    def make() -> Remembered:
        permanent = row.samples[which].make()
        return Remembered(permanent, permanent.guarantee.claimed / 2)

    return Sample(number, make)


FAMILY = Family(
    make=Remembered,
    title="a permanent report, or now and then a uniform one",
    example=_example,
    keeps=keeps_none,
    read=_read,
    nested="ever",
    samples=(
        _sample(44, subset.FAMILY, 0),
        _sample(45, hadamard.FAMILY, 1),  # four parts
        _sample(46, randomized_response.FAMILY, 1),
        _sample(47, cyclic.FAMILY, 1),
        _sample(48, unary.RAPPOR, 0),
        _sample(49, hashed_response.FAMILY, 0),  # the cohort stays
        _sample(50, unary.OPTIMIZED_UNARY, 0),
        _sample(62, asked_items.FAMILY, 1),  # the window stays
        _sample(63, item_response.FAMILY, 0),
    ),
    random=_random,
    largest=lambda: Remembered(unary.RAPPOR.example(Domain.of(LARGEST), 2.0), 1.0),
)
