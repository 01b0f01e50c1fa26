"""Inside reports that are sets of sensitive labels: as packed bits, or as residues of a difference set."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from deniable.arrays import Column, Counts, Exact, Indices
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.laws.supports import IndexSupports, Sums, packed_sums
from deniable.estimation.within import HidingEvidence
from deniable.theory.risk.designs import Hiding

Split: TypeAlias = Callable[[Column], tuple[Indices, Column]]
"""Which other label each report names, from 1, or 0; and the reports that name none, as the sensitive labels' own."""


@dataclass(frozen=True, eq=False)
class SetsInside(ABC):
    """A set that holds the sensitive label with odds A:B; from other labels an even mixture of all ``sets``."""

    hiding: Hiding
    law: SupportLaw
    """Of the sensitive labels among themselves."""
    everyone: bool
    """Whether all labels are sensitive."""
    split: Split

    @property
    def cells(self) -> int:
        """One count per symbol."""
        return self.hiding.points

    @property
    @abstractmethod
    def counts_per_report(self) -> int:
        """What one inside report adds to the counts in total."""

    @property
    @abstractmethod
    def sets(self) -> int:
        """How many sets there are."""

    @property
    def operations(self) -> float:
        """As among the sensitive labels alone."""
        return self.law.decode_operations

    def evidence(self, n: int, counts: Counts) -> HidingEvidence:
        """How many reports support each, and how many are inside."""
        inside = int(counts.sum()) // self.counts_per_report
        return HidingEvidence(n, self.law.count(counts), inside, self.hiding, self.everyone)

    @abstractmethod
    def sums(self, counts: Counts) -> Sums | None:
        """For the likelihood, or None where counts do not hold it."""

    @abstractmethod
    def report_sums(self, reports: Column) -> tuple[Sums, Counts] | None:
        """The same from the reports themselves, for packed bits."""

    def chances(self, reports: Column) -> tuple[Exact, Indices]:
        """The two levels of the sensitive labels, one for all inside reports of others, and that of own reports."""
        names, inside = self.split(reports)
        found: Exact = np.full((self.law.labels + 1, len(reports)), self.hiding.own, object)
        found[:-1, names == 0] = self.law.chances(inside)
        found[-1, names == 0] = (1 - self.hiding.own) * Fraction(1, self.sets)
        return found, names


@dataclass(frozen=True, eq=False)
class PackedSetsInside(SetsInside):
    """One bit for each sensitive label; ``others`` is how many labels are not."""

    others: int

    @property
    def counts_per_report(self) -> int:
        """Its bits."""
        return self.hiding.size

    @property
    def sets(self) -> int:
        """All of the size."""
        return math.comb(self.hiding.points, self.hiding.size)

    def sums(self, counts: Counts) -> None:
        """None: counts do not hold the joint law of the bits."""
        return

    def report_sums(self, reports: Column) -> tuple[Sums, Counts]:
        """Equal sets are counted together."""
        names, inside = self.split(reports)
        return packed_sums(inside, self.law.labels), np.bincount(names, minlength=self.others + 1)[1:]


@dataclass(frozen=True, eq=False)
class ResiduesInside(SetsInside):
    """A residue stands for its set of labels, which ``residues`` knows."""

    residues: IndexSupports

    @property
    def counts_per_report(self) -> int:
        """One."""
        return 1

    @property
    def sets(self) -> int:
        """One for each residue."""
        return self.hiding.points

    def sums(self, counts: Counts) -> Sums:
        """A report supports the labels of its set."""
        return Sums(counts, self.residues.mass, self.residues.collect)

    def report_sums(self, reports: Column) -> None:
        """Counts hold it."""
        return
