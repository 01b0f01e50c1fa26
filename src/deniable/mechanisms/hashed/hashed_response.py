"""O-RR (kairouz2016, sect. 5.1): k-ary randomized response among the symbols of a random cohort."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Exact, Indices
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.laws.cohort_law import CohortLaw
from deniable.kernels.aggregate import over_places, scatter
from deniable.kernels.hashing import join_cohorts
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.hashed.cohort_hashes import CohortHashes, Hashed, hashed_family
from deniable.mechanisms.shared.draws import draw_responses
from deniable.mechanisms.shared.rounds import Permanent, Replaced
from deniable.privacy.entropy import Entropy, draw_uniform
from deniable.privacy.repeated import WholeReports
from deniable.protocol.checks import check_epsilon
from deniable.protocol.mechanisms.hashed import MOST_DEALT
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.privacy.guarantees import LDP
from deniable.reports.index_layout import IndexLayout
from deniable.theory.risk.support import Support
from deniable.values.domain import DomainLike

Cohorts: TypeAlias = npt.NDArray[np.uint32]


class HashedResponse(Hashed):
    """A report is a cohort and one of its symbols: the value's with weight A against B for each other symbol.

    >>> m = HashedResponse(3.0, symbols=16, cohorts=64)
    >>> m.report_bits, m.tally([m.privatize("a page nobody listed")]).n
    (10, 1)
    """

    odds: Odds
    """One A, symbols - 1 times B."""

    def __init__(
        self, epsilon: float, symbols: int, cohorts: int, domain: DomainLike | None = None, key: str = ""
    ) -> None:
        level, hashes = check_epsilon(epsilon), CohortHashes.of(domain, key, symbols, cohorts, 1)
        fields = {"_hashes": hashes, "odds": weighted_odds(level, 1, hashes.symbols - 1)}
        parameters = {"epsilon": level, "symbols": hashes.symbols, "cohorts": hashes.cohorts}
        super().__init__(hashes.values, LDP(level), fields, **parameters)

    @property
    def _total(self) -> int:
        return self.odds.above + (self.symbols - 1) * self.odds.below

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer per report: cohort times the number of symbols, plus the symbol."""
        return IndexLayout(self.cohorts * self.symbols)

    @cached_property
    def law(self) -> CohortLaw:
        """A regression over cohorts: a report is the value's symbol with weight A, each other one with weight B."""
        symbol = Fraction(self.odds.above, self._total), Fraction(self.odds.below, self._total)
        return CohortLaw(
            len(self._labels), not self._hashes.open, self._hashes.value_support(Support.exact(*symbol)),
            self.odds.ratio, self._survey, self._chances, lambda: self.channel().mutual_information(),
            symbols_per_label=self.cohorts, equations=self.cohorts * (self.symbols - 1),
            even=lambda: self._survey(np.ones(self.cohorts * self.symbols, np.int64)), symbol=symbol,
        )  # fmt: skip

    def _survey(self, counts: Counts) -> CohortSurvey:
        """The survey from a tally's histogram, one row per cohort."""
        by_cohort, closed = counts.reshape(self.cohorts, self.symbols), not self._hashes.open
        return CohortSurvey.responses(self._hashes.table, by_cohort, float(self.odds.ratio), closed=closed)

    def _chances(self, reports: Column) -> Exact:
        """The exact probabilities: A if the symbol is the label's in that cohort, otherwise B."""
        cohorts, symbols = np.divmod(reports.astype(np.int64), self.symbols)
        is_own = self._hashes.table[:, cohorts, 0] == symbols
        total = self._total * self.cohorts
        levels = np.array([Fraction(self.odds.below, total), Fraction(self.odds.above, total)], object)
        return np.asarray(levels[is_own.astype(np.int64)])

    @property
    def cost(self) -> Cost:
        words = 2 + (self._total + self.cohorts) / 2**64
        return Cost(words, self._hashes.aggregate_draws(self.layout.cells))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        cohorts = self._hashes.draw_cohorts(len(values), entropy)
        return self._responses(cohorts, self._hashes.first_symbols(values, cohorts), entropy)

    def _responses(self, cohorts: Cohorts, symbols: Indices, entropy: Entropy) -> Column:
        """Reports of these symbols, each in its cohort."""
        drawn = draw_responses(IndexLayout(self.symbols), symbols, self.odds, self._total, entropy)
        reports = self.layout.empty(len(symbols))
        join_cohorts(cohorts, drawn, self.symbols, reports)
        return reports

    @property
    def _rounds(self) -> CohortRounds:
        """A uniform report is any symbol of the same cohort."""
        r, labels = self.symbols, self.domain.size
        symbols = WholeReports(self.odds, r, 1, lambda: r)
        cells = r if labels is None else min(r, labels)
        return CohortRounds(symbols, cells, self._uniform, hashes=self._hashes, responses=self._responses)

    def _uniform(self, reports: Column, entropy: Entropy) -> Column:
        symbols = draw_uniform(len(reports), self.symbols, entropy).astype(reports.dtype)
        return np.asarray(reports - reports % self.symbols + symbols)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports: some show their symbol in a uniform cohort, the rest a uniform symbol."""
        table, starts, outputs = self._hashes.table, np.arange(self.cohorts) * self.symbols, self.layout.outputs
        truthful = generator.binomial(people, float(Fraction(self.odds.above - self.odds.below, self._total)))
        shown = over_places(truthful, self.cohorts, lambda rows: starts + table[rows, :, 0], outputs, generator)
        return np.asarray(shown + scatter(int((people - truthful).sum()), np.ones(outputs), generator))


@dataclass(frozen=True, eq=False, kw_only=True)
class CohortRounds(Replaced):
    """Reports that are sent again: a device keeps its cohort for life, and a report for each of its symbols.

    A cell is a symbol of the device's cohort; ``responses`` draws reports of symbols in cohorts.
    """

    hashes: CohortHashes
    responses: Callable[[Cohorts, Indices, Entropy], Column]

    @property
    def kept(self) -> int:
        """One report for each symbol of the cohort, also where there are fewer labels."""
        return self.hashes.symbols

    def enrol(self, permanent: Permanent, entropy: Entropy) -> Column:
        """A permanent report for each symbol, all of one random cohort."""
        symbols = self.hashes.symbols
        cohorts = np.repeat(self.hashes.draw_cohorts(1, entropy), symbols)
        return self.responses(cohorts, np.arange(symbols), entropy)

    def is_one_device(self, enrolled: Column) -> bool:
        """All are of one cohort; a report of another one would name its symbol."""
        return super().is_one_device(enrolled) and len(np.unique(enrolled // self.hashes.symbols)) == 1

    def recall(self, value: Indices, enrolled: Column) -> Column:
        """The report of the value's symbol in the cohort of the enrolled reports."""
        cohort = (enrolled[:1] // self.hashes.symbols).astype(np.uint32)
        return enrolled[self.hashes.first_symbols(value, cohort)]


FAMILY = hashed_family(
    HashedResponse,
    "a symbol of a random cohort's hash, sometimes another",
    (
        Sample(31, lambda: HashedResponse(1.0, 3, 5, ["rain", "sun", "snow", "fog", "hail", "wind", "dust"])),
        Sample(32, lambda: HashedResponse(3.0, 8, 4, 6, "march")),  # more symbols than labels
    ),
    largest=lambda: HashedResponse(1.0, 4, 64, domain=MOST_DEALT // 64),
    measured=lambda labels: HashedResponse(1.0, 16, 64, domain=labels),
    sizes=(16, 1024, 16384, 131072),
)
