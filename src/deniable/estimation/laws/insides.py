"""Three kinds of inside reports: a sensitive label, half of a Hadamard row, one noisy bit per sensitive label."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from deniable.arrays import Column, Counts, Exact, Indices
from deniable.estimation.evidence import SignedEvidence, SupportEvidence
from deniable.estimation.laws.supports import Sums, packed_sums
from deniable.kernels.decode import hadamard_rows
from deniable.protocol.odds import Odds
from deniable.theory.risk.support import Support


@dataclass(frozen=True, eq=False)
class LabelInside:
    """Reports name a sensitive label, the value with weight A, each other one with weight B; they are integers."""

    sensitive: int
    odds: Odds
    own_chance: Fraction

    @property
    def cells(self) -> int:
        """One count per sensitive label."""
        return self.sensitive

    @property
    def operations(self) -> float:
        """Two operations per label."""
        return 2.0 * self.sensitive

    @property
    def total(self) -> int:
        """The total of all weights."""
        return self.odds.above + (self.sensitive - 1) * self.odds.below

    @property
    def support(self) -> Support:
        """The probabilities g and h that a report names its sensitive value, and another sensitive one."""
        return Support.exact(Fraction(self.odds.above, self.total), Fraction(self.odds.below, self.total))

    def evidence(self, n: int, counts: Counts) -> SupportEvidence:
        """Support counts: how many reports name each sensitive label."""
        return SupportEvidence(n, counts, self.support)

    def sums(self, counts: Counts) -> Sums:
        """A report supports the label that it names."""
        return Sums(counts, np.asarray, np.asarray)

    def report_sums(self, reports: Column) -> None:
        """None: the counts are enough for the likelihood."""
        return

    def chances(self, reports: Column) -> tuple[Exact, Indices]:
        """The exact probabilities: A on the diagonal of the sensitive labels, B elsewhere in their columns."""
        y = reports.astype(np.int64)
        found: Exact = np.full((self.sensitive + 1, len(y)), Fraction(self.odds.below, self.total), object)
        for column, label in enumerate(y.tolist()):
            if label < self.sensitive:
                found[label, column] = Fraction(self.odds.above, self.total)
            else:
                found[self.sensitive, column] = self.own_chance
        return found, np.maximum(y - self.sensitive + 1, 0)


@dataclass(frozen=True, eq=False)
class HadamardInside:
    """Reports are outputs, those of the + half of the label's Hadamard row with weight A, the others with weight B."""

    sensitive: int
    size: int
    odds: Odds
    own_chance: Fraction
    everyone: bool
    """Whether all labels are sensitive."""

    @property
    def cells(self) -> int:
        """One count per output."""
        return self.size

    @property
    def operations(self) -> float:
        """The additions of one fast transform."""
        return self.size * math.log2(self.size)

    def evidence(self, n: int, counts: Counts) -> SignedEvidence:
        """Signed evidence: for each sensitive label the inside reports in its half, and in the other half."""
        plus, minus = hadamard_rows.signs(counts, self.sensitive)
        return SignedEvidence(n, plus, minus, float(self.own_chance / 2), 1.0, everyone=self.everyone)

    def sums(self, counts: Counts) -> Sums:
        """A report supports the labels whose half it is in; two transforms per iteration."""
        return Sums(
            counts,
            mass=lambda p: hadamard_rows.mass(p, self.size),
            collect=lambda weights: hadamard_rows.collect(weights, self.sensitive),
        )

    def report_sums(self, reports: Column) -> None:
        """None: the counts are enough for the likelihood."""
        return

    def chances(self, reports: Column) -> tuple[Exact, Indices]:
        """The exact probabilities: A or B over half of the outputs; B over all of them from other labels."""
        y, s = reports.astype(np.int64), self.sensitive
        scale = (self.odds.above + self.odds.below) * (self.size // 2)
        found: Exact = np.full((s + 1, len(y)), Fraction(self.odds.below, scale), object)
        held = hadamard_rows.plus_table(s, self.size)[:, np.minimum(y, self.size - 1)] & (y < self.size)
        found[:s][held] = Fraction(self.odds.above, scale)
        found[s, y >= self.size] = self.own_chance
        return found, np.maximum(y - self.size + 1, 0)


@dataclass(frozen=True, eq=False)
class FilterInside:
    """Packed reports: one bit per sensitive label, each flipped with odds A:B, and at most one bit of another label."""

    sensitive: int
    labels: int
    odds: Odds
    own_chance: Fraction

    @property
    def cells(self) -> int:
        """One count per sensitive label."""
        return self.sensitive

    @property
    def operations(self) -> float:
        """Two operations per label."""
        return 2.0 * self.sensitive

    @property
    def flip(self) -> Fraction:
        """The probability that a bit is flipped."""
        return Fraction(self.odds.below, self.odds.above + self.odds.below)

    @property
    def support(self) -> Support:
        """The probabilities that the bit of a sensitive label is set by its holder, and by other people."""
        return Support.exact(1 - self.flip, self.flip)

    def evidence(self, n: int, counts: Counts) -> SupportEvidence:
        """Support counts: how many reports have each bit set."""
        return SupportEvidence(n, counts, self.support)

    def sums(self, counts: Counts) -> None:
        """None: counts do not determine the joint distribution of the bits."""
        return

    def report_sums(self, reports: Column) -> tuple[Sums, Counts]:
        """Sums over distinct inside reports with their counts, and how many reports name each other label."""
        bits, names = self._read(reports)
        own = bits[:, self.sensitive :].sum(axis=0, dtype=np.int64)
        return packed_sums(reports[names == 0], self.sensitive), own

    def _read(self, reports: Column) -> tuple[Column, Indices]:
        """The bits of each report, and the number, from 1, of the other label whose bit is set."""
        bits = np.unpackbits(reports, axis=1, count=self.labels, bitorder="little")
        return bits, np.asarray(bits[:, self.sensitive :] @ np.arange(1, self.labels - self.sensitive + 1))

    def chances(self, reports: Column) -> tuple[Exact, Indices]:
        """The exact probabilities, as products over the bits."""
        s, flip, own, (bits, names) = self.sensitive, self.flip, self.own_chance, self._read(reports)
        weights = bits[:, :s].sum(axis=1).tolist()
        idle = np.array([flip**w * (1 - flip) ** (s - w) for w in weights], object)
        found = np.empty((s + 1, len(reports)), object)
        for rank in range(s):
            found[rank] = np.where(bits[:, rank] == 1, idle * self.odds.ratio, idle / self.odds.ratio)
        found[s] = np.where(names == 0, idle * (1 - own), idle * own)
        return found, names
