"""Reports that are remembered: a permanent report is drawn once, and every round sends it or a uniform one."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any, TypeAlias

from .. import draws
from ..canonical import Spec
from ..checks import check_epsilon
from ..errors import CapacityError, ParameterError, ReportError
from ..layouts import Report, number_of
from ..odds import exp_lower
from ..privacy.each_item import EachItem
from ..privacy.guarantees import LDP, Guarantee
from ..privacy.levels import times
from ..values import Domain, Lists
from ..words import WORD, SystemWords, Words
from .hashed import HashedResponse
from .lists import AskedItems, ItemResponse, items_chance
from .mechanism import VERSION, Mechanism
from .plain import (
    Cyclic,
    Hadamard,
    OptimizedUnary,
    RandomizedResponse,
    Rappor,
    Subset,
    bits_chance,
)

PARTS = 1 << 40
"""m: a report is kept in u cases of so many."""
Permanent: TypeAlias = (
    RandomizedResponse | Rappor | OptimizedUnary | Subset | Hadamard | Cyclic | HashedResponse | AskedItems
    | ItemResponse
)  # fmt: skip
BITS = (Rappor, OptimizedUnary, ItemResponse)
"""Those whose reports are sent again bit by bit."""


class Remembered(Mechanism):
    """The report of another mechanism, drawn once for each answer and randomized again for every round that sends it.

    Whoever sees one round alone learns no more than the level ``each``.
    """

    def __init__(self, permanent: Mechanism, each: float) -> None:
        one_sided = isinstance(permanent, ItemResponse) and permanent.one_sided
        if not isinstance(permanent, Permanent) or one_sided:
            raise ParameterError(f"ever must be a mechanism whose reports can be sent again, got {permanent.name}")
        level = check_epsilon(each, "each")
        if level > permanent.epsilon:
            raise ParameterError(f"each must be at most the level of the permanent report, got each={level:g}")
        self.ever = permanent
        self.bits = isinstance(permanent, BITS)
        # of PARTS cases those in which a whole report is kept, or a bit is sent unchanged
        self.keep = _bits_kept(permanent, level) if self.bits else _whole_kept(permanent, level)
        if self.keep <= (PARTS // 2 if self.bits else 0):
            raise CapacityError(f"each must leave a coin of 2^40 cases something to keep, got each={level:g}")
        super().__init__(permanent.domain, each=level)
        self.guarantee = _promised(permanent, level)
        self.layout = permanent.layout

    @classmethod
    def of(cls, written: Spec) -> Remembered:
        """From the fields of a spec, of which ``ever`` has become a mechanism."""
        return cls(written["ever"], written["each"])

    def spec(self) -> Spec:
        fields = {"each": self.parameters["each"], "ever": self.ever.spec(), "u": self.keep, "m": PARTS}
        return {"version": VERSION, "mechanism": self.name, **fields}

    @property
    def cells(self) -> int:
        """How many permanent answers a life has: of each label, symbol or pattern; of each item held and not held."""
        if isinstance(self.ever, HashedResponse):
            return min(self.ever.symbols, len(self.domain)) if isinstance(self.domain, Domain) else self.ever.symbols
        if isinstance(self.ever, AskedItems):
            return self.ever.patterns
        return 2 * self.ever.d if isinstance(self.ever, ItemResponse) else self.ever.d

    @property
    def life(self) -> LDP:
        """The cost of a life of answers: a permanent report for each cell."""
        return LDP(1.0).at(times(self.ever.epsilon, self.cells))

    def draw(self, value: Any, words: Words) -> Report:
        return self.again_from(self.ever.draw(value, words), words)

    def enrol(self) -> list[Report]:
        """The permanent reports that a device draws once and keeps, of every cell, so that none tells of an answer."""
        return self.enrol_from(SystemWords)

    def enrol_from(self, source: Callable[[], Words]) -> list[Report]:
        """As ``enrol``, each report from new words of the source."""
        if isinstance(self.ever, HashedResponse):
            cohort = draws.uniform(source().part(), self.ever.cohorts)
            return [self.ever.draw_in(cohort, symbol, source()) for symbol in range(self.ever.symbols)]
        if isinstance(self.ever, AskedItems):
            first = draws.uniform(source().part(), self.ever.windows)
            return [self.ever.draw_in(first, pattern, source()) for pattern in range(self.cells)]
        if isinstance(self.ever, ItemResponse):
            return [self.ever.draw(frozenset(held), source()) for held in ((), range(self.ever.d))]
        return [self.ever.draw(label, source()) for label in range(self.cells)]

    def may_keep(self, kept: list[Report]) -> bool:
        """Whether these can be the permanent reports of a device: as many as it draws, each of this mechanism."""
        many = self.cells
        if isinstance(self.ever, HashedResponse):
            many = self.ever.symbols
        elif isinstance(self.ever, ItemResponse):
            many = 2
        return len(kept) == many and all(map(self._is_report, kept))

    def _is_report(self, report: Report) -> bool:
        try:
            return type(report) in (int, bytes) and self.ever.layout.read(self.ever.layout.stored(report)) == report
        except (ReportError, OverflowError, ValueError):
            return False

    def recall(self, kept: list[Report], value: Hashable) -> Report:
        """The permanent report of a value among those that were drawn at enrolment."""
        index = self.domain.index(value)
        if isinstance(self.ever, HashedResponse) and isinstance(index, (int, str)):
            return kept[self.ever.symbols_of(index, number_of(kept[0]) // self.ever.symbols)[0]]
        if isinstance(index, frozenset):
            return self._recall_list(kept, index)
        return kept[index] if isinstance(index, int) else kept[0]

    def _recall_list(self, kept: list[Report], held: frozenset[int]) -> Report:
        """The report of the pattern in the device's window; of items the bits for held and for not held."""
        if isinstance(self.ever, AskedItems):
            return kept[self.ever.pattern(held, number_of(kept[0]) >> self.ever.together)]
        none, every = map(number_of, kept)
        members = sum(1 << label for label in held)
        return ((every & members) | (none & ~members)).to_bytes(self.layout.width, "little")

    def again(self, report: Report) -> Report:
        """What a round sends of a permanent report."""
        return self.again_from(report, SystemWords())

    def again_from(self, report: Report, words: Words) -> Report:
        """The report or a uniform one, both drawn; of bits each one as it is, or flipped."""
        if isinstance(self.ever, BITS):
            flips = draws.coins(words.part(), (PARTS - self.keep) * (WORD // PARTS), self.ever.d)
            return self.ever.layout.pack(number_of(report) ^ flips)
        kept = draws.coin(words.part(), self.keep, PARTS)
        return (self._uniform(report, words), report)[kept]

    def _uniform(self, report: Report, words: Words) -> Report:
        """Any report, each as likely; of hashes one of the same cohort."""
        if isinstance(self.ever, Subset):
            return self.ever.layout.pack(draws.any_set(words, self.ever.d, self.ever.size))
        if isinstance(self.ever, HashedResponse):
            symbol = number_of(report) % self.ever.symbols
            return number_of(report) - symbol + draws.uniform(words.part(), self.ever.symbols)
        if isinstance(self.ever, AskedItems):
            window = number_of(report) >> self.ever.together
            return window << self.ever.together | draws.uniform(words.part(), self.ever.patterns)
        return draws.uniform(words.part(), self.layout.outputs)

    def chance(self, value: Any, report: Report) -> Fraction:
        """The probability of a report: that of the permanent one where it is kept, and else of a uniform one."""
        if isinstance(self.ever, (Rappor, OptimizedUnary)):
            return bits_chance(report, value, self.ever.d, *self.support)
        kept = Fraction(self.keep, PARTS)
        if isinstance(self.ever, ItemResponse):
            yes, no = (kept * p + (1 - kept) * (1 - p) for p in self.ever.says_yes)
            return items_chance(report, value, self.ever.d, yes, no)
        return kept * self.ever.chance(value, report) + (1 - kept) / self.layout.outputs

    @property
    def support(self) -> Any:
        """The probabilities of support, as of the permanent report, at the weaker odds of one round."""
        support, kept = self.ever.support, Fraction(self.keep, PARTS)
        if support is None:
            return None
        if self.bits:
            return tuple(kept * p + (1 - kept) * (1 - p) for p in support)
        places, owned = _places(self.ever)
        return tuple(kept * p + (1 - kept) * Fraction(owned, places) for p in support)


def _promised(permanent: Permanent, each: float) -> Guarantee:
    """What one round promises: of items each by itself, else the whole answer."""
    if isinstance(permanent, ItemResponse) and isinstance(permanent.domain, Lists):
        return EachItem(permanent.domain.labels, 1.0).at(each)
    return LDP(1.0).at(each)


def _places(permanent: Permanent) -> tuple[int, int]:
    """N and s of wire/odds.md: a report has N places, of which a label owns s, with weight A each."""
    if isinstance(permanent, Subset):
        return permanent.d, permanent.size
    if isinstance(permanent, Hadamard):
        return 2 * permanent.parts, 1
    if isinstance(permanent, AskedItems):
        return permanent.patterns, 1
    if isinstance(permanent, Cyclic):
        return permanent.design.length, permanent.design.block
    return (permanent.symbols if isinstance(permanent, HashedResponse) else permanent.d), 1


def _whole_kept(permanent: Permanent, each: float) -> int:
    """u, in how many of ``PARTS`` cases a whole report is kept and not replaced; see wire/odds.md."""
    (above, below), (places, owned), bound = permanent.odds, _places(permanent), exp_lower(each)
    excess = places * (above - bound * below)
    gain = (owned * above + (places - owned) * below) * (bound - 1)
    return PARTS if excess <= 0 else int(PARTS * gain / (excess + gain))


def _bits_kept(permanent: Permanent, each: float) -> int:
    """u, in how many of ``PARTS`` cases a bit is kept and not inverted; see wire/odds.md."""
    ratio = permanent.odds.ratio
    bound = exp_lower(Fraction(each) / 2 if isinstance(permanent, Rappor) else each)
    return PARTS if ratio <= bound else PARTS - math.ceil(PARTS * (ratio - bound) / ((bound + 1) * (ratio - 1)))
