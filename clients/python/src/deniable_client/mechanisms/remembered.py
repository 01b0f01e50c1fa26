"""Reports that are remembered: a permanent report is drawn once, and every round sends it or a uniform one."""

from __future__ import annotations

import math
from collections.abc import Hashable
from fractions import Fraction
from typing import Any, Union

from deniable_client import draws
from deniable_client.canonical import Spec
from deniable_client.checks import check_epsilon
from deniable_client.errors import CapacityError, ParameterError
from deniable_client.layouts import Report, number_of
from deniable_client.mechanisms.hashed import HashedResponse
from deniable_client.mechanisms.mechanism import VERSION, Mechanism
from deniable_client.mechanisms.plain import (
    Cyclic,
    Hadamard,
    OptimizedUnary,
    RandomizedResponse,
    Rappor,
    Subset,
    bits_chance,
)
from deniable_client.odds import exp_lower
from deniable_client.privacy.guarantees import LDP
from deniable_client.words import WORD, SystemWords, Words

PARTS = 1 << 40
"""m: a report is kept in u cases of so many."""
Permanent = Union[RandomizedResponse, Rappor, OptimizedUnary, Subset, Hadamard, Cyclic, HashedResponse]
PERMANENT = (RandomizedResponse, Rappor, OptimizedUnary, Subset, Hadamard, Cyclic, HashedResponse)


class Remembered(Mechanism):
    """A permanent report per answer, drawn once; a round's report costs ``each`` to those who see it alone."""

    def __init__(self, permanent: Mechanism, each: float) -> None:
        if not isinstance(permanent, PERMANENT):
            raise ParameterError(f"ever must be a mechanism whose reports can be sent again, got {permanent.name}")
        level = check_epsilon(each, "each")
        if level > permanent.epsilon:
            raise ParameterError(f"each must be at most the level of the permanent report, got each={level:g}")
        self.ever = permanent
        self.bits = isinstance(permanent, (Rappor, OptimizedUnary))
        self.keep = _bits_kept(permanent, level) if self.bits else _whole_kept(permanent, level)
        if self.keep <= (PARTS // 2 if self.bits else 0):
            raise CapacityError(f"each must leave a coin of 2^40 cases something to keep, got each={level:g}")
        super().__init__(permanent.domain, each=level)
        self.guarantee = LDP(level)
        self.layout = permanent.layout

    @classmethod
    def of(cls, written: Spec) -> Remembered:
        """From the fields of a spec, of which ``ever`` has become a mechanism."""
        return cls(written["ever"], written["each"])

    def spec(self) -> Spec:
        """The spec's fields, with the permanent mechanism's whole spec."""
        own = {"each": self.parameters["each"], "ever": self.ever.spec(), "u": self.keep, "m": PARTS}
        return {"version": VERSION, "mechanism": self.name, **own}

    @property
    def cells(self) -> int:
        """How many permanent reports a device keeps: of each label, or of each symbol of its cohort."""
        return self.ever.symbols if isinstance(self.ever, HashedResponse) else self.ever.d

    def draw(self, value: Any, words: Words) -> Report:
        """A permanent report, and what one round sends of it."""
        return self.again_from(self.ever.draw(value, words), words)

    def enrol(self) -> list[Report]:
        """The permanent reports that a device draws once and keeps, of every cell, so that none tells of an answer."""
        return self.enrol_from(SystemWords)

    def enrol_from(self, source: Any) -> list[Report]:
        """The same, each report from words of its own."""
        if isinstance(self.ever, HashedResponse):
            cohort = draws.uniform(source().part(), self.ever.cohorts)
            return [self.ever.within(cohort, symbol, source()) for symbol in range(self.cells)]
        return [self.ever.draw(label, source()) for label in range(self.cells)]

    def recall(self, kept: list[Report], value: Hashable) -> Report:
        """The permanent report of a value among those that were drawn at enrolment."""
        index = self.domain.index(value)
        if isinstance(self.ever, HashedResponse) and isinstance(index, (int, str)):
            return kept[self.ever.own(index, number_of(kept[0]) // self.ever.symbols)[0]]
        return kept[index] if isinstance(index, int) else kept[0]

    def again(self, report: Report) -> Report:
        """What a round sends of a permanent report."""
        return self.again_from(report, SystemWords())

    def again_from(self, report: Report, words: Words) -> Report:
        """The report or a uniform one, both drawn; of bits each for itself."""
        if isinstance(self.ever, (Rappor, OptimizedUnary)):
            flips = draws.coins(words.part(), (PARTS - self.keep) * (WORD // PARTS), self.ever.d)
            return self.ever.layout.pack(number_of(report) ^ flips)
        kept = draws.coin(words.part(), self.keep, PARTS)
        return (self._any(report, words), report)[kept]

    def _any(self, report: Report, words: Words) -> Report:
        """Any report, each as likely; of hashes one of the same cohort."""
        if isinstance(self.ever, Subset):
            return self.ever.layout.pack(draws.any_set(words, self.ever.d, self.ever.size))
        if isinstance(self.ever, HashedResponse):
            symbol = number_of(report) % self.ever.symbols
            return number_of(report) - symbol + draws.uniform(words.part(), self.ever.symbols)
        return draws.uniform(words.part(), self.layout.outputs)

    def chance(self, value: Any, report: Report) -> Fraction:
        """That of the permanent report where it is kept, and of a uniform one."""
        if isinstance(self.ever, (Rappor, OptimizedUnary)):
            own, other = self.support
            return bits_chance(report, value, self.ever.d, own, other)
        kept = Fraction(self.keep, PARTS)
        return kept * self.ever.chance(value, report) + (1 - kept) / self.layout.outputs

    @property
    def support(self) -> Any:
        """As the permanent report's, at the weaker odds of one round."""
        found = self.ever.support
        if found is None:
            return None
        kept, share = Fraction(self.keep, PARTS), self._share
        if self.bits:
            return tuple(kept * p + (1 - kept) * (1 - p) for p in found)
        return tuple(kept * p + (1 - kept) * share for p in found)

    @property
    def _share(self) -> Fraction:
        """How often a uniform report fits a label."""
        places, own = _places(self.ever)
        return Fraction(own, places)


def _places(permanent: Permanent) -> tuple[int, int]:
    """N and s: of so many places a label owns s with weight A each."""
    if isinstance(permanent, Subset):
        return permanent.d, permanent.size
    if isinstance(permanent, Hadamard):
        return 2 * permanent.parts, 1
    if isinstance(permanent, Cyclic):
        return permanent.design.length, permanent.design.block
    return (permanent.symbols if isinstance(permanent, HashedResponse) else permanent.d), 1


def _whole_kept(permanent: Permanent, each: float) -> int:
    """The u of reports that are kept or replaced whole; see wire/odds.md."""
    (above, below), (places, own), bound = permanent.odds, _places(permanent), exp_lower(each)
    excess = places * (above - bound * below)
    gain = (own * above + (places - own) * below) * (bound - 1)
    return PARTS if excess <= 0 else int(PARTS * gain / (excess + gain))


def _bits_kept(permanent: Permanent, each: float) -> int:
    """The u of bits, each of which is kept or inverted."""
    ratio = permanent.odds.ratio
    bound = exp_lower(Fraction(each) / 2 if isinstance(permanent, Rappor) else each)
    return PARTS if ratio <= bound else PARTS - math.ceil(PARTS * (ratio - bound) / ((bound + 1) * (ratio - 1)))
