"""Utility-optimized randomized response (Murakami and Kawamoto 2019), the first baseline of acharya2019, sect. 5."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.insides import LabelInside
from deniable.estimation.laws.joined_law import JoinedLaw
from deniable.kernels.draw.aggregate import scatter
from deniable.mechanisms.context.high_low import Ranking, high_low_family, high_low_repr, high_low_spec, promised
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.responses import draw_responses, response_words
from deniable.privacy.entropy import Entropy
from deniable.protocol.canonical import Spec
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.privacy.context import HighLow
from deniable.reports.index_layout import IndexLayout
from deniable.theory.risk import context, information
from deniable.theory.risk.support import Support, leverage
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

    def __init__(self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float) -> None:
        promise = promised(domain, sensitive, epsilon, self.name)
        odds = weighted_odds(promise.epsilon, 1, len(promise.sensitive) - 1)
        super().__init__(promise.domain, promise, {"odds": odds}, epsilon=promise.epsilon)

    def _spec_parameters(self) -> Spec:
        return high_low_spec(self.guarantee)

    def __repr__(self) -> str:
        return high_low_repr(self, self.guarantee)

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking.of(self.guarantee)

    @property
    def _total(self) -> int:
        return self.odds.above + (self._ranking.sensitive - 1) * self.odds.below

    @property
    def own_chance(self) -> Fraction:
        """(t-1)/(s+t-1): the probability that a label that is not sensitive is reported truthfully."""
        return Fraction(self.odds.above - self.odds.below, self._total)

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer per report: a label, numbered with the sensitive ones first."""
        return IndexLayout(len(self.domain))

    @cached_property
    def law(self) -> JoinedLaw:
        """Support counting: a report names a label; one that is not sensitive is always the value."""
        d, s = len(self.domain), self._ranking.sensitive
        inside = LabelInside(s, self.odds, self.own_chance)
        high, low = inside.support, Support.exact(self.own_chance, Fraction(0))
        return JoinedLaw(
            d, self._ranking.order, s, self.odds.ratio, self.own_chance, inside,
            variances=context.supports([(high, s), (low, d - s)], closed=True),
            most_lifted=max(leverage(high), leverage(low) if s < d else 0.0),
            inside_information=self._inside_information,
        )  # fmt: skip

    def _inside_information(self) -> float:
        copies, low = np.log([float(self._ranking.sensitive)]), np.log([self.odds.below / self._total])
        return information.two_level(copies, np.ones(1), low, self.epsilon, len(self.domain))

    @property
    def cost(self) -> Cost:
        """One word per report, rarely rejected; in aggregate two binomial draws per label."""
        return Cost(response_words(self._total), 2.0 * len(self.domain))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One word per report: the value, or a uniform sensitive label."""
        return draw_responses(self.layout, self._ranking.rank[values], self.odds, self._total, entropy)

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
