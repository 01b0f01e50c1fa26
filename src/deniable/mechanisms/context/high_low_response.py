"""Utility-optimized randomized response (Murakami and Kawamoto 2019), the first baseline of acharya2019, sect. 5."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.kernels.aggregate import scatter
from deniable.mechanisms.context.high_low import HighLowMechanism, InnerParts, Ranking, high_low_family
from deniable.mechanisms.context.inner import CountedReports
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.plain.randomized_response import response_law
from deniable.mechanisms.shared.draws import draw_responses, response_words
from deniable.privacy.entropy import Entropy
from deniable.protocol.odds import Odds, weighted_odds
from deniable.reports.index_layout import IndexLayout
from deniable.values.domain import DomainLike


class HighLowResponse(HighLowMechanism):
    """uRR: sensitive labels are reported as each other with odds A:B, others as themselves or a sensitive one.

    >>> m = HighLowResponse(["ill", "well", "away"], ["ill"], 1.0)
    >>> m.layout.outputs, round(float(m.own_chance), 4)
    (3, 0.6321)
    """

    odds: Odds
    """One A, and B for each other sensitive label."""
    _parts: Responses

    def __init__(self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float) -> None:
        ranking = Ranking.promised(domain, sensitive, epsilon, self.name)
        level, s = ranking.promise.epsilon, ranking.sensitive
        odds = weighted_odds(level, 1, s - 1)
        super().__init__(Responses(ranking, odds, CountedReports(IndexLayout(s), response_law(s, odds, level)), 1))

    @property
    def own_chance(self) -> Fraction:
        """(t-1)/(s+t-1), t = A/B, s the sensitive labels: how probably a label that is not sensitive is told."""
        return self._parts.hiding.own


class Responses(InnerParts[CountedReports]):
    """Reports that name a label; one that is not sensitive is always the value."""

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer per report: a label, numbered with the sensitive ones first."""
        return IndexLayout(len(self.ranking.promise.domain))

    @property
    def cost(self) -> Cost:
        """One word per report, rarely rejected; in aggregate two binomial draws per label."""
        return Cost(response_words(self.shown[1]), 2.0 * len(self.ranking.promise.domain))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return draw_responses(self.layout, self.ranking.rank[values], self.odds, self.shown[1], entropy)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        s = self.ranking.sensitive
        counts = generator.binomial(people[self.ranking.order], float(self.hiding.own))
        counts[:s] += scatter(int(people.sum() - counts.sum()), np.ones(s), generator)
        return counts


FAMILY = high_low_family(
    HighLowResponse,
    "a sensitive label, or often the true label if it is not sensitive",
    (
        Sample(24, lambda: HighLowResponse(10, [7, 2, 4], 1.0)),
        Sample(25, lambda: HighLowResponse(["well", "ill", "away"], ["ill"], 2.0)),  # hidden by others
    ),
)
