"""High-low mechanisms: people with a sensitive label are protected, others may be seen to have none."""

from __future__ import annotations

from fractions import Fraction

from .. import draws
from ..canonical import Spec
from ..checks import check_int
from ..designs import Design, read_design
from ..headed_layouts import BlockLayout
from ..layouts import BitsLayout, IndexLayout, Report, number_of
from ..odds import Odds, dyadic_odds, weighted_odds
from ..values import Domain
from ..words import WORD, Words
from .context import HighLowMechanism, check_blocks
from .plain import NEVER, Cyclic, Subset, flips_chance, in_half


class HighLowHadamard(HighLowMechanism):
    """Sensitive labels own the + halves of rows of a Hadamard matrix, each other label a report of its own."""

    odds: Odds

    def __init__(self, domain: Domain, sensitive: list[int], epsilon: float) -> None:
        super().__init__(domain, sensitive, epsilon)
        self.size = 1 << self.s.bit_length()
        self.odds = weighted_odds(self.epsilon, 1, 1)
        self.layout = IndexLayout(self.size + self.d - self.s)

    def draw(self, value: int, words: Words) -> Report:
        rank, noise = self.rank(value), range(self.size)
        alone = range(self.size + rank - self.s, self.size + rank - self.s + 1)
        outputs, row = ((alone, 0), (noise, rank + 1))[rank < self.s]
        return draws.hadamard_row(words.part(), noise, outputs, row, *self.odds)

    def chance(self, value: int, report: Report) -> Fraction:
        """Uniform noise over the first outputs, and the weight A - B of the label's own half or own report."""
        rank, output = self.rank(value), number_of(report)
        excess, total = self.odds.above - self.odds.below, self.odds.above + self.odds.below
        if output >= self.size:
            return Fraction(excess, total) if output == self.size + rank - self.s else NEVER
        in_own_half = rank < self.s and in_half(output, rank + 1)
        return Fraction(2 * self.odds.below + 2 * excess * in_own_half, total * self.size)


class HighLowResponse(HighLowMechanism):
    """A sensitive label by randomized response; another one is told with weight A - B, each sensitive one with B."""

    odds: Odds

    def __init__(self, domain: Domain, sensitive: list[int], epsilon: float) -> None:
        super().__init__(domain, sensitive, epsilon)
        self.odds = weighted_odds(self.epsilon, 1, self.s - 1)
        self.layout = IndexLayout(self.d)

    def draw(self, value: int, words: Words) -> Report:
        return draws.response(words.part(), self.rank(value), self.s, *self.odds)

    def chance(self, value: int, report: Report) -> Fraction:
        is_value, is_sensitive = report == self.rank(value), number_of(report) < self.s
        excess, total = self.odds.above - self.odds.below, self.odds.above + (self.s - 1) * self.odds.below
        return Fraction(excess * is_value + self.odds.below * is_sensitive, total)


class HighLowRappor(HighLowMechanism):
    """A bit for each sensitive label, inverted at random; of the other labels only the own bit, and not always."""

    odds: Odds
    layout: BitsLayout

    def __init__(self, domain: Domain, sensitive: list[int], epsilon: float) -> None:
        super().__init__(domain, sensitive, epsilon)
        self.odds = dyadic_odds(Fraction(self.epsilon) / 2)
        self.layout = BitsLayout(self.d, None, self.s)

    def draw(self, value: int, words: Words) -> Report:
        """The coin is drawn for everybody, so that time tells nothing; sensitive values ignore it."""
        rank = self.rank(value)
        is_shown = draws.coin(words.part(), self.odds.above - self.odds.below, self.odds.above)
        noise = draws.coins(words.part(), self.odds.below, self.s)
        return self.layout.pack((noise, noise ^ 1 << rank)[is_shown or rank < self.s])

    def chance(self, value: int, report: Report) -> Fraction:
        """A product over the sensitive bits; for another label times the chance that its coin shows it, or hides it."""
        members = number_of(report)
        rank, flip = self.rank(value), Fraction(self.odds.below, WORD)
        low, high = members & (1 << self.s) - 1, members >> self.s << self.s
        if rank < self.s:
            return NEVER if high else flips_chance(low ^ 1 << rank, self.s, flip)
        shown = Fraction(self.odds.above - self.odds.below, self.odds.above)
        return {0: 1 - shown, 1 << rank: shown}.get(high, NEVER) * flips_chance(low, self.s, flip)


