"""Mechanisms for checklists: each person holds a list of labels, maybe none."""

from __future__ import annotations

import math
from fractions import Fraction

from .. import draws
from ..canonical import Spec
from ..checks import check_epsilon, check_int
from ..errors import CapacityError
from ..layouts import BitsLayout, IndexLayout, Report, number_of
from ..odds import Odds, dyadic_odds, one_sided_odds, weighted_odds
from ..privacy.each_item import EachItem
from ..privacy.guarantees import LDP
from ..values import Domain, Lists
from ..words import WORD, Words
from .mechanism import Mechanism

MOST_TOGETHER = 16
MOST_OUTPUTS = 1 << 26
MOST_LABELS = 1 << 16
"""The most labels of PrivateSet: a device shuffles all of them."""


class OfLists(Mechanism):
    """A mechanism over lists of d labels; the index of a list is the set of its labels' places."""

    odds: Odds

    def __init__(self, labels: Domain, epsilon: float, **parameters: int | None) -> None:
        super().__init__(Lists(labels), epsilon=check_epsilon(epsilon), **parameters)
        self.d = len(labels)
        self.epsilon: float = self.parameters["epsilon"]
        self.guarantee = LDP(self.epsilon)


class AskedItems(OfLists):
    """The answers about ``together`` neighbouring labels, from a random one on, by randomized response."""

    def __init__(self, labels: Domain, epsilon: float, together: int) -> None:
        super().__init__(labels, epsilon, together=check_int("together", together, 1, min(len(labels), MOST_TOGETHER)))
        self.together = together
        self.windows = 1 if together == self.d else self.d
        if self.windows << together > MOST_OUTPUTS:
            raise CapacityError(f"labels times 2^together must be at most {MOST_OUTPUTS}, got more")
        self.patterns = 1 << together
        self.odds = weighted_odds(self.epsilon, 1, self.patterns - 1)
        self.layout = IndexLayout(self.windows << together)
        self.total = self.odds.above + (self.patterns - 1) * self.odds.below

    @classmethod
    def of(cls, spec: Spec) -> AskedItems:
        return cls(Domain.from_json(spec["domain"]), spec["epsilon"], spec["together"])

    def draw(self, value: frozenset[int], words: Words) -> Report:
        """The window, then a number that tells the pattern or which other one."""
        first = draws.uniform(words.part(), self.windows)
        return self.draw_in(first, self.pattern(value, first), words)

    def draw_in(self, first: int, pattern: int, words: Words) -> int:
        """The report of a pattern in the window that begins at label ``first``."""
        drawn = draws.uniform(words.part(), self.total)
        other = pattern ^ 1 + max(drawn - self.odds.above, 0) // self.odds.below
        return first << self.together | (other, pattern)[drawn < self.odds.above]

    def chance(self, value: frozenset[int], report: Report) -> Fraction:
        first, pattern = divmod(number_of(report), self.patterns)
        return Fraction(self.odds.weight(pattern == self.pattern(value, first)), self.total * self.windows)

    def pattern(self, value: frozenset[int], first: int) -> int:
        """A bit for each label of a window, the first one lowest."""
        return sum(1 << place for place in range(self.together) if (first + place) % self.d in value)


class PrivateSet(OfLists):
    """A uniform set of ``size`` places, A/B times likelier if it meets the ``most`` places of the list (PrivSet)."""

    layout: BitsLayout

    def __init__(self, labels: Domain, epsilon: float, most: int, size: int) -> None:
        d = len(labels)
        if d > MOST_LABELS:
            raise CapacityError(f"domain must hold at most {MOST_LABELS} labels for PrivateSet, got {d}")
        super().__init__(labels, epsilon, most=check_int("most", most, 1, d), size=check_int("size", size, 1, d))
        self.most, self.size, self.places = most, size, d + most
        self.odds = weighted_odds(self.epsilon, 1, 1)
        self.layout = BitsLayout(self.places, size)

    @classmethod
    def of(cls, spec: Spec) -> PrivateSet:
        return cls(Domain.from_json(spec["domain"]), spec["epsilon"], spec["most"], spec["size"])

    def draw(self, value: frozenset[int], words: Words) -> Report:
        """Uniform sets, until one meets the list or a coin lets it in; how often depends on no list."""
        held = self._padded(value, words)
        while True:
            drawn = draws.any_set(words, self.places, self.size)
            let_in = draws.coin(words.part(), self.odds.below, self.odds.above)
            if drawn & held or let_in:
                return self.layout.pack(drawn)

    def _padded(self, value: frozenset[int], words: Words) -> int:
        """A list as ``most`` places, as bits: a uniform choice of its labels, filled up with places beyond d."""
        order = draws.shuffled(words.part(), self.d)
        kept = [label for label in order if label in value][: self.most]
        spare = range(self.d, self.places - len(kept))
        return sum(1 << place for place in (*kept, *spare))

    def chance(self, value: frozenset[int], report: Report) -> Fraction:
        """A, or B where the set misses the list, over the choices of ``_padded`` (PrivSet)."""
        members, above, below = number_of(report), *self.odds
        kept = min(len(value), self.most)
        spare = sum(1 << place for place in range(self.d, self.places - kept))
        outside = len(value) - sum(members >> label & 1 for label in value)
        missed = Fraction(math.comb(outside, kept), math.comb(len(value), kept)) if not members & spare else 0
        sets = math.comb(self.places, self.size)
        never = Fraction(math.comb(self.places - self.size, self.most), math.comb(self.places, self.most))
        return (above - (above - below) * missed) / (above - (above - below) * never) / sets


class ItemResponse(OfLists):
    """A coin for each label: in B of 2^64 cases its answer is inverted, or, where it is one-sided, made yes."""

    layout: BitsLayout

    def __init__(self, labels: Domain, epsilon: float, one_sided: bool) -> None:
        super().__init__(labels, epsilon, **({"one_sided": True} if one_sided else {}))
        self.one_sided = one_sided
        self.guarantee = EachItem(labels, self.epsilon, one_sided)
        self.odds = one_sided_odds(self.epsilon) if one_sided else dyadic_odds(self.epsilon)
        self.layout = BitsLayout(self.d)

    @classmethod
    def of(cls, spec: Spec) -> ItemResponse:
        return cls(Domain.from_json(spec["domain"]), spec["epsilon"], spec.get("one_sided", False))

    def draw(self, value: frozenset[int], words: Words) -> Report:
        noise, held = draws.coins(words.part(), self.odds.below, self.d), sum(1 << label for label in value)
        return self.layout.pack(noise | held if self.one_sided else noise ^ held)

    def chance(self, value: frozenset[int], report: Report) -> Fraction:
        return items_chance(report, value, self.d, *self.says_yes)

    @property
    def says_yes(self) -> tuple[Fraction, Fraction]:
        """How probably the bit is set of a label that is held, and of one that is not."""
        return Fraction(self.odds.above, WORD), Fraction(self.odds.below, WORD)


def items_chance(report: Report, value: frozenset[int], d: int, yes: Fraction, no: Fraction) -> Fraction:
    """The probability of independent bits, set with ``yes`` for a label in the list and ``no`` for another."""
    members, chance = number_of(report), Fraction(1)
    for label in range(d):
        set_chance = yes if label in value else no
        chance *= set_chance if members >> label & 1 else 1 - set_chance
    return chance
