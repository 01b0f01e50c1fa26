"""O-RAPPOR (kairouz2016, sect. 5.2): a Bloom filter of a random cohort's hashes, every bit flipped alike."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Indices, Symbols
from deniable.errors import CapacityError, TallyError
from deniable.estimation.cohorts import CohortSurvey
from deniable.kernels.count.cohort_counts import HEAD
from deniable.kernels.draw.aggregate import blocks, scatter
from deniable.kernels.draw.hashing import flip_filters
from deniable.mechanisms.hashed.base import Hashed
from deniable.mechanisms.mechanism import UNCOUNTED
from deniable.mechanisms.plain.unary import ENUMERATED, ROUNDS, noise
from deniable.privacy.entropy import Entropy
from deniable.privacy.odds import WORD, Odds, dyadic_odds
from deniable.reports.cohort_layout import CohortLayout
from deniable.reports.spec import Spec
from deniable.reports.tally import Tally
from deniable.theory.risk.support import Support
from deniable.values.domain import DomainLike
from deniable.values.texts import bases


class HashedRappor(Hashed):
    """A report is a cohort and the noisy Bloom filter of the value's hashes there.

    Two values differ in at most two bits a hash, so each bit gets epsilon/(2 hashes).

    >>> m = HashedRappor(3.0, symbols=32, cohorts=64)
    >>> m.report_bits, len(m.privatize("a page nobody listed"))
    (38, 6)
    """

    title = "the bits of a random cohort's hashes, each flipped alike"

    def __init__(
        self,
        epsilon: float,
        symbols: int,
        cohorts: int,
        hashes: int = 1,
        domain: DomainLike | None = None,
        key: str = "",
    ) -> None:
        super().__init__(epsilon, symbols, cohorts, hashes, domain, key)

    def parameters(self) -> Spec:
        """Those of every hashed mechanism, and the number of hashes."""
        return {**super().parameters(), "hashes": self.hashes}

    @property
    def layout(self) -> CohortLayout:
        """The cohort, and one bit a symbol."""
        return CohortLayout(self.cohorts, self.symbols)

    @cached_property
    def odds(self) -> Odds:
        """A:B for one bit, at epsilon/(2 hashes)."""
        return dyadic_odds(Fraction(self.epsilon) / (2 * self.hashes))

    def exact_ratio(self) -> Fraction:
        """Two bits a hash tell two values apart."""
        return self.odds.ratio ** (2 * self.hashes)

    @property
    def symbol_support(self) -> Support:
        """How often a bit is set: the value's own, and another."""
        return Support.exact(Fraction(self.odds.above, WORD), Fraction(self.odds.below, WORD))

    @property
    def cells(self) -> int:
        """The people of each cohort, and the count of each bit there."""
        return self.cohorts * (1 + self.symbols)

    @property
    def outputs(self) -> int:
        """Every set of symbols in every cohort."""
        return min(self.cohorts << min(self.symbols, 63), UNCOUNTED)

    @property
    def words_per_report(self) -> float:
        """A cohort, and about nine words for 64 bits."""
        return 1 + ROUNDS * -(-self.symbols // 8) / 8

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Noise with the filter's bits inverted."""
        n, bits = len(values), self.layout.bits
        cohorts = self.draw_own_cohorts(n, entropy)
        reports = noise(n, bits.width, self.odds.below, entropy)
        reports[:, -1] &= bits.last
        if self.open:
            flip_filters(reports, bases(values), cohorts, self.hashes, self.symbols)
        else:
            self._flip_closed(reports, values, cohorts.astype(np.int64))
        return self.layout.join(cohorts, reports)

    def _flip_closed(self, reports: Column, values: Indices, cohorts: Indices) -> None:
        """The bits of each label's symbols, each once."""
        held = np.zeros((len(values), self.symbols), np.bool_)
        own = self.closed_table[values, cohorts]
        held[np.arange(len(values))[:, None], own] = True
        reports ^= np.packbits(held, axis=1, bitorder="little")

    def draw_counts(self, people: Counts, generator: np.random.Generator, table: Symbols | None = None) -> Counts:
        """Of each symbol in each cohort those whose filter has it, and all others there: bits are independent."""
        filters = self.closed_table if table is None else table
        members, held = np.zeros(self.cohorts, np.int64), np.zeros((self.cohorts, self.symbols), np.int64)
        for block in blocks(len(people), self.cohorts * self.hashes):
            chosen = scatter(people[block], np.ones(self.cohorts), generator)
            members += chosen.sum(axis=0)
            own = np.sort(filters[block], axis=2)
            first = np.diff(own.astype(np.int64), axis=2, prepend=-1) > 0  # a symbol of two hashes is one bit
            np.add.at(held, (np.arange(self.cohorts)[:, None], own), chosen[:, :, None] * first)
        g, h = self.symbol_support.g, self.symbol_support.h
        bits = generator.binomial(held, g) + generator.binomial(members[:, None] - held, h)
        return np.concatenate((members, bits.ravel()))

    def all_reports(self) -> Column:
        """The sets of symbols as integers, cohort by cohort."""
        if self.outputs > 1 << ENUMERATED:
            raise CapacityError(f"reports must be at most 2^{ENUMERATED} to be listed, got more")
        sets = np.arange(1 << self.symbols, dtype="<u4").view(np.uint8).reshape(-1, 4)[:, : self.layout.bits.width]
        cohorts = np.repeat(np.arange(self.cohorts, dtype=np.uint32), len(sets))
        return self.layout.join(cohorts, np.tile(sets, (self.cohorts, 1)))

    def report_index(self, reports: Column) -> Indices:
        """The set as an integer, after those of the cohorts before."""
        sets = reports[:, HEAD:].astype(np.int64) @ (1 << 8 * np.arange(self.layout.bits.width))
        return np.asarray((self.layout.cohorts_of(reports) << self.symbols) + sets)

    def exact_rows(self) -> npt.NDArray[np.object_]:
        """Products over the bits, which differ from the filter in some and agree in the others."""
        sets = np.arange(1 << self.symbols)[:, None] >> np.arange(self.symbols) & 1
        flip, total = Fraction(self.odds.below, WORD), self.symbols
        chance = np.array([flip**k * (1 - flip) ** (total - k) / self.cohorts for k in range(total + 1)], object)
        filters = np.zeros((len(self.closed_table), self.cohorts, self.symbols), np.int64)
        np.put_along_axis(filters, self.closed_table.astype(np.int64), 1, axis=2)
        flipped = (filters[:, :, None, :] != sets).sum(axis=3)
        return np.asarray(chance[flipped.reshape(len(filters), -1)])

    def per_cohort(self, counts: Counts) -> tuple[Counts, Counts]:
        """The people of each cohort, and the counts of their bits."""
        return counts[: self.cohorts], counts[self.cohorts :].reshape(self.cohorts, self.symbols)

    def check_tally(self, tally: Tally) -> Tally:
        """A tally whose cohorts add up to its people, none with more bits than people."""
        checked = super().check_tally(tally)
        people, bits = self.per_cohort(checked.counts)
        if int(people.sum()) != checked.n or (bits > people[:, None]).any():
            raise TallyError("the tally must count each report in one cohort, got other sums")
        return checked

    def survey(self, tally: Tally, table: Symbols) -> CohortSurvey:
        """The counts of bits by cohort."""
        people, bits = self.per_cohort(tally.counts)
        return CohortSurvey.bloom(table, bits, people, self.symbol_support.h, closed=self.closed)
