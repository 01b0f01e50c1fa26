"""Utility-optimized RAPPOR (Murakami and Kawamoto 2019), the second baseline of acharya2019, sect. 5."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cached_property

import numpy as np
import scipy

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.insides import FilterInside
from deniable.estimation.laws.joined_law import JoinedLaw
from deniable.mechanisms.context.high_low import Ranking, high_low_family, high_low_repr, high_low_spec, promised
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.coins import coins
from deniable.mechanisms.shared.noise import ROUNDS, noise
from deniable.privacy.entropy import Entropy
from deniable.protocol.canonical import Spec
from deniable.protocol.odds import Odds, dyadic_odds
from deniable.protocol.privacy.context import HighLow
from deniable.reports.packed_layout import PackedLayout
from deniable.theory.risk import context, information
from deniable.theory.risk.support import Support, leverage
from deniable.values.domain import Domain, DomainLike


class HighLowRappor(Mechanism):
    """uRAPPOR: sensitive labels' bits are flipped with odds A:B; another label's bit is set only if it is the value.

    A sensitive value differs from another value in its own bit and in the other value's bit: each gets half of epsilon.
    With S = A/B, the other label's bit is set with probability 1 - 1/S.

    >>> m = HighLowRappor(["ill", "well", "away"], ["ill"], 1.0)
    >>> m.report_bits, round(float(m.own_chance), 4)
    (3, 0.3935)
    """

    domain: Domain
    """The labels that people may hold."""
    guarantee: HighLow
    """What is promised to each person."""
    epsilon: float
    """The level of privacy."""
    odds: Odds
    """A:B for one bit, at half of epsilon."""

    def __init__(self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float) -> None:
        promise = promised(domain, sensitive, epsilon, self.name)
        odds = dyadic_odds(Fraction(promise.epsilon) / 2)
        super().__init__(promise.domain, promise, {"odds": odds}, epsilon=promise.epsilon)

    def _spec_parameters(self) -> Spec:
        return high_low_spec(self.guarantee)

    def __repr__(self) -> str:
        return high_low_repr(self, self.guarantee)

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking.of(self.guarantee)

    @property
    def own_chance(self) -> Fraction:
        """(A - B)/A: the probability that a label that is not sensitive sets its bit."""
        return 1 - 1 / self.odds.ratio

    @cached_property
    def layout(self) -> PackedLayout:
        """One bit per label, the sensitive ones first; among the others at most one is set."""
        return PackedLayout(len(self.domain), single_from=self._ranking.sensitive)

    @cached_property
    def law(self) -> JoinedLaw:
        """Support counting: a sensitive label's bit may be flipped; another's is set only by its holders."""
        d, s = len(self.domain), self._ranking.sensitive
        inside = FilterInside(s, d, self.odds, self.own_chance)
        high, low = inside.support, Support.exact(self.own_chance, Fraction(0))
        return JoinedLaw(
            d, self._ranking.order, s, self.odds.ratio**2, self.own_chance, inside,
            variances=context.supports([(high, s), (low, d - s)]),
            most_lifted=max(leverage(high), leverage(low) if s < d else 0.0),
            inside_information=self._inside_information,
        )  # fmt: skip

    def _inside_information(self) -> float:
        """The mutual information of inside reports, summed over the number of sensitive bits that are set."""
        s, flip = self._ranking.sensitive, self._flip
        weights = np.arange(s + 1)
        gammaln = scipy.special.gammaln
        copies = gammaln(s + 1) - gammaln(weights + 1) - gammaln(s - weights + 1)
        low = weights * math.log(flip) + (s - weights) * math.log1p(-flip) - self.epsilon / 2
        return information.two_level(copies, weights, low, self.epsilon, len(self.domain))

    @property
    def cost(self) -> Cost:
        """About nine words for 64 bits, and a coin; two binomial draws per label."""
        noisy = ROUNDS * -(-self._ranking.sensitive // 8) / 8
        return Cost(noisy + 1 + self.odds.above / 2**64, 2.0 * len(self.domain))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Noise on the sensitive bits; then the own bit is flipped, or set if its coin says so."""
        s, n, ranks = self._ranking.sensitive, len(values), self._ranking.rank[values]
        held, told = -(-s // 8), coins(n, self.odds.above - self.odds.below, self.odds.above, entropy)
        reports = np.zeros((n, self.layout.width), np.uint8)
        reports[:, :held] = noise(n, held, self.odds.below, entropy)
        reports[:, held - 1] &= np.uint8(0xFF >> (-s % 8))
        marks = ((ranks < s) | told).astype(np.uint8) << (ranks & 7).astype(np.uint8)
        reports[np.arange(n), ranks >> 3] ^= marks
        return reports

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports, from independent bits: holders and others for sensitive labels, else only holders."""
        s, held, flip = self._ranking.sensitive, people[self._ranking.order], self._flip
        high, low = held[:s], held[s:]
        noisy = generator.binomial(high, 1 - flip) + generator.binomial(people.sum() - high, flip)
        return np.concatenate((noisy, generator.binomial(low, float(self.own_chance))))

    @property
    def _flip(self) -> float:
        """The probability that a sensitive label's bit is flipped."""
        return float(Fraction(self.odds.below, self.odds.above + self.odds.below))


FAMILY = high_low_family(
    HighLowRappor,
    "every sensitive label's bit, and often that of the other label that it is",
    (
        Sample(26, lambda: HighLowRappor(11, [0, 3, 4, 9], 1.0)),
        # the first other label's bit shares a byte with sensitive ones
        Sample(27, lambda: HighLowRappor(20, [*range(9), 15], 3.0)),
    ),
)
