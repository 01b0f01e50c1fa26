"""k-ary randomized response (Warner 1965 for two labels; kairouz2016, sect. 3)."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.laws.supports import IndexSupports
from deniable.kernels.aggregate import scatter
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample, plain_family
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.draws import draw_responses, response_words
from deniable.mechanisms.shared.rounds import Replaced
from deniable.privacy.entropy import Entropy
from deniable.privacy.repeated import WholeReports
from deniable.protocol.checks import check_epsilon
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.privacy.guarantees import LDP
from deniable.reports.index_layout import IndexLayout
from deniable.theory.risk import information
from deniable.values.domain import Domain, DomainLike


class RandomizedResponse(Mechanism):
    """Report the truth with weight A against B for each other label; two labels: Warner's coin.

    >>> m = RandomizedResponse(["yes", "no"], 1.0)
    >>> m.report_bits, m.privatize("yes") in (0, 1)
    (1, True)
    """

    domain: Domain
    """The labels that people may hold."""
    epsilon: float
    """The level of privacy."""

    def __init__(self, domain: DomainLike, epsilon: float) -> None:
        labels, level = Domain.of(domain), check_epsilon(epsilon)
        super().__init__(labels, LDP(level), epsilon=level)

    @cached_property
    def odds(self) -> Odds:
        """One A, d - 1 times B."""
        return weighted_odds(self.epsilon, 1, len(self.domain) - 1)

    @property
    def _total(self) -> int:
        return self.odds.above + (len(self.domain) - 1) * self.odds.below

    @property
    def flip(self) -> Fraction:
        """The exact probability that a report names another label than the person's; of others ``channel()`` tells it.

        >>> m = RandomizedResponse(["no", "yes"], 1.0)
        >>> m.flip == m.channel().exact[0, 1], round(float(m.flip), 4)
        (True, 0.2689)
        """
        return Fraction((len(self.domain) - 1) * self.odds.below, self._total)

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer per report, the index of the label that it names."""
        return IndexLayout(len(self.domain))

    @cached_property
    def law(self) -> SupportLaw:
        """Support counting: a report supports the label that it names."""
        return response_law(len(self.domain), self.odds, self.epsilon)

    @property
    def _rounds(self) -> Replaced:
        d = len(self.domain)
        return Replaced.integers(WholeReports(self.odds, d, 1, lambda: d), d, self.layout)

    @property
    def cost(self) -> Cost:
        """One word per report, rarely rejected; in aggregate two binomial draws per label."""
        return Cost(response_words(self._total), 2.0 * len(self.domain))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return draw_responses(self.layout, values, self.odds, self._total, entropy)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        truthful = generator.binomial(people, float(Fraction(self.odds.above - self.odds.below, self._total)))
        return np.asarray(truthful + scatter(int((people - truthful).sum()), np.ones(len(people)), generator))


def response_law(d: int, odds: Odds, epsilon: float) -> SupportLaw:
    """The law of reports that name one of d labels; ``level``: how probable the own one is, and each other one."""
    total = odds.above + (d - 1) * odds.below
    level = Fraction(odds.above, total), Fraction(odds.below, total)
    named = IndexSupports(
        level, lambda reports: np.equal.outer(reports, np.arange(d)), np.asarray, np.asarray, response=True, known=True
    )
    return SupportLaw(d, level, odds.ratio, named, lambda: information.response(d, epsilon), closed=True)


SAMPLES = (
    Sample(1, lambda: RandomizedResponse(["yes", "no"], 1.0)),
    Sample(2, lambda: RandomizedResponse(["never", "once", "often"], 0.5)),
    Sample(3, lambda: RandomizedResponse(300, 2.0)),  # two bytes per report
)
FAMILY = plain_family(RandomizedResponse, "one label, sometimes another", SAMPLES)
