"""Utility-optimized randomized response (Murakami and Kawamoto 2019), the first baseline of acharya2019, sect. 5."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.decoders import Messages
from deniable.kernels.draw.aggregate import scatter
from deniable.kernels.draw.draws import draw_response
from deniable.mechanisms.context.high_low import HighLowSupport, InsideMessages
from deniable.mechanisms.shared.stored import IndexReports
from deniable.privacy.entropy import Entropy
from deniable.privacy.odds import Odds, weighted_odds
from deniable.reports.layout import IndexLayout
from deniable.theory.risk import information
from deniable.theory.risk.support import Support


class HighLowResponse(HighLowSupport, IndexReports):
    """uRR: sensitive labels answer each other with odds A:B, the others often themselves, else a sensitive one.

    >>> m = HighLowResponse(["ill", "well", "away"], ["ill"], 1.0)
    >>> m.outputs, round(float(m.own_chance), 4)
    (3, 0.6321)
    """

    title = "a sensitive label, or often the other label that it is"

    @property
    def layout(self) -> IndexLayout:
        """The labels, the sensitive ones first."""
        return IndexLayout(len(self.domain))

    @cached_property
    def odds(self) -> Odds:
        """One A, s - 1 times B."""
        return weighted_odds(self.epsilon, 1, self.s - 1)

    @property
    def _total(self) -> int:
        return self.odds.above + (self.s - 1) * self.odds.below

    @property
    def own_chance(self) -> Fraction:
        """1 - s c2 = (t-1)/(s+t-1): how often another label answers with itself."""
        return Fraction(self.odds.above - self.odds.below, self._total)

    @property
    def words_per_report(self) -> float:
        """One word, and a rejection now and then."""
        return 1 + self._total / 2**64

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One word a report: the value, or a uniform sensitive label."""
        bonus, total = np.uint64(self.odds.above - self.odds.below), np.uint64(self._total)
        shift = np.uint64(self.odds.below.bit_length() - 1)
        return self.drawn_by(draw_response, self.rank[values], entropy, bonus, total, shift)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Some answer with themselves, the rest with a uniform sensitive label."""
        counts = generator.binomial(people[self.order], float(self.own_chance))
        counts[: self.s] += scatter(int(people.sum() - counts.sum()), np.ones(self.s), generator)
        return counts

    @property
    def supports_of_kinds(self) -> tuple[Support, Support]:
        """c1 and c2 of a sensitive label, 1 - s c2 and 0 of another."""
        high = Support.exact(Fraction(self.odds.above, self._total), Fraction(self.odds.below, self._total))
        return high, Support.exact(self.own_chance, Fraction(0))

    def messages(self, counts: Counts) -> Messages:
        """The histogram of labels."""
        return self.join_messages(InsideMessages(counts[: self.s], np.asarray, np.asarray), counts[self.s :])

    def exact_rows(self) -> npt.NDArray[np.object_]:
        """A on the diagonal of the sensitive labels, B elsewhere in their columns."""
        inside = np.full((len(self.domain), self.s), Fraction(self.odds.below, self._total), object)
        np.fill_diagonal(inside, Fraction(self.odds.above, self._total))
        return self.own_rows(inside, self.own_chance)

    def mutual_information(self) -> float:
        """Between a uniform value and its report, in nats."""
        copies, low = np.log([float(self.s)]), np.log([self.odds.below / self._total])
        inside = information.two_level(copies, np.ones(1), low, self.epsilon, len(self.domain))
        return inside + self.told_by_own(self.own_chance)
