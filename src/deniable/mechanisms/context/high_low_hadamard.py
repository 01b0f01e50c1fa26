"""High-low Hadamard response (acharya2019, 13 to 16): log k + 1 bits where only some labels are sensitive."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices, Words
from deniable.estimation.laws.high_low_law import HighLowLaw
from deniable.estimation.laws.sign_law import SignLaw
from deniable.kernels import hadamard_rows
from deniable.kernels.aggregate import scatter
from deniable.mechanisms.context.high_low import HighLowParts, Ranking, high_low_family
from deniable.mechanisms.context.inner import CountedReports
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.hadamard_halves import draw_halves, half_odds, half_words
from deniable.privacy.entropy import Entropy
from deniable.protocol.canonical import Spec
from deniable.protocol.odds import Odds
from deniable.protocol.privacy.context import HighLow
from deniable.reports.index_layout import IndexLayout
from deniable.values.domain import Domain, DomainLike


class HighLowHadamard(Mechanism):
    """Sensitive labels are reported as half of a Hadamard row, others as themselves; both mixed with uniform noise.

    >>> m = HighLowHadamard(["ill", "well", "away"], ["ill"], 1.0)
    >>> m.size, m.layout.outputs, m.report_bits
    (2, 4, 2)
    """

    domain: Domain
    """The labels that people may hold."""
    guarantee: HighLow
    """What is promised to each person."""
    epsilon: float
    """The level of privacy."""
    odds: Odds
    """A for one half of a row's outputs, B for the other."""
    _ranking: Ranking
    _parts: HighLowParts[CountedReports]

    def __init__(self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float) -> None:
        ranking = Ranking.promised(domain, sensitive, epsilon, self.name)
        promise, s, size = ranking.promise, ranking.sensitive, hadamard_rows.size_for(ranking.sensitive)
        odds = half_odds(promise.epsilon)
        law = SignLaw(s, odds, 1, size, promise.epsilon, others=ranking.others > 0)
        parts = HighLowParts(ranking, CountedReports(IndexLayout(size), law), odds, size // 2)
        derived = {"odds": odds, "_ranking": ranking, "_parts": parts}
        super().__init__(promise.domain, promise, derived, epsilon=promise.epsilon)

    def _spec_parameters(self) -> Spec:
        return self._ranking.spec

    def __repr__(self) -> str:
        return self._ranking.shown(self.name)

    @property
    def size(self) -> int:
        """The number of outputs among which sensitive labels hide, a power of two."""
        return hadamard_rows.size_for(self._ranking.sensitive)

    @property
    def own_chance(self) -> Fraction:
        """(t-1)/(t+1): the probability that a label that is not sensitive is reported truthfully."""
        return self._parts.hiding.own

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer per report: the outputs of the rows, then one for each other label."""
        return IndexLayout(self.size + self._ranking.others)

    @property
    def law(self) -> HighLowLaw:
        """Signed counting of the sensitive labels, own reports of the others; acharya2019's variances."""
        return self._parts.law

    @cached_property
    def _sources(self) -> Words:
        """The row of ``draw_rows`` for each label: where its noise and its own outputs lie, and its Hadamard row."""
        d, s, inside = len(self.domain), self._ranking.sensitive, self.size - 1
        rows = np.zeros((d, 5), np.uint64)
        rows[:, 1] = inside
        rows[:s, 3], rows[:s, 4] = inside, np.arange(1, s + 1)
        rows[s:, 2] = np.arange(self.size, self.size + d - s)
        return rows[self._ranking.rank]

    @property
    def cost(self) -> Cost:
        """Two words per report, a coin and an output; in aggregate a transform of people, and one draw per label."""
        return Cost(half_words(self.odds), self.size * (2 * math.log2(self.size) + 1) + len(self.domain))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Two words per report."""
        return draw_halves(self._sources, self.odds, self.layout, values, entropy)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports: some in their half or truthful, the rest uniform over the outputs of the rows."""
        s = self._ranking.sensitive
        told = generator.binomial(people[self._ranking.order], float(self.own_chance))
        inside = hadamard_rows.over_halves(told[:s], self.size, generator)
        inside += scatter(int(people.sum() - told.sum()), np.ones(self.size), generator)
        return np.concatenate((inside, told[s:]))


FAMILY = high_low_family(
    HighLowHadamard,
    "sensitive labels a Hadamard row, the others often themselves",
    (
        Sample(22, lambda: HighLowHadamard(10, [4, 1, 3], 1.0)),
        Sample(23, lambda: HighLowHadamard(["well", "ill", "away"], ["ill"], 3.0)),
    ),
)
