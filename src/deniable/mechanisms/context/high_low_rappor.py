"""Utility-optimized RAPPOR (Murakami and Kawamoto 2019), the second baseline of acharya2019, sect. 5."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import special

from deniable.arrays import Column, Counts, Indices
from deniable.errors import CapacityError, TallyError
from deniable.estimation.decoders import Messages
from deniable.kernels.count.packed import collect_packed, mass_packed
from deniable.kernels.draw.draws import draw_coins
from deniable.mechanisms.context.high_low import HighLowSupport, InsideMessages
from deniable.mechanisms.mechanism import UNCOUNTED
from deniable.mechanisms.plain.unary import ENUMERATED, ROUNDS, noise
from deniable.privacy.entropy import Entropy, feed
from deniable.privacy.odds import Odds, dyadic_odds
from deniable.reports.layout import PackedLayout
from deniable.reports.tally import Tally
from deniable.theory.risk import information
from deniable.theory.risk.support import Support


class HighLowRappor(HighLowSupport):
    """uRAPPOR: every sensitive label's bit flipped with odds A:B, and the bit of another label where it is the value.

    A sensitive value differs from another value in its own bit and in that there never is another label's bit: each
    gets half of epsilon. With S = A/B, the other label's bit is set with probability 1 - 1/S.

    >>> m = HighLowRappor(["ill", "well", "away"], ["ill"], 1.0)
    >>> m.report_bits, round(float(m.own_chance), 4)
    (3, 0.3935)
    """

    title = "every sensitive label's bit, and often that of the other label that it is"

    @property
    def layout(self) -> PackedLayout:
        """One bit a label, the sensitive ones first; of the others at most one is set."""
        return PackedLayout(len(self.domain), single_from=self.s)

    @cached_property
    def odds(self) -> Odds:
        """A:B for one bit, at half of epsilon."""
        return dyadic_odds(Fraction(self.epsilon) / 2)

    def exact_ratio(self) -> Fraction:
        """Two bits tell two values apart."""
        return self.odds.ratio**2

    @property
    def own_chance(self) -> Fraction:
        """(A - B)/A."""
        return 1 - 1 / self.odds.ratio

    @property
    def _flip(self) -> Fraction:
        return Fraction(self.odds.below, self.odds.above + self.odds.below)

    @property
    def cells(self) -> int:
        """One count a label."""
        return len(self.domain)

    @property
    def outputs(self) -> int:
        """Every set of sensitive labels, with each other label or none."""
        return min((1 << min(self.s, 63)) * (len(self.domain) - self.s + 1), UNCOUNTED)

    @property
    def words_per_report(self) -> float:
        """About nine words for 64 bits, and a coin."""
        return ROUNDS * -(-self.s // 8) / 8 + 1 + self.odds.above / 2**64

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Noise on the sensitive bits; then the own bit is flipped, or set if its coin says so."""
        n, ranks, held = len(values), self.rank[values], -(-self.s // 8)
        coins = np.empty(n, np.uint8)
        bonus, total = np.uint64(self.odds.above - self.odds.below), np.uint64(self.odds.above)
        feed(entropy, lambda tape, done: draw_coins(tape, done, bonus, total, coins), n, 1 + self.odds.above / 2**64)
        reports = np.zeros((n, self.layout.width), np.uint8)
        reports[:, :held] = noise(n, held, self.odds.below, entropy)
        reports[:, held - 1] &= np.uint8(0xFF >> (-self.s % 8))
        marks = np.where(ranks < self.s, 1, coins).astype(np.uint8) << (ranks & 7).astype(np.uint8)
        reports[np.arange(n), ranks >> 3] ^= marks
        return reports

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Bits are independent: of sensitive labels those of holders and of all others, else those of holders."""
        held, flip = people[self.order], float(self._flip)
        high, low = held[: self.s], held[self.s :]
        noisy = generator.binomial(high, 1 - flip) + generator.binomial(people.sum() - high, flip)
        return np.concatenate((noisy, generator.binomial(low, float(self.own_chance))))

    def check_tally(self, tally: Tally) -> Tally:
        """A tally with at most one other label a report."""
        checked = super().check_tally(tally)
        if int(checked.counts[self.s :].sum()) > checked.n:
            raise TallyError("the tally must count at most one label that is not sensitive a report, got more")
        return checked

    @property
    def supports_of_kinds(self) -> tuple[Support, Support]:
        """A sensitive label's bit is flipped or not; another's is set by its holder alone."""
        return Support.exact(1 - self._flip, self._flip), Support.exact(self.own_chance, Fraction(0))

    def messages(self, counts: Counts) -> Messages | None:
        """None: the joint law of the bits is not in a tally."""
        return None

    def report_messages(self, reports: Column) -> Messages:
        """Reports with another label's bit name it; of the rest equal ones are counted together."""
        own = self.count(reports)[self.s :]
        inside = reports[self._named(reports) == 0]
        distinct, counts = np.unique(inside, axis=0, return_counts=True)
        found = InsideMessages(
            counts.astype(np.int64),
            mass=lambda p: mass_packed(distinct, p),
            collect=lambda weights: collect_packed(distinct, weights, self.s),
        )
        return self.join_messages(found, own)

    def _bits(self, reports: Column) -> npt.NDArray[np.uint8]:
        return np.unpackbits(reports, axis=1, count=len(self.domain), bitorder="little")

    def _named(self, reports: Column) -> npt.NDArray[np.int64]:
        """The number, from 1, of the other label whose bit is set; 0 for none."""
        return np.asarray(self._bits(reports)[:, self.s :] @ np.arange(1, len(self.domain) - self.s + 1))

    def all_reports(self) -> Column:
        """The sets of sensitive labels, first without another label, then with each."""
        if self.outputs > 1 << ENUMERATED:
            raise CapacityError(f"reports must be at most 2^{ENUMERATED} to be listed, got more")
        sets, d = np.arange(1 << self.s), len(self.domain)
        bits = np.zeros((d - self.s + 1, len(sets), d), np.uint8)
        bits[:, :, : self.s] = sets[:, None] >> np.arange(self.s) & 1
        for other in range(d - self.s):
            bits[other + 1, :, self.s + other] = 1
        return np.packbits(bits.reshape(-1, d), axis=1, bitorder="little")

    def report_index(self, reports: Column) -> Indices:
        """The set as an integer, after those of the labels before."""
        sets = self._bits(reports)[:, : self.s].astype(np.int64) @ (1 << np.arange(self.s))
        return np.asarray((self._named(reports) << self.s) + sets)

    def exact_rows(self) -> npt.NDArray[np.object_]:
        """Products over the bits."""
        d, s, flip, own = len(self.domain), self.s, self._flip, self.own_chance
        bits = np.arange(1 << s)[:, None] >> np.arange(s) & 1
        weights = bits.sum(axis=1).tolist()
        idle = np.array([flip**w * (1 - flip) ** (s - w) for w in weights], object)
        rows = np.full((d, d - s + 1, 1 << s), Fraction(0), object)
        for rank in range(d):
            if rank < s:
                rows[rank, 0] = np.where(bits[:, rank] == 1, idle * self.odds.ratio, idle / self.odds.ratio)
            else:
                rows[rank, 0], rows[rank, rank - s + 1] = idle * (1 - own), idle * own
        return np.asarray(rows.reshape(d, -1)[self.rank])

    def mutual_information(self) -> float:
        """Between a uniform value and its report, in nats: by how many sensitive bits are set where no other is."""
        s, flip = self.s, float(self._flip)
        weights = np.arange(s + 1)
        copies = special.gammaln(s + 1) - special.gammaln(weights + 1) - special.gammaln(s - weights + 1)
        low = weights * math.log(flip) + (s - weights) * math.log1p(-flip) - self.epsilon / 2
        inside = information.two_level(copies, weights, low, self.epsilon, len(self.domain))
        return inside + self.told_by_own(self.own_chance)
