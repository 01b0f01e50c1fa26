"""k-ary randomized response (Warner 1965 for two labels; kairouz2016, sect. 3)."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.decoders import Messages, support_messages
from deniable.kernels.draw.aggregate import scatter
from deniable.kernels.draw.draws import draw_response
from deniable.mechanisms.plain.base import Plain
from deniable.mechanisms.shared.stored import IndexReports
from deniable.mechanisms.shared.support import SupportCounting
from deniable.privacy.entropy import Entropy
from deniable.privacy.odds import Odds, weighted_odds
from deniable.reports.layout import IndexLayout
from deniable.theory.risk import information


class RandomizedResponse(Plain, SupportCounting, IndexReports):
    """Report the truth with weight A against B for each other label; two labels: Warner's coin.

    >>> m = RandomizedResponse(["yes", "no"], 1.0)
    >>> m.report_bits, m.privatize("yes") in (0, 1)
    (1, True)
    """

    title = "one label, sometimes another"

    @property
    def layout(self) -> IndexLayout:
        """The index of the label reported."""
        return IndexLayout(len(self.domain))

    @cached_property
    def odds(self) -> Odds:
        """One A, d - 1 times B."""
        return weighted_odds(self.epsilon, 1, len(self.domain) - 1)

    @property
    def _total(self) -> int:
        return self.odds.above + (len(self.domain) - 1) * self.odds.below

    @property
    def exact_support(self) -> tuple[Fraction, Fraction]:
        """A and B over the total."""
        return Fraction(self.odds.above, self._total), Fraction(self.odds.below, self._total)

    @property
    def words_per_report(self) -> float:
        """One word, and a rejection now and then."""
        return 1 + self._total / 2**64

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One word a report."""
        bonus, total = np.uint64(self.odds.above - self.odds.below), np.uint64(self._total)
        shift = np.uint64(self.odds.below.bit_length() - 1)
        return self.drawn_by(draw_response, values, entropy, bonus, total, shift)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Some tell the truth, the rest a uniform label."""
        told = generator.binomial(people, float(Fraction(self.odds.above - self.odds.below, self._total)))
        return np.asarray(told + scatter(int((people - told).sum()), np.ones(len(people)), generator))

    @property
    def aggregate_draws(self) -> float:
        """Two a label."""
        return 2.0 * len(self.domain)

    def supports(self, reports: Column) -> npt.NDArray[np.bool_]:
        """A report supports the label it names."""
        return np.equal.outer(reports, np.arange(len(self.domain)))

    def levels(self, reports: Column) -> list[tuple[Fraction, Fraction]]:
        """G and h."""
        return [self.exact_support] * len(reports)

    def messages(self, counts: Counts) -> Messages:
        """The histogram of labels; its maximum has a closed form."""
        return support_messages(counts, float(self.odds.ratio), np.asarray, np.asarray, response=True)

    def mutual_information(self) -> float:
        """Between a uniform value and its report, in nats."""
        return information.response(len(self.domain), self.epsilon)
