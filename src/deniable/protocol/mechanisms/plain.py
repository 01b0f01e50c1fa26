"""Mechanisms of plain LDP, which treat all labels alike."""

from __future__ import annotations

import math
from abc import abstractmethod
from fractions import Fraction
from typing import Self

from .. import draws
from ..canonical import Spec
from ..checks import check_epsilon, check_int
from ..designs import Design, read_design
from ..errors import ParameterError
from ..layouts import BitsLayout, IndexLayout, Report, number_of
from ..odds import Odds, dyadic_odds, weighted_odds
from ..privacy.guarantees import LDP
from ..values import Domain
from ..words import WORD, Words
from .mechanism import Mechanism


class Plain(Mechanism):
    """A mechanism of plain LDP over a closed domain of d labels."""

    odds: Odds

    def __init__(self, domain: Domain, epsilon: float, **parameters: int | None) -> None:
        super().__init__(domain, epsilon=check_epsilon(epsilon), **parameters)
        self.d = len(domain)
        self.epsilon: float = self.parameters["epsilon"]
        self.guarantee = LDP(self.epsilon)

    @classmethod
    def of(cls, spec: Spec) -> Self:
        return cls(Domain.from_json(spec["domain"]), spec["epsilon"])

    @property
    @abstractmethod
    def support(self) -> tuple[Fraction, Fraction] | None:
        """How often a report fits a label that its sender holds, and one that they do not."""


class RandomizedResponse(Plain):
    """The truth with weight A against B for each other label; two labels: Warner's coin."""

    def __init__(self, domain: Domain, epsilon: float) -> None:
        super().__init__(domain, epsilon)
        self.odds = weighted_odds(self.epsilon, 1, self.d - 1)
        self.layout = IndexLayout(self.d)

    def draw(self, value: int, words: Words) -> Report:
        return draws.response(words.part(), value, self.d, *self.odds)

    def chance(self, value: int, report: Report) -> Fraction:
        return Fraction(self.odds.weight(report == value), self.odds.above + (self.d - 1) * self.odds.below)

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        return self.chance(0, 0), self.chance(0, 1)


class Subset(Plain):
    """A set of ``size`` labels, which holds the value with odds A : B."""

    layout: BitsLayout

    def __init__(self, domain: Domain, epsilon: float, size: int) -> None:
        super().__init__(domain, epsilon, size=check_int("size", size, 1, len(domain) - 1))
        self.size = size
        self.odds = weighted_odds(self.epsilon, size, self.d - size)
        self.layout = BitsLayout(self.d, size)
        self.inside = size * self.odds.above
        self.total = self.inside + (self.d - size) * self.odds.below

    @classmethod
    def of(cls, spec: Spec) -> Subset:
        return cls(Domain.from_json(spec["domain"]), spec["epsilon"], spec["size"])

    def members(self, value: int, words: Words) -> int:
        """The labels of a report, as the bits of an integer."""
        return draws.draw_set(words, value, self.d, self.size, self.inside, self.total)

    def draw(self, value: int, words: Words) -> Report:
        """A uniform set of other labels; then the value may take the place of one."""
        return self.layout.pack(self.members(value, words))

    def chance(self, value: int, report: Report) -> Fraction:
        return self.chance_of(number_of(report) >> value & 1 == 1)

    def chance_of(self, held: bool) -> Fraction:
        """The probability of one set that holds the value, or of one that does not."""
        if held:
            return Fraction(self.inside, self.total) / math.comb(self.d - 1, self.size - 1)
        return Fraction(self.total - self.inside, self.total) / math.comb(self.d - 1, self.size)

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        g = Fraction(self.inside, self.total)
        return g, (g * (self.size - 1) + (1 - g) * self.size) / (self.d - 1)


class Rappor(Plain):
    """A bit for each label, that of the value set; every bit is inverted in B of 2^64 cases."""

    layout: BitsLayout

    def __init__(self, domain: Domain, epsilon: float) -> None:
        super().__init__(domain, epsilon)
        self.odds = dyadic_odds(Fraction(self.epsilon) / 2)
        self.layout = BitsLayout(self.d)

    def draw(self, value: int, words: Words) -> Report:
        return self.layout.pack(draws.coins(words.part(), self.odds.below, self.d) ^ 1 << value)

    def chance(self, value: int, report: Report) -> Fraction:
        return bits_chance(report, value, self.d, *self.support)

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        flip = Fraction(self.odds.below, WORD)
        return 1 - flip, flip


