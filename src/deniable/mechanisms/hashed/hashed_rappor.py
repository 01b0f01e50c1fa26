"""O-RAPPOR (kairouz2016, sect. 5.2): a Bloom filter of a random cohort's hashes, every bit flipped."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Exact, Indices
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.laws.cohort_law import CohortLaw
from deniable.kernels._kernels import flip_filters
from deniable.kernels.aggregate import blocks, scatter
from deniable.kernels.counts import HEAD
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Option, Sample
from deniable.mechanisms.hashed.cohort_hashes import CohortHashes, Hashed, hashed_family
from deniable.mechanisms.shared.draws import ROUNDS, noise
from deniable.privacy.entropy import Entropy
from deniable.protocol.checks import check_epsilon
from deniable.protocol.mechanisms.hashed import MOST_DEALT, most_inverted
from deniable.protocol.odds import Odds, dyadic_odds
from deniable.protocol.privacy.guarantees import LDP
from deniable.protocol.words import WORD
from deniable.reports.headed_layouts import CohortLayout
from deniable.theory.risk.support import Support
from deniable.values.domain import DomainLike
from deniable.values.texts import bases

WIDEST_FILTER = 256
"""The most symbols that a plan tries; wider filters are hardly more accurate."""


class HashedRappor(Hashed):
    """A report is a cohort and the noisy Bloom filter of the value's hashes there.

    Two values differ in at most two bits per hash, and in no more bits than there are: these bits share epsilon.

    >>> m = HashedRappor(3.0, symbols=32, cohorts=64)
    >>> m.report_bits, len(m.privatize("a page nobody listed"))
    (38, 6)
    """

    hashes: int
    """How many symbols a value has in each cohort."""
    odds: Odds
    """A:B for one bit, at epsilon/min(2 hashes, symbols)."""

    def __init__(
        self,
        epsilon: float,
        symbols: int,
        cohorts: int,
        hashes: int = 1,
        domain: DomainLike | None = None,
        key: str = "",
    ) -> None:
        level, made = check_epsilon(epsilon), CohortHashes.of(domain, key, symbols, cohorts, hashes)
        fields = {"_hashes": made, "odds": dyadic_odds(Fraction(level) / most_inverted(made.hashes, made.symbols))}
        parameters = {"epsilon": level, "symbols": made.symbols, "cohorts": made.cohorts, "hashes": made.hashes}
        super().__init__(made.values, LDP(level), fields, **parameters)

    @cached_property
    def layout(self) -> CohortLayout:
        """The cohort, and one bit per symbol."""
        return CohortLayout(self.cohorts, self.symbols)

    @property
    def _chances_of_bits(self) -> tuple[Fraction, Fraction]:
        """The probabilities that a bit of the value is set, and that another bit is set."""
        return Fraction(self.odds.above, WORD), Fraction(self.odds.below, WORD)

    @cached_property
    def _bit(self) -> Support:
        return Support.exact(*self._chances_of_bits)

    @cached_property
    def law(self) -> CohortLaw:
        """A regression over cohorts of bits that are flipped independently."""
        return CohortLaw(
            len(self._labels), not self._hashes.open, self._hashes.value_support(self._bit),
            self.odds.ratio ** most_inverted(self.hashes, self.symbols), self._survey, self._chances,
            lambda: self.channel().mutual_information(), symbols_per_label=self.cohorts * self.hashes,
            equations=self.cohorts * (self.symbols - self._adds_up),
            even=lambda: self._survey(np.repeat([1, 0], [self.cohorts, self.cohorts * self.symbols])),
            symbol=self._chances_of_bits if self.hashes == 1 else None,
        )  # fmt: skip

    @property
    def _adds_up(self) -> bool:
        """Whether the masses of a cohort's symbols add up to 1, so that one of them follows from the others."""
        return not self._hashes.open and self.hashes == 1

    def _survey(self, counts: Counts) -> CohortSurvey:
        """The survey from a tally's people per cohort and counts of bits."""
        people, bits = self.layout.per_cohort(counts)
        return CohortSurvey.bloom(self._hashes.table, bits, people, self._bit.h, closed=not self._hashes.open)

    def _chances(self, reports: Column) -> Exact:
        """The exact probabilities, as products over bits that equal the filter's or differ."""
        flip, total = Fraction(self.odds.below, WORD), self.symbols
        chance = np.array([flip**k * (1 - flip) ** (total - k) / self.cohorts for k in range(total + 1)], object)
        bits = np.unpackbits(reports[:, HEAD:], axis=1, count=total, bitorder="little")
        filters = np.zeros((len(self._labels), self.cohorts, total), np.uint8)
        np.put_along_axis(filters, self._hashes.table.astype(np.int64), 1, axis=2)
        flipped = (filters[:, self.layout.heads(reports)] != bits).sum(axis=2)
        return np.asarray(chance[flipped])

    @property
    def cost(self) -> Cost:
        words = 1 + ROUNDS * -(-self.symbols // 8) / 8
        return Cost(words, self._hashes.aggregate_draws(self.layout.cells))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        n, bits = len(values), self.layout.bits
        cohorts = self._hashes.draw_cohorts(n, entropy)
        reports = noise(n, bits.width, self.odds.below, entropy)
        reports[:, -1] &= bits.last
        if self._hashes.open:
            flip_filters(reports, bases(values), cohorts, self.hashes, self.symbols)
        else:
            self._flip_closed(reports, values, cohorts.astype(np.int64))
        return self.layout.join(cohorts, reports)

    def _flip_closed(self, reports: Column, values: Indices, cohorts: Indices) -> None:
        """Flip the bits of each label's symbols, one bit for symbols of two hashes that agree."""
        held = np.zeros((len(values), self.symbols), np.bool_)
        held[np.arange(len(values))[:, None], self._hashes.table[values, cohorts]] = True
        reports ^= np.packbits(held, axis=1, bitorder="little")

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports from independent bits: per cohort and symbol, its holders and all others."""
        members, held = np.zeros(self.cohorts, np.int64), np.zeros((self.cohorts, self.symbols), np.int64)
        for block in blocks(len(people), self.cohorts * self.hashes):
            chosen = scatter(people[block], np.ones(self.cohorts), generator)
            members += chosen.sum(axis=0)
            symbols = np.sort(self._hashes.table[block], axis=2)
            first = np.diff(symbols.astype(np.int64), axis=2, prepend=-1) > 0  # a symbol of two hashes is one bit
            np.add.at(held, (np.arange(self.cohorts)[:, None], symbols), chosen[:, :, None] * first)
        g, h = self._bit.g, self._bit.h
        bits = generator.binomial(held, g) + generator.binomial(members[:, None] - held, h)
        return np.concatenate((members, bits.ravel()))


FAMILY = hashed_family(
    HashedRappor,
    "the bits of a random cohort's hashes, each flipped alike",
    (
        Sample(33, lambda: HashedRappor(2.0, 8, 3, 1, 12, "märz")),  # no pad bits
        Sample(34, lambda: HashedRappor(3.0, 5, 4, 2, 7)),  # two hashes, which often agree
        Sample(35, lambda: HashedRappor(1.0, 2, 300, 1, 3)),  # cohorts need both of their bytes
    ),
    (Option("hashes", "H", "the hashes of its Bloom filters"),),
    most_symbols=WIDEST_FILTER,
    largest=lambda: HashedRappor(1.0, 4, 8, hashes=8, domain=MOST_DEALT // 64),
    measured=lambda labels: HashedRappor(1.0, 32, 64, hashes=2, domain=labels),
    sizes=(16, 1024, 16384),
)
