"""Which labels each report supports: the report is A/B times likelier from these than from all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np

from deniable.arrays import Column, Counts, Exact, Flags, Vector
from deniable.estimation.decoders import Likelihood, support_likelihood
from deniable.kernels.count.packed import collect_packed, mass_packed
from deniable.theory.risk.variance import Map

Levels: TypeAlias = tuple[Fraction, Fraction]
"""The probability of a report from a label that it supports, and from one that it does not."""


@runtime_checkable
class Supporting(Protocol):
    """A law whose reports support labels, so that an auditor can count supports of reports too many to list."""

    def supports(self, reports: Column) -> Flags:
        """Which labels (columns) each report (rows) supports."""
        ...

    def support_chances(self, value: int) -> Vector:
        """The probability that each label is supported by a report of ``value``."""
        ...


class Sums(NamedTuple):
    """Counts of kinds of reports; ``mass`` sums p over the labels that each supports, ``collect`` weights per label."""

    counts: Counts
    mass: Map
    collect: Map


def packed_sums(reports: Column, labels: int) -> Sums:
    """Of the distinct ones among packed reports, whose first bits are of so many labels."""
    distinct, counts = np.unique(reports, axis=0, return_counts=True)
    return Sums(
        counts.astype(np.int64),
        mass=lambda p: mass_packed(distinct, p),
        collect=lambda weights: collect_packed(distinct, weights, labels),
    )


class Supports(Protocol):
    """The protocol: which labels each report supports, and sums over them."""

    def table(self, reports: Column) -> Flags:
        """Which labels (columns) each report (rows) supports."""
        ...

    def levels(self, reports: Column) -> list[Levels]:
        """The two probabilities of each report."""
        ...

    def likelihood(self, counts: Counts, ratio: float) -> Likelihood | None:
        """The likelihood of counts, or None if counts do not determine it."""
        ...

    def report_likelihood(self, reports: Column, ratio: float) -> Likelihood | None:
        """The likelihood of the reports themselves, if counts do not determine it."""
        ...


@dataclass(frozen=True, eq=False)
class IndexSupports:
    """Integer reports, all with the same two levels of probability.

    ``holds`` says which labels reports support; ``mass`` sums a distribution over each report's labels, ``collect``
    sums weights over each label's reports. ``response``: each report supports one label, and each label has one report.
    """

    level: Levels
    holds: Callable[[Column], Flags]
    mass: Map
    collect: Map
    response: bool = False

    def table(self, reports: Column) -> Flags:
        """Which labels (columns) each report (rows) supports."""
        return self.holds(reports)

    def levels(self, reports: Column) -> list[Levels]:
        """The two levels, which are the same for every report."""
        return [self.level] * len(reports)

    def likelihood(self, counts: Counts, ratio: float) -> Likelihood:
        """The likelihood of a histogram, which keeps all information of the reports."""
        return support_likelihood(counts, ratio, self.mass, self.collect, self.response)

    def report_likelihood(self, reports: Column, ratio: float) -> None:
        """The likelihood of the reports' histogram."""
        return


@dataclass(frozen=True, eq=False)
class PackedSupports:
    """Packed reports of one bit per label; ``by_weight`` gives the levels of a report with so many bits set."""

    labels: int
    by_weight: Callable[[int], Levels]

    def table(self, reports: Column) -> Flags:
        """The set bits of each report, as a table of booleans."""
        return np.unpackbits(reports, axis=1, count=self.labels, bitorder="little").view(np.bool_)

    def levels(self, reports: Column) -> list[Levels]:
        """The two levels, which depend only on a report's number of set bits."""
        weights = self.table(reports).sum(axis=1).tolist()
        known = {weight: self.by_weight(weight) for weight in set(weights)}
        return [known[weight] for weight in weights]

    def likelihood(self, counts: Counts, ratio: float) -> None:
        """None: counts do not determine the joint distribution of the bits."""
        return

    def report_likelihood(self, reports: Column, ratio: float) -> Likelihood:
        """The likelihood of the distinct reports with their counts."""
        counts, mass, collect = packed_sums(reports, self.labels)
        return support_likelihood(counts, ratio, mass, collect)


def two_level_chances(table: Flags, levels: Sequence[Levels]) -> Exact:
    """The exact probability [labels, reports] of each report: the higher level where it supports the label."""
    chances = np.empty(table.T.shape, object)
    for y, (held, (high, low)) in enumerate(zip(table, levels, strict=True)):
        chances[held, y], chances[~held, y] = high, low
    return chances
