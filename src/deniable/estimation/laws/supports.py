"""Which labels each report supports: the report is A/B times likelier from these than from all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np

from deniable.arrays import Column, Counts, Exact, Flags, Vector
from deniable.estimation.decoders import Likelihood
from deniable.kernels.counts import collect_packed, mass_packed
from deniable.protocol.errors import ParameterError
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
    response: bool = False
    """Whether each report supports one label, and each label has one report."""

    def likelihood(self, ratio: float) -> Likelihood:
        """The likelihood of reports that are ``ratio`` times likelier from the labels they support."""
        excess, mass, collect = ratio - 1, self.mass, self.collect
        return Likelihood(
            self.counts,
            forward=lambda p: 1 + excess * mass(p),
            backward=lambda weights: weights.sum() + excess * collect(weights),
            response=ratio if self.response else None,
        )


class Supports(Protocol):
    """The protocol: which labels each report supports, and sums over them."""

    def table(self, reports: Column) -> Flags:
        """Which labels (columns) each report (rows) supports."""
        ...

    def levels(self, reports: Column) -> list[Levels]:
        """The two probabilities of each report."""
        ...

    def sums(self, counts: Counts) -> Sums | None:
        """Sums for the likelihood, or None if counts do not determine it."""
        ...

    def report_sums(self, reports: Column) -> Sums | None:
        """Sums for the likelihood from the reports themselves, if counts do not determine it."""
        ...


@dataclass(frozen=True, eq=False)
class IndexSupports:
    """Integer reports, all with the same two levels of probability.

    ``one_report`` is the probability of a report from a label that it supports, and from one that it does not: where
    reports support several labels these are not a law's g and h. ``holds`` says which labels reports support; ``mass``
    sums a distribution over each report's labels, ``collect`` sums weights over each label's reports. ``response``:
    each report supports one label, and each label has one report.
    """

    one_report: Levels
    holds: Callable[[Column], Flags]
    mass: Map
    collect: Map
    response: bool = False
    known: bool = False
    """Whether it is of a family whose rows this package's own tests add up; others are checked as they are made."""

    @classmethod
    def of_table(cls, one_report: Levels, table: Flags) -> Self:
        """From the whole table of which labels (columns) each report (rows) supports."""
        return cls(one_report, lambda reports: table[reports], lambda p: table @ p, lambda weights: weights @ table)

    def check(self, labels: int, support: Levels) -> None:
        """Refuse probabilities that do not add up to 1 from every label, or give labels other g and h than ``support``.

        Two labels may share more reports than another two: then h is the mean over all others.
        """
        own, other = self.one_report
        sizes = np.rint(self.mass(np.ones(labels)))  # of the set of labels that each report supports
        numbers = _whole(self.collect(np.ones(len(sizes))))  # how many reports support each label
        sums = {count * own + (len(sizes) - count) * other for count in set(numbers)}
        if sums != {Fraction(1)}:
            raise ParameterError(
                "the probabilities of all reports must add up to 1 from every label, got "
                f"{' and '.join(f'{float(added):.6g}' for added in sorted(sums)[:2])}; one_report of IndexSupports is "
                "of a single report, not g and h, which are of all reports that support a label"
            )
        shared = set(zip(_whole(self.collect(sizes)), numbers, strict=True))
        others = {(pairs * (own - other) + count * (labels * other - own)) / (labels - 1) for pairs, count in shared}
        g, h = numbers[0] * own, min(others)
        if (g, h) != support or len(others) > 1:
            raise ParameterError(
                f"g and h must be {g} and {h}, by which labels the reports support, "
                f"got {' and '.join(map(str, support))}"
            )

    def table(self, reports: Column) -> Flags:
        """Which labels (columns) each report (rows) supports."""
        return self.holds(reports)

    def levels(self, reports: Column) -> list[Levels]:
        """The two levels, which are the same for every report."""
        return [self.one_report] * len(reports)

    def sums(self, counts: Counts) -> Sums:
        """Of a histogram, which keeps all information of the reports."""
        return Sums(counts, self.mass, self.collect, self.response)

    def report_sums(self, reports: Column) -> None:
        """None: the histogram is enough."""
        return


def _whole(counted: Vector) -> list[int]:
    """Sums of whole numbers, which may have come by transforms of floats."""
    return [round(each) for each in counted.tolist()]


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

    def sums(self, counts: Counts) -> None:
        """None: counts do not determine the joint distribution of the bits."""
        return

    def report_sums(self, reports: Column) -> Sums:
        """Of the distinct reports, whose first bits are those of the labels, with their counts."""
        distinct, counts = np.unique(reports, axis=0, return_counts=True)
        return Sums(
            counts.astype(np.int64),
            mass=lambda p: mass_packed(distinct, p),
            collect=lambda weights: collect_packed(distinct, weights, self.labels),
        )


def two_level_chances(table: Flags, levels: Sequence[Levels]) -> Exact:
    """Exact probabilities [labels, reports]: a report's higher level where ``table`` says it supports the label."""
    chances = np.empty(table.T.shape, object)
    for y, (held, (high, low)) in enumerate(zip(table, levels, strict=True)):
        chances[held, y], chances[~held, y] = high, low
    return chances
