"""O-RR (kairouz2016, sect. 5.1): a symbol of a random cohort, through randomized response of the symbols."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Indices, Symbols
from deniable.estimation.cohorts import CohortSurvey
from deniable.kernels.draw.aggregate import over_places, scatter
from deniable.kernels.draw.draws import draw_response
from deniable.kernels.draw.hashing import hash_own, join_cohorts
from deniable.mechanisms.hashed.base import Hashed
from deniable.mechanisms.shared.stored import IndexReports
from deniable.privacy.entropy import Entropy, feed
from deniable.privacy.odds import Odds, weighted_odds
from deniable.reports.layout import IndexLayout
from deniable.reports.tally import Tally
from deniable.theory.risk.support import Support
from deniable.values.domain import DomainLike
from deniable.values.texts import bases


class HashedResponse(Hashed, IndexReports):
    """A report is a cohort and one of its symbols: the value's with weight A against B for each other symbol.

    >>> m = HashedResponse(3.0, symbols=16, cohorts=64)
    >>> m.report_bits, m.tally([m.privatize("a page nobody listed")]).n
    (10, 1)
    """

    title = "a symbol of a random cohort's hash, sometimes another"

    def __init__(
        self, epsilon: float, symbols: int, cohorts: int, domain: DomainLike | None = None, key: str = ""
    ) -> None:
        super().__init__(epsilon, symbols, cohorts, 1, domain, key)

    @property
    def layout(self) -> IndexLayout:
        """Cohort times the number of symbols, plus the symbol."""
        return IndexLayout(self.cohorts * self.symbols)

    @cached_property
    def odds(self) -> Odds:
        """One A, symbols - 1 times B."""
        return weighted_odds(self.epsilon, 1, self.symbols - 1)

    @property
    def _total(self) -> int:
        return self.odds.above + (self.symbols - 1) * self.odds.below

    def exact_ratio(self) -> Fraction | float:
        """A/B."""
        return self.odds.ratio

    @property
    def symbol_support(self) -> Support:
        """How often a report shows a symbol of its cohort: the value's own, and another."""
        return Support.exact(Fraction(self.odds.above, self._total), Fraction(self.odds.below, self._total))

    @property
    def words_per_report(self) -> float:
        """A cohort and a coin."""
        return 2 + (self._total + self.cohorts) / 2**64

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Two words a report."""
        n = len(values)
        cohorts, own = self.draw_own_cohorts(n, entropy), np.empty(n, np.int64)
        if self.open:
            hash_own(bases(values), cohorts, np.uint64(self.symbols), own)
        else:
            own[:] = self.closed_table[values, cohorts, 0]
        told, out = np.empty(n, np.uint32), np.empty(n, self.layout.dtype)
        bonus, total = np.uint64(self.odds.above - self.odds.below), np.uint64(self._total)
        shift = np.uint64(self.odds.below.bit_length() - 1)
        feed(
            entropy,
            lambda tape, done: draw_response(tape, done, own, bonus, total, shift, told),
            n,
            1 + self._total / 2**64,
        )
        join_cohorts(cohorts, told, self.symbols, out)
        return out

    def draw_counts(self, people: Counts, generator: np.random.Generator, table: Symbols | None = None) -> Counts:
        """Some show the symbol of a uniform cohort, the rest a uniform symbol of one."""
        own, starts = self.closed_table if table is None else table, np.arange(self.cohorts) * self.symbols
        told = generator.binomial(people, float(Fraction(self.odds.above - self.odds.below, self._total)))
        shown = over_places(told, self.cohorts, lambda rows: starts + own[rows, :, 0], self.outputs, generator)
        return np.asarray(shown + scatter(int((people - told).sum()), np.ones(self.outputs), generator))

    def exact_rows(self) -> npt.NDArray[np.object_]:
        """A where a cohort's symbol is the label's, B elsewhere."""
        total = self._total * self.cohorts
        own = self.closed_table[:, :, 0, None] == np.arange(self.symbols)
        levels = np.array([Fraction(self.odds.below, total), Fraction(self.odds.above, total)], object)
        return np.asarray(levels[own.reshape(len(own), -1).astype(np.int64)])

    def survey(self, tally: Tally, table: Symbols) -> CohortSurvey:
        """The histogram by cohort."""
        counts = tally.counts.reshape(self.cohorts, self.symbols)
        return CohortSurvey.responses(table, counts, float(self.odds.ratio), closed=self.closed)
