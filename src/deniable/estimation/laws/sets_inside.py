"""Inside reports that are sets of sensitive labels: as packed bits, or as residues of a difference set."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from deniable.arrays import Column, Counts, Exact, Indices
from deniable.estimation.laws.joined_law import InsideSums
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.within import HidingEvidence
from deniable.kernels.count.packed import collect_packed, mass_packed
from deniable.theory.risk.designs import Hiding
from deniable.theory.risk.variance import Map

Split: TypeAlias = Callable[[Column], tuple[Indices, Column]]
"""Which other label each report names, from 1, or 0; and the reports that name none, as the sensitive labels' own."""


@dataclass(frozen=True, eq=False)
class SetsInside:
    """A set that holds the sensitive label with odds A:B; from other labels an even mixture of all ``sets``.

    ``law`` is that of the sensitive labels among themselves, ``counts_per_report`` what one of their reports adds.
    """

    hiding: Hiding
    law: SupportLaw
    cells: int
    counts_per_report: int
    sets: int
    everyone: bool
    """Whether all labels are sensitive."""
    split: Split

    @property
    def operations(self) -> float:
        """As among the sensitive labels alone."""
        return self.law.decode_operations

    def evidence(self, n: int, counts: Counts) -> HidingEvidence:
        """How many reports support each, and how many are inside."""
        inside = int(counts.sum()) // self.counts_per_report
        return HidingEvidence(n, self.law.count(counts), inside, self.hiding, self.everyone)

    @abstractmethod
    def sums(self, counts: Counts) -> InsideSums | None:
        """For the likelihood, or None where counts do not hold it."""

    @abstractmethod
    def report_sums(self, reports: Column) -> tuple[InsideSums, Counts] | None:
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

    others: int = 0

    def sums(self, counts: Counts) -> None:
        """None: counts do not hold the joint law of the bits."""
        return

    def report_sums(self, reports: Column) -> tuple[InsideSums, Counts]:
        """Equal sets are counted together."""
        names, inside = self.split(reports)
        distinct, counts = np.unique(inside, axis=0, return_counts=True)
        found = InsideSums(
            counts.astype(np.int64),
            mass=lambda p: mass_packed(distinct, p),
            collect=lambda weights: collect_packed(distinct, weights, self.law.labels),
        )
        return found, np.bincount(names, minlength=self.others + 1)[1:]


@dataclass(frozen=True, eq=False)
class ResiduesInside(SetsInside):
    """A residue stands for its set; ``mass`` and ``collect`` add up over the labels of each set."""

    mass: Map = np.asarray
    collect: Map = np.asarray

    def sums(self, counts: Counts) -> InsideSums:
        """A report supports the labels of its set."""
        return InsideSums(counts, self.mass, self.collect)

    def report_sums(self, reports: Column) -> None:
        """Counts hold it."""
        return
