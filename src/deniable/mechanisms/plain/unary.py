"""Unary encodings: one bit a label, each flipped on its own (kairouz2016's k-RAPPOR, wang2016's BRR, and OUE)."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices, Packed, Words
from deniable.errors import CapacityError
from deniable.kernels.draw.bits import GROUP, draw_bernoulli, flip_own, toss_own
from deniable.mechanisms.plain.base import Plain
from deniable.mechanisms.shared.stored import PackedReports
from deniable.privacy.entropy import Entropy, feed
from deniable.privacy.odds import WORD, Odds, dyadic_odds
from deniable.reports.layout import PackedLayout
from deniable.theory.risk import information

ROUNDS = 9.4
"""Words that a Bernoulli word costs: 256 lanes are settled after log2(256) + 1.33 halvings."""
ENUMERATED = 20
"""The most labels whose 2^d reports may be listed."""


def noise(n: int, width: int, below: int, entropy: Entropy) -> Packed:
    """``n`` rows of ``width`` bytes whose bits are 1 with probability ``below`` / 2^64."""
    words: Words = np.empty(-(-n * width // (8 * GROUP)) * GROUP, np.uint64)
    chance = np.uint64(below)
    feed(entropy, lambda tape, done: draw_bernoulli(tape, done, chance, words), len(words), ROUNDS)
    return words.view(np.uint8)[: n * width].reshape(n, width)


class Unary(Plain, PackedReports):
    """What the two unary encodings share."""

    @property
    def layout(self) -> PackedLayout:
        """One bit a label."""
        return PackedLayout(len(self.domain))

    @property
    def words_per_report(self) -> float:
        """About nine words for 64 bits."""
        return ROUNDS * self.layout.width / 8 + 1 / 64

    @property
    def outputs(self) -> int:
        """Every set of labels is a report."""
        return 1 << min(len(self.domain), 63)

    @property
    @abstractmethod
    def own_chance(self) -> Fraction:
        """The probability that the own bit is set."""

    @property
    def exact_support(self) -> tuple[Fraction, Fraction]:
        """The chance of the own bit, and B/2^64 for the others."""
        return self.own_chance, Fraction(self.odds.below, WORD)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Bits are independent: two binomials a label, of its holders and of all others."""
        g, h = self.support.g, self.support.h
        return np.asarray(generator.binomial(people, g) + generator.binomial(people.sum() - people, h))

    @property
    def aggregate_draws(self) -> float:
        """Two a label."""
        return 2.0 * len(self.domain)

    def levels(self, reports: Column) -> list[tuple[Fraction, Fraction]]:
        """Products over the bits: they depend on a report only through its number of set bits."""
        (g, h), d = self.exact_support, len(self.domain)
        by_weight = [
            (g * h ** max(k - 1, 0) * (1 - h) ** (d - k), (1 - g) * h**k * (1 - h) ** max(d - 1 - k, 0))
            for k in range(d + 1)
        ]
        return [by_weight[k] for k in self.supports(reports).sum(axis=1)]

    def all_reports(self) -> Column:
        """Report y has the bits of the integer y."""
        if len(self.domain) > ENUMERATED:
            raise CapacityError(f"reports must be of at most {ENUMERATED} labels to be listed, got {len(self.domain)}")
        every = np.arange(self.outputs, dtype="<u4")
        return every.view(np.uint8).reshape(-1, 4)[:, : self.layout.width].copy()

    def report_index(self, reports: Column) -> Indices:
        """The bits of a report as an integer."""
        return reports.astype(np.int64) @ (1 << 8 * np.arange(self.layout.width))


class Rappor(Unary):
    """One-time basic RAPPOR, or binary randomized response: every bit is flipped with the same odds.

    A report differs between two values in two bits, so each bit gets half of epsilon: (A/B)^2 <= e^epsilon.

    >>> Rappor(16, 1.0).report_bits, len(Rappor(16, 1.0).privatize(3))
    (16, 2)
    """

    title = "every label's bit, each flipped alike"

    @cached_property
    def odds(self) -> Odds:
        """A:B for one bit, at half of epsilon."""
        return dyadic_odds(Fraction(self.epsilon) / 2)

    def exact_ratio(self) -> Fraction:
        """Two bits tell two values apart."""
        return self.odds.ratio**2

    @property
    def own_chance(self) -> Fraction:
        """The own bit stays set."""
        return Fraction(self.odds.above, WORD)

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Noise with the own bit inverted."""
        reports = noise(len(values), self.layout.width, self.odds.below, entropy)
        flip_own(reports, values, self.layout.last)
        return reports

    def mutual_information(self) -> float:
        """wang2016, eq. 8."""
        return information.rappor(len(self.domain), self.epsilon)


class OptimizedUnary(Unary):
    """Optimized unary encoding: the own bit is a fair coin, every other bit is set with odds B:A.

    Less noise than Rappor from the labels a person does not hold, at the price of the one they do.

    >>> OptimizedUnary(["a", "b", "c"], 2.0).report_bits
    3
    """

    title = "every label's bit, the others mostly 0"

    @cached_property
    def odds(self) -> Odds:
        """A:B that a foreign bit is 0."""
        return dyadic_odds(self.epsilon)

    @property
    def own_chance(self) -> Fraction:
        """A fair coin."""
        return Fraction(1, 2)

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Noise with the own bit replaced by a coin."""
        coins = entropy.words(-(-len(values) // 64))
        reports = noise(len(values), self.layout.width, self.odds.below, entropy)
        toss_own(reports, values, self.layout.last, coins)
        return reports

    def mutual_information(self) -> float:
        """Between a uniform value and its report, in nats."""
        return information.optimized_unary(len(self.domain), self.epsilon)
