"""Utility-optimized randomized response (Murakami and Kawamoto 2019), the first baseline of acharya2019, sect. 5."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.high_low_law import HighLowLaw
from deniable.kernels.aggregate import scatter
from deniable.mechanisms.context.high_low import HighLowParts, Ranking, high_low_family
from deniable.mechanisms.context.inner import CountedReports
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.randomized_response import response_law
from deniable.mechanisms.shared.responses import draw_responses, response_words
from deniable.privacy.entropy import Entropy
from deniable.protocol.canonical import Spec
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.privacy.context import HighLow
from deniable.reports.index_layout import IndexLayout
from deniable.values.domain import Domain, DomainLike


class HighLowResponse(Mechanism):
    """uRR: sensitive labels are reported as each other with odds A:B, others as themselves or a sensitive one.

    >>> m = HighLowResponse(["ill", "well", "away"], ["ill"], 1.0)
    >>> m.layout.outputs, round(float(m.own_chance), 4)
    (3, 0.6321)
    """

    domain: Domain
    """The labels that people may hold."""
    guarantee: HighLow
    """What is promised to each person."""
    epsilon: float
    """The level of privacy."""
    odds: Odds
    """One A, and B for each other sensitive label."""
    _ranking: Ranking
    _parts: HighLowParts[CountedReports]

    def __init__(self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float) -> None:
        ranking = Ranking.promised(domain, sensitive, epsilon, self.name)
        promise, s = ranking.promise, ranking.sensitive
        odds = weighted_odds(promise.epsilon, 1, s - 1)
        parts = HighLowParts(ranking, CountedReports(IndexLayout(s), response_law(s, odds, promise.epsilon)), odds, 1)
        derived = {"odds": odds, "_ranking": ranking, "_parts": parts}
        super().__init__(promise.domain, promise, derived, epsilon=promise.epsilon)

    def _spec_parameters(self) -> Spec:
        return self._ranking.spec

    def __repr__(self) -> str:
        return self._ranking.shown(self.name)

    @property
    def own_chance(self) -> Fraction:
        """(t-1)/(s+t-1): the probability that a label that is not sensitive is reported truthfully."""
        return self._parts.hiding.own

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer per report: a label, numbered with the sensitive ones first."""
        return IndexLayout(len(self.domain))

    @property
    def law(self) -> HighLowLaw:
        """Support counting: a report names a label; one that is not sensitive is always the value."""
        return self._parts.law

    @property
    def cost(self) -> Cost:
        """One word per report, rarely rejected; in aggregate two binomial draws per label."""
        return Cost(response_words(self._parts.told[1]), 2.0 * len(self.domain))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One word per report: the value, or a uniform sensitive label."""
        return draw_responses(self.layout, self._ranking.rank[values], self.odds, self._parts.told[1], entropy)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports: some truthful, the rest uniform over the sensitive labels."""
        s = self._ranking.sensitive
        counts = generator.binomial(people[self._ranking.order], float(self.own_chance))
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
