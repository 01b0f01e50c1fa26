"""Unary encodings: one bit per label, drawn independently (kairouz2016's k-RAPPOR, wang2016's BRR, and OUE)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.laws.supports import Levels, PackedSupports
from deniable.kernels._kernels import flip_own, toss_own
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample, plain_family
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.draws import ROUNDS, noise
from deniable.mechanisms.shared.rounds import Flipped
from deniable.privacy.entropy import Entropy
from deniable.privacy.repeated import SingleBits
from deniable.protocol.checks import check_epsilon
from deniable.protocol.odds import Odds, dyadic_odds
from deniable.protocol.privacy.guarantees import LDP
from deniable.reports.packed_layout import PackedLayout
from deniable.theory.risk import information
from deniable.values.domain import Domain, DomainLike


class _Unary(Mechanism):
    """The base of Rappor and OptimizedUnary: independent bits, one per label."""

    domain: Domain
    """The labels that people may hold."""
    epsilon: float
    """The level of privacy."""

    def __init__(self, domain: DomainLike, epsilon: float) -> None:
        labels, level = Domain.of(domain), check_epsilon(epsilon)
        super().__init__(labels, LDP(level), epsilon=level)

    @property
    @abstractmethod
    def law(self) -> SupportLaw:
        """Support counting."""

    @cached_property
    def layout(self) -> PackedLayout:
        """One bit per label."""
        return PackedLayout(len(self.domain))

    @property
    def cost(self) -> Cost:
        """About nine words for 64 bits; two binomial draws per label."""
        return Cost(ROUNDS * self.layout.width / 8 + 1 / 64, 2.0 * self.layout.symbols)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports, by two binomial draws per label: of its holders and of all others."""
        g, h = self.law.support.g, self.law.support.h
        return np.asarray(generator.binomial(people, g) + generator.binomial(people.sum() - people, h))


class Rappor(_Unary):
    """One-time basic RAPPOR, or binary randomized response: every bit is flipped with the same odds.

    Two values differ in two bits, so each bit gets half of epsilon: (A/B)^2 <= e^epsilon.

    >>> Rappor(16, 1.0).report_bits, len(Rappor(16, 1.0).privatize(3))
    (16, 2)
    """

    @cached_property
    def odds(self) -> Odds:
        """A:B for one bit, at half of epsilon."""
        return dyadic_odds(Fraction(self.epsilon) / 2)

    @cached_property
    def law(self) -> SupportLaw:
        """Support counting: the own bit stays set with probability A/2^64; two values differ in two bits."""
        d, flip = len(self.domain), flip_chance(self.odds)
        return unary_law(d, (1 - flip, flip), self.odds.ratio**2, lambda: information.rappor(d, self.epsilon))

    @property
    def _rounds(self) -> Flipped:
        """Each bit may be inverted, two of which tell two values apart."""
        return Flipped(SingleBits(self.odds, 2), len(self.domain), self.layout)

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        reports = noise(len(values), self.layout.width, self.odds.below, entropy)
        flip_own(reports, values, self.layout.last)
        return reports


class OptimizedUnary(_Unary):
    """Optimized unary encoding: the own bit is a fair coin, every other bit is set with odds B:A.

    Less noise than Rappor on the labels that a person does not hold, more on the one that they do.

    >>> OptimizedUnary(["a", "b", "c"], 2.0).report_bits
    3
    """

    @cached_property
    def odds(self) -> Odds:
        """The odds A:B that the bit of any label but the value is 0."""
        return dyadic_odds(self.epsilon)

    @cached_property
    def law(self) -> SupportLaw:
        """Support counting: the own bit is a fair coin, another bit is set with probability B/2^64."""
        d, chances = len(self.domain), (Fraction(1, 2), flip_chance(self.odds))
        return unary_law(d, chances, self.odds.ratio, lambda: information.optimized_unary(d, self.epsilon))

    @property
    def _rounds(self) -> Flipped:
        """Each bit may be inverted; the two in which two values differ have the odds of one."""
        return Flipped(SingleBits(self.odds, 1), len(self.domain), self.layout)

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        coins = entropy.words(-(-len(values) // 64))
        reports = noise(len(values), self.layout.width, self.odds.below, entropy)
        toss_own(reports, values, self.layout.last, coins)
        return reports


def flip_chance(odds: Odds) -> Fraction:
    """The probability that the bit of a label that is not the value is set."""
    return Fraction(odds.below, odds.above + odds.below)


def unary_law(
    d: int, chances: tuple[Fraction, Fraction], ratio: Fraction, information: Callable[[], float]
) -> SupportLaw:
    """The law of independent bits: probabilities that the own bit and that another bit is set.

    ``ratio`` is the largest of a report's probabilities from two labels. Reports support different numbers of labels.
    """
    g, h = chances

    def levels(k: int) -> Levels:
        """The probability of a report with k bits set, from a label whose bit is set, and from one whose bit is not."""
        own = g * h ** max(k - 1, 0) * (1 - h) ** (d - k)
        return own, (1 - g) * h**k * (1 - h) ** max(d - 1 - k, 0)

    return SupportLaw(d, chances, ratio, PackedSupports(d, levels), information, closed=False)


RAPPOR = plain_family(
    Rappor,
    "every label's bit, each flipped alike",
    (
        Sample(4, lambda: Rappor(3, 1.0)),
        Sample(5, lambda: Rappor(8, 2.0)),  # no pad bits
        Sample(6, lambda: Rappor(300, 4.0)),  # more coins than one group of words holds
    ),
)
OPTIMIZED_UNARY = plain_family(
    OptimizedUnary,
    "every label's bit, the others mostly 0",
    (Sample(7, lambda: OptimizedUnary(5, 1.0)), Sample(8, lambda: OptimizedUnary(16, 3.0))),
)
