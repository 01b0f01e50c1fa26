"""High-low Hadamard response (acharya2019, 13 to 16): log k + 1 bits where only some labels are sensitive."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts
from deniable.estimation.decoders import Messages
from deniable.estimation.evidence import JoinedEvidence, SignedEvidence, SupportEvidence
from deniable.kernels.decode import hadamard_rows as sign_rows
from deniable.kernels.draw.aggregate import scatter
from deniable.mechanisms.context.high_low import HighLowMechanism, InsideMessages
from deniable.mechanisms.shared.hadamard_halves import HalfRows
from deniable.reports.layout import IndexLayout
from deniable.reports.tally import Tally
from deniable.theory.risk import context, information
from deniable.theory.risk.support import Support
from deniable.theory.risk.variance import VarianceLaw


class HighLowHadamard(HalfRows, HighLowMechanism):
    """Sensitive labels answer in their half of a Hadamard row, others with themselves; both in noise over the rows.

    >>> m = HighLowHadamard(["ill", "well", "away"], ["ill"], 1.0)
    >>> m.size, m.outputs, m.report_bits
    (2, 4, 2)
    """

    title = "sensitive labels a Hadamard row, the others often themselves"

    @property
    def size(self) -> int:
        """Outputs over which sensitive labels hide."""
        return sign_rows.size_for(self.s)

    @property
    def layout(self) -> IndexLayout:
        """The outputs of the rows, then one for each other label."""
        return IndexLayout(self.size + len(self.domain) - self.s)

    @property
    def _own_chance(self) -> Fraction:
        """(t-1)/(t+1)."""
        return Fraction(self.odds.above - self.odds.below, self.total)

    @cached_property
    def sources(self) -> npt.NDArray[np.uint64]:
        """What ``draw_rows`` needs of each label, by rank."""
        d, s, inside = len(self.domain), self.s, self.size - 1
        rows = np.zeros((d, 5), np.uint64)
        rows[:, 1] = inside
        rows[:s, 3], rows[:s, 4] = inside, np.arange(1, s + 1)
        rows[s:, 2] = np.arange(self.size, self.size + d - s)
        return rows[self.rank]

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Some answer in their half or with themselves, the rest with a uniform output of the rows."""
        told = generator.binomial(people[self.order], float(self._own_chance))
        inside = sign_rows.over_halves(told[: self.s], self.size, generator)
        inside += scatter(int(people.sum() - told.sum()), np.ones(self.size), generator)
        return np.concatenate((inside, told[self.s :]))

    @property
    def aggregate_draws(self) -> float:
        """A transform of people, where every place is two; and one a label."""
        return self.size * (2 * math.log2(self.size) + 1) + len(self.domain)

    @property
    def law(self) -> VarianceLaw:
        """acharya2019's variances."""
        return context.high_low_hadamard(self.odds.ratio, self.s, len(self.domain))

    @property
    def decode_operations(self) -> float:
        """One fast transform."""
        return self.size * math.log2(self.size) + 2.0 * (len(self.domain) - self.s)

    def evidence(self, tally: Tally) -> JoinedEvidence:
        """The signs of sensitive labels, the own reports of the others."""
        plus, minus = sign_rows.signs(tally.counts[: self.size], self.s)
        high = SignedEvidence(
            tally.n, plus, minus, float(self._own_chance / 2), 1.0, everyone=self.s == len(self.domain)
        )
        low = Support.exact(self._own_chance, Fraction(0))
        return self.join(high, SupportEvidence(tally.n, tally.counts[self.size :], low))

    def messages(self, counts: Counts) -> Messages:
        """The histogram; two transforms an iteration."""
        inside = InsideMessages(
            counts[: self.size],
            mass=lambda p: sign_rows.mass(p, self.size),
            collect=lambda weights: sign_rows.collect(weights, self.s),
        )
        return self.join_messages(inside, counts[self.size :])

    def exact_rows(self) -> npt.NDArray[np.object_]:
        """A or B over half of the rows' outputs, B over all of them for the other labels."""
        scale = self.total * (self.size // 2)
        inside = np.full((len(self.domain), self.size), Fraction(self.odds.below, scale), object)
        inside[: self.s][sign_rows.plus_table(self.s, self.size)] = Fraction(self.odds.above, scale)
        return self.own_rows(inside, self._own_chance)

    def mutual_information(self) -> float:
        """Between a uniform value and its report, in nats."""
        members = np.rint(sign_rows.mass(np.ones(self.s), self.size))
        low = np.full(self.size, math.log(self.odds.below / (self.total * (self.size // 2))))
        inside = information.two_level(np.zeros(self.size), members, low, self.epsilon, len(self.domain))
        return inside + self.told_by_own(self._own_chance)
