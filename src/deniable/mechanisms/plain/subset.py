"""Random subsets of fixed size (wang2016's k-subset, ye2017's Q_{k,eps,d}): the least possible error of many people."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Literal

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.laws.supports import PackedSupports
from deniable.kernels.aggregate import subsets
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Option, Sample, plain_family
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.chosen import some_labels, some_level
from deniable.mechanisms.shared.draws import draw_sets, words_per_set
from deniable.mechanisms.shared.rounds import Replaced
from deniable.privacy.entropy import Entropy
from deniable.privacy.repeated import WholeReports
from deniable.protocol.checks import check_epsilon, check_int, is_int
from deniable.protocol.errors import ParameterError
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.privacy.guarantees import LDP
from deniable.reports.packed_layout import PackedLayout
from deniable.theory import sizes
from deniable.theory.risk import information
from deniable.values.domain import Domain, DomainLike


class Subset(Mechanism):
    """A uniform subset of ``size`` labels that holds the value with weight A per member against B.

    ``size`` None chooses the size with the least squared error, "information" that with the most mutual information.

    >>> Subset(16, 1.0).size, Subset(16, 1.0, size="information").size
    (4, 5)
    """

    domain: Domain
    """The labels that people may hold."""
    epsilon: float
    """The level of privacy."""
    size: int
    """How many labels a report holds."""
    odds: Odds
    """A for a member, B for any other label."""

    def __init__(self, domain: DomainLike, epsilon: float, size: int | Literal["information"] | None = None) -> None:
        labels, level = Domain.of(domain), check_epsilon(epsilon)
        chosen = _resolved(size, len(labels), level)
        odds = weighted_odds(level, chosen, len(labels) - chosen)
        super().__init__(labels, LDP(level), {"odds": odds}, epsilon=level, size=chosen)

    @property
    def _inside(self) -> int:
        return self.size * self.odds.above

    @property
    def _total(self) -> int:
        return self._inside + (len(self.domain) - self.size) * self.odds.below

    @cached_property
    def layout(self) -> PackedLayout:
        """One bit per label, ``size`` of them set."""
        return PackedLayout(len(self.domain), self.size)

    @cached_property
    def law(self) -> SupportLaw:
        """Support counting with g = kA/(kA + (d-k)B), and h from the other labels sharing the remaining places."""
        d, k = len(self.domain), self.size
        g = Fraction(self._inside, self._total)
        h = (g * (k - 1) + (1 - g) * k) / (d - 1)
        supports = PackedSupports(d, lambda _: (g / math.comb(d - 1, k - 1), (1 - g) / math.comb(d - 1, k)))
        return SupportLaw(
            d, (g, h), self.odds.ratio, supports, lambda: information.subset(d, k, self.epsilon), closed=True
        )

    @property
    def _rounds(self) -> Replaced:
        """A uniform report is any set of the size: one that holds the label 0 as often as any other."""
        d, k = len(self.domain), self.size
        sets = WholeReports(self.odds, d, k, lambda: math.comb(d, k))
        return Replaced(sets, d, self._uniform, words_per_set(d, k))

    def _uniform(self, reports: Column, entropy: Entropy) -> Column:
        nobody, d, k = np.zeros(len(reports), np.int64), len(self.domain), self.size
        return draw_sets(nobody, d, k, k, d, entropy)

    @property
    def cost(self) -> Cost:
        """Random words for the start, then uniform symbols until the size is right, a rank and a coin.

        In aggregate each label's step costs about 500 draws, and about five for each likely number of places left.
        """
        d, k = len(self.domain), self.size
        likely = 6 * math.sqrt(k * (1 - k / d))
        return Cost(words_per_set(d, k), d * (500 + 5 * min(k, likely)))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Subsets of the other labels, then the exchange that lets the value in."""
        return draw_sets(values, len(self.domain), self.size, self._inside, self._total, entropy)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports: some hold the value and uniform others, the rest a uniform subset of all labels."""
        excess = self.size * (self.odds.above - self.odds.below)
        holders = generator.binomial(people, float(Fraction(excess, self._total)))
        return subsets(int((people - holders).sum()), holders, self.size, generator)


def _resolved(size: object, d: int, epsilon: float) -> int:
    """The size as a number, chosen for None and "information"."""
    if size is None:
        return sizes.best_l2_size(d, epsilon)
    if size == "information":
        return sizes.best_information_size(d, epsilon)
    if isinstance(size, str) or (is_int(size) and not 1 <= size < d):
        raise ParameterError(f'size must be None, "information" or an int from 1 to {d - 1}, got size={size!r}')
    return check_int("size", size, 1)


def _read_size(text: str) -> int | str:
    """A number, or the word information, as the constructor takes it."""
    return int(text) if re.fullmatch(r"-?[0-9]+", text) else text


def _random(source: Random) -> Mechanism:
    labels = some_labels(source)
    return Subset(labels, some_level(source), source.choice((None, source.randrange(1, labels))))


FAMILY = plain_family(
    Subset,
    "a set of labels of one size",
    (
        Sample(9, lambda: Subset(10, 1.0, size=4)),  # starts from random words
        Sample(10, lambda: Subset(20, 3.0, size=1)),  # starts from nothing
        Sample(11, lambda: Subset(70, 1.0)),  # more labels than a word has bits
        Sample(12, lambda: Subset(6, 2.0, size=5)),
    ),
    (Option("size", "K", "labels in a report, or the word information", str, read=_read_size),),
    random=_random,
)