class HighLowSubset(HighLowMechanism):
    """Sensitive labels answer with a set of sensitive labels, others with their own label or a uniform set."""

    odds: Odds
    layout: BlockLayout

    def __init__(self, domain: Domain, sensitive: list[int], epsilon: float, size: int) -> None:
        super().__init__(domain, sensitive, epsilon, size=size)
        check_blocks(1 + self.d - self.s)
        self.size = check_int("size", size, 1, max(self.s - 1, 1))
        self.odds = weighted_odds(self.epsilon, size, self.s - size)
        self.layout = BlockLayout((self.s,) + (1,) * (self.d - self.s), (size,) + (1,) * (self.d - self.s))
        self.inner: Subset | None = Subset(Domain(self.s), self.epsilon, size) if self.s > 1 else None
        # of ``total`` cases those in which a label that is not sensitive is sent as it is
        self.shown = size * (self.odds.above - self.odds.below)
        self.total = self.shown + self.s * self.odds.below

    @classmethod
    def of(cls, written: Spec) -> HighLowSubset:
        return cls(Domain.from_json(written["domain"]), written["sensitive"], written["epsilon"], written["size"])

    def draw(self, value: int, words: Words) -> Report:
        """A set of its own, or a coin that tells the label or hides it in a uniform set."""
        rank = self.rank(value)
        if rank < self.s:
            return self.layout.join(0, 1 if self.inner is None else self.inner.members(rank, words))
        if draws.coin(words.part(), self.shown, self.total):
            return self.layout.join(rank - self.s + 1, 1)
        return self.layout.join(0, 1 if self.inner is None else draws.any_set(words, self.s, self.size))

    def chance(self, value: int, report: Report) -> Fraction:
        """From a sensitive label as in Subset; from another the coin that shows it, or else each set alike."""
        packed = report if isinstance(report, bytes) else b""
        block, members, rank = number_of(packed[:2]), number_of(packed[2:]), self.rank(value)
        shown = Fraction(self.shown, self.total)
        if rank < self.s:
            inside = 1 if self.inner is None else self.inner.chance_of(members >> rank & 1 == 1)
            return NEVER if block else Fraction(inside)
        if block:
            return shown if block == rank - self.s + 1 else NEVER
        return (1 - shown) / self._sets

    @property
    def _sets(self) -> int:
        return BitsLayout(self.s, self.size).outputs


class HighLowCyclic(HighLowMechanism):
    """Sensitive labels answer with a residue, others with their own label or a uniform residue."""

    odds: Odds

    def __init__(self, domain: Domain, sensitive: list[int], epsilon: float, design: Design) -> None:
        super().__init__(domain, sensitive, epsilon, q=design.q, t=design.t)
        self.design = design
        self.odds = weighted_odds(self.epsilon, design.block, design.length - design.block)
        self.layout = IndexLayout(design.length + self.d - self.s)
        self.inner: Cyclic | None = Cyclic(Domain(self.s), self.epsilon, design) if self.s > 1 else None
        # of ``total`` cases those in which a label that is not sensitive is sent as it is
        self.shown = design.block * (self.odds.above - self.odds.below)
        self.total = self.shown + design.length * self.odds.below

    @classmethod
    def of(cls, written: Spec) -> HighLowCyclic:
        sensitive = written["sensitive"]
        design = read_design(written["q"], written["t"], len(sensitive))
        return cls(Domain.from_json(written["domain"]), sensitive, written["epsilon"], design)

    def draw(self, value: int, words: Words) -> Report:
        """A residue of its own, or a coin that tells the label or hides it in a uniform residue."""
        rank = self.rank(value)
        if rank < self.s:
            return 0 if self.inner is None else self.inner.draw(rank, words)
        if draws.coin(words.part(), self.shown, self.total):
            return self.design.length + rank - self.s
        return draws.uniform(words.part(), self.design.length)

    def chance(self, value: int, report: Report) -> Fraction:
        """From a sensitive label as in Cyclic; from another the coin that shows it, or else each residue alike."""
        rank, output, length = self.rank(value), number_of(report), self.design.length
        if rank < self.s:
            if output >= length:
                return NEVER
            return Fraction(1) if self.inner is None else self.inner.chance(rank, output)
        shown = Fraction(self.shown, self.total)
        if output >= length:
            return shown if output == length + rank - self.s else NEVER
        return (1 - shown) / length
