"""Utility-optimized RAPPOR (Murakami and Kawamoto 2019), the second baseline of acharya2019, sect. 5."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cached_property

import numpy as np
import scipy

from deniable.arrays import Column, Counts, Exact, Indices
from deniable.estimation.laws.high_low_law import HighLowLaw, support_noise
from deniable.mechanisms.context.high_low import HighLowMechanism, HighLowParts, Ranking, high_low_family
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.plain.unary import flip_chance, unary_law
from deniable.mechanisms.shared.draws import ROUNDS, coins, noise
from deniable.privacy.entropy import Entropy
from deniable.protocol.odds import Odds, dyadic_odds
from deniable.reports.packed_layout import PackedLayout
from deniable.theory.risk import information
from deniable.values.domain import DomainLike


class HighLowRappor(HighLowMechanism):
    """uRAPPOR: sensitive labels' bits are flipped with odds A:B; another label's bit is set only if it is the value.

    A sensitive value differs from another value in its own bit and in the other value's bit: each gets half of epsilon.
    With S = A/B, the other label's bit is set with probability 1 - 1/S.

    >>> m = HighLowRappor(["ill", "well", "away"], ["ill"], 1.0)
    >>> m.report_bits, round(float(m.own_chance), 4)
    (3, 0.3935)
    """

    odds: Odds
    """A:B for one bit, at half of epsilon."""
    _parts: LabelBits

    def __init__(self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float) -> None:
        ranking = Ranking.promised(domain, sensitive, epsilon, self.name)
        super().__init__(LabelBits(ranking, dyadic_odds(Fraction(ranking.promise.epsilon) / 2)))

    @property
    def own_chance(self) -> Fraction:
        """(A - B)/A: the probability that a label that is not sensitive sets its bit."""
        return self._parts.own


class LabelBits(HighLowParts):
    """Bits of which the first, of the sensitive labels, come from every value, and the rest tell the label."""

    @property
    def labels(self) -> int:
        """The number of all labels."""
        return len(self.ranking.promise.domain)

    @property
    def own(self) -> Fraction:
        """The probability that a label that is not sensitive sets its bit."""
        return 1 - 1 / self.odds.ratio

    @cached_property
    def layout(self) -> PackedLayout:
        """One bit per label, the sensitive ones first; among the others at most one is set."""
        return PackedLayout(self.labels, single_from=self.ranking.sensitive)

    @cached_property
    def law(self) -> HighLowLaw:
        """Support counting: a sensitive label's bit may be flipped; another's is set only by its holders."""
        d, s, ratio, flip = self.labels, self.ranking.sensitive, self.odds.ratio**2, flip_chance(self.odds)
        inner = unary_law(s, (1 - flip, flip), ratio, lambda: information.rappor(s, self.ranking.promise.epsilon))
        return HighLowLaw(
            d, self.ranking.order, inner, s, ratio, self.own, self, self._beside, support_noise(inner, self.own, d),
            self._inside_information,
        )  # fmt: skip

    def heads(self, reports: Column) -> Indices:
        """The number of the other label whose bit is set, from 1; 0 if none is."""
        bits = np.unpackbits(reports, axis=1, count=self.labels, bitorder="little")
        return np.asarray(bits[:, self.ranking.sensitive :] @ np.arange(1, self.ranking.others + 1))

    def within(self, reports: Column, block: int) -> Column:
        """The reports themselves: the law of the sensitive labels reads the first bits."""
        return reports

    def _beside(self, reports: Column) -> Exact:
        """The probability of each report's sensitive bits from a label that is not sensitive: all are noise."""
        s, flip = self.ranking.sensitive, flip_chance(self.odds)
        weights = np.unpackbits(reports, axis=1, count=s, bitorder="little").sum(axis=1).tolist()
        return np.array([flip**weight * (1 - flip) ** (s - weight) for weight in weights], object)

    def _inside_information(self) -> float:
        """The mutual information of inside reports, summed over the number of sensitive bits that are set."""
        s, flip, epsilon = self.ranking.sensitive, float(flip_chance(self.odds)), self.ranking.promise.epsilon
        weights = np.arange(s + 1)
        gammaln = scipy.special.gammaln
        copies = gammaln(s + 1) - gammaln(weights + 1) - gammaln(s - weights + 1)
        low = weights * math.log(flip) + (s - weights) * math.log1p(-flip) - epsilon / 2
        return information.two_level(copies, weights, low, epsilon, self.labels)

    @property
    def cost(self) -> Cost:
        """About nine words for 64 bits, and a coin; two binomial draws per label."""
        noisy = ROUNDS * -(-self.ranking.sensitive // 8) / 8
        return Cost(noisy + 1 + self.odds.above / 2**64, 2.0 * self.labels)

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Noise on the sensitive bits; then the own bit is flipped, or set if its coin says so."""
        s, n, ranks = self.ranking.sensitive, len(values), self.ranking.rank[values]
        held, truthful = -(-s // 8), coins(n, self.odds.above - self.odds.below, self.odds.above, entropy)
        reports = np.zeros((n, self.layout.width), np.uint8)
        reports[:, :held] = noise(n, held, self.odds.below, entropy)
        reports[:, held - 1] &= np.uint8(0xFF >> (-s % 8))
        marks = ((ranks < s) | truthful).astype(np.uint8) << (ranks & 7).astype(np.uint8)
        reports[np.arange(n), ranks >> 3] ^= marks
        return reports

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports, from independent bits: holders and others for sensitive labels, else only holders."""
        s, held, flip = self.ranking.sensitive, people[self.ranking.order], float(flip_chance(self.odds))
        high, low = held[:s], held[s:]
        noisy = generator.binomial(high, 1 - flip) + generator.binomial(people.sum() - high, flip)
        return np.concatenate((noisy, generator.binomial(low, float(self.own))))


FAMILY = high_low_family(
    HighLowRappor,
    "every sensitive label's bit, and often that of the other label that it is",
    (
        Sample(26, lambda: HighLowRappor(11, [0, 3, 4, 9], 1.0)),
        # the first other label's bit shares a byte with sensitive ones
        Sample(27, lambda: HighLowRappor(20, [*range(9), 15], 3.0)),
    ),
)
