"""High-low Hadamard response (acharya2019, 13 to 16): log k + 1 bits where only some labels are sensitive."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices, Words
from deniable.estimation.laws.sign_law import SignLaw
from deniable.kernels import hadamard_rows
from deniable.kernels.aggregate import scatter
from deniable.mechanisms.context.high_low import HighLowMechanism, InnerParts, Ranking, high_low_family
from deniable.mechanisms.context.inner import CountedReports
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.shared.draws import draw_halves, half_odds, half_words
from deniable.privacy.entropy import Entropy
from deniable.protocol.odds import Odds
from deniable.reports.index_layout import IndexLayout
from deniable.values.domain import DomainLike


class HighLowHadamard(HighLowMechanism):
    """Sensitive labels are reported as half of a Hadamard row, others as themselves; both mixed with uniform noise.

    >>> m = HighLowHadamard(["ill", "well", "away"], ["ill"], 1.0)
    >>> m.size, m.layout.outputs, m.report_bits
    (2, 4, 2)
    """

    odds: Odds
    """A for one half of a row's outputs, B for the other."""
    _parts: SensitiveRows

    def __init__(self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float) -> None:
        ranking = Ranking.promised(domain, sensitive, epsilon, self.name)
        level, s, size = ranking.promise.epsilon, ranking.sensitive, hadamard_rows.size_for(ranking.sensitive)
        odds = half_odds(level)
        law = SignLaw(s, odds, parts=1, size=size, epsilon=level, others=ranking.others > 0)
        super().__init__(SensitiveRows(ranking, odds, CountedReports(IndexLayout(size), law), size // 2))

    @property
    def size(self) -> int:
        """The number of outputs among which sensitive labels hide, a power of two."""
        return self._parts.outputs

    @property
    def own_chance(self) -> Fraction:
        """(t-1)/(t+1), t = e^epsilon: the probability that a label that is not sensitive is reported truthfully."""
        return self._parts.hiding.own


class SensitiveRows(InnerParts[CountedReports]):
    """Reports that are an output of a Hadamard row, or the number of a label that is not sensitive."""

    @property
    def outputs(self) -> int:
        """The number of outputs of the rows."""
        return self.inner.layout.cells

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer per report: the outputs of the rows, then one for each other label."""
        return IndexLayout(self.outputs + self.ranking.others)

    @cached_property
    def sources(self) -> Words:
        """For ``draw_rows``, of each label: start and mask of its noise, and of its own outputs; its Hadamard row."""
        s, others = self.ranking.sensitive, self.ranking.others
        rows = np.zeros((s + others, 5), np.uint64)
        rows[:, 1] = self.outputs - 1
        rows[:s, 3], rows[:s, 4] = self.outputs - 1, np.arange(1, s + 1)
        rows[s:, 2] = np.arange(self.outputs, self.outputs + others)
        return rows[self.ranking.rank]

    @property
    def cost(self) -> Cost:
        """Two words per report, a coin and an output; in aggregate a transform of people, and one draw per label."""
        labels = self.ranking.sensitive + self.ranking.others
        return Cost(half_words(self.odds), self.outputs * (2 * math.log2(self.outputs) + 1) + labels)

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return draw_halves(self.sources, self.odds, self.layout, values, entropy)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports: some in their half or truthful, the rest uniform over the outputs of the rows."""
        s = self.ranking.sensitive
        truthful = generator.binomial(people[self.ranking.order], float(self.hiding.own))
        inside = hadamard_rows.over_halves(truthful[:s], self.outputs, generator)
        inside += scatter(int(people.sum() - truthful.sum()), np.ones(self.outputs), generator)
        return np.concatenate((inside, truthful[s:]))


FAMILY = high_low_family(
    HighLowHadamard,
    "sensitive labels a Hadamard row, the others often themselves",
    (
        Sample(22, lambda: HighLowHadamard(10, [4, 1, 3], 1.0)),
        Sample(23, lambda: HighLowHadamard(["well", "ill", "away"], ["ill"], 3.0)),
    ),
)