class OptimizedUnary(Plain):
    """A bit for each label: the value's is a fair coin, every other is set in B of 2^64 cases."""

    layout: BitsLayout

    def __init__(self, domain: Domain, epsilon: float) -> None:
        super().__init__(domain, epsilon)
        self.odds = dyadic_odds(self.epsilon)
        self.layout = BitsLayout(self.d)

    def draw(self, value: int, words: Words) -> Report:
        bit = next(words.part()) & 1
        noise = draws.coins(words.part(), self.odds.below, self.d)
        return self.layout.pack(noise & ~(1 << value) | bit << value)

    def chance(self, value: int, report: Report) -> Fraction:
        return bits_chance(report, value, self.d, *self.support)

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        return Fraction(1, 2), Fraction(self.odds.below, WORD)


class Hadamard(Plain):
    """An output of the + half of the label's row of a Hadamard matrix, with weight A against B for other halves."""

    def __init__(self, domain: Domain, epsilon: float, parts: int) -> None:
        super().__init__(domain, epsilon, parts=check_int("parts", parts, 1, 2 * len(domain) - 1))
        if parts & (parts - 1):
            raise ParameterError(f"parts must be a power of two, got parts={parts}")
        self.parts = parts
        self.size = 1 << (-(-self.d // parts)).bit_length()
        self.odds = weighted_odds(self.epsilon, 1, 2 * parts - 1)
        self.layout = IndexLayout(parts * self.size)

    @classmethod
    def of(cls, spec: Spec) -> Hadamard:
        return cls(Domain.from_json(spec["domain"]), spec["epsilon"], spec["parts"])

    def draw(self, value: int, words: Words) -> Report:
        return draws.hadamard(words.part(), value, self.size, self.parts, *self.odds)

    def chance(self, value: int, report: Report) -> Fraction:
        """A or B by which half the report is in; each half has size / 2 outputs."""
        part, row = divmod(value, self.size - 1)
        sent_part, output = divmod(number_of(report), self.size)
        in_own_half = sent_part == part and in_half(output, row + 1)
        total = self.odds.above + (2 * self.parts - 1) * self.odds.below
        return Fraction(2 * self.odds.weight(in_own_half), total * self.size)

    @property
    def support(self) -> None:
        """None: a report has a sign for each label of its part."""
        return


class Cyclic(Plain):
    """The value's index, shifted by a point of a difference set with weight A against B for other residues."""

    def __init__(self, domain: Domain, epsilon: float, design: Design) -> None:
        super().__init__(domain, epsilon, q=design.q, t=design.t)
        self.design = design
        self.odds = weighted_odds(self.epsilon, design.block, design.length - design.block)
        self.layout = IndexLayout(design.length)
        self.total = design.block * self.odds.above + (design.length - design.block) * self.odds.below

    @classmethod
    def of(cls, spec: Spec) -> Cyclic:
        domain = Domain.from_json(spec["domain"])
        return cls(domain, spec["epsilon"], read_design(spec["q"], spec["t"], len(domain)))

    def draw(self, value: int, words: Words) -> Report:
        return draws.cyclic(words.part(), value, self.design.points, self.design.length, *self.odds)

    def chance(self, value: int, report: Report) -> Fraction:
        is_point = (number_of(report) - value) % self.design.length in self.design.points
        return Fraction(self.odds.weight(is_point), self.total)

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        """A report fits the labels from which it is a point of the set."""
        design, odds = self.design, self.odds
        shared = design.overlap * (odds.above - odds.below) + design.block * odds.below
        return Fraction(design.block * odds.above, self.total), Fraction(shared, self.total)


NEVER = Fraction(0)


def bits_chance(report: Report, value: int, d: int, own: Fraction, other: Fraction) -> Fraction:
    """The probability of independent bits: that of the value is set with ``own``, any other with ``other``."""
    members = number_of(report)
    held = members >> value & 1
    others = members.bit_count() - held
    return (own if held else 1 - own) * other**others * (1 - other) ** (d - 1 - others)


def flips_chance(inverted: int, bits: int, flip: Fraction) -> Fraction:
    """The probability that of so many bits just those of ``inverted`` are inverted, each with probability ``flip``."""
    return flip ** inverted.bit_count() * (1 - flip) ** (bits - inverted.bit_count())


def in_half(output: int, row: int) -> bool:
    """Whether an output is in the + half of a row of the Hadamard matrix."""
    return (output & row).bit_count() % 2 == 0
