"""Laws of two levels: a report is A/B times likelier from the labels it supports than from the others."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

import numpy as np

from deniable.arrays import Column, Counts, Flags
from deniable.estimation.decoders import Likelihood, support_likelihood
from deniable.theory.risk.variance import Map

Levels = tuple[Fraction, Fraction]
"""The probability of a report from a label that it supports, and from one that it does not."""


class Supports(Protocol):
    """Which labels each report supports."""

    def table(self, reports: Column) -> Flags:
        """Which labels (columns) each report (rows) supports."""
        ...

    def levels(self, reports: Column) -> list[Levels]:
        """Each report's probability from a label it supports, and from one it does not."""
        ...

    def likelihood(self, counts: Counts, ratio: float) -> Likelihood | None:
        """The likelihood of a tally's counts, where these hold it."""
        ...

    def report_likelihood(self, reports: Column, ratio: float) -> Likelihood:
        """The likelihood of the reports themselves."""
        ...


class IndexSupports:
    """Reports that are integers of one pair of levels; ``mass`` and ``collect`` add up over what they support."""

    def __init__(self, outputs: int, level: Levels, mass: Map, collect: Map, response: bool = False) -> None:
        self.outputs, self.level, self.mass, self.collect, self.response = outputs, level, mass, collect, response

    def levels(self, reports: Column) -> list[Levels]:
        """The same for every report."""
        return [self.level] * len(reports)

    def likelihood(self, counts: Counts, ratio: float) -> Likelihood:
        """Of a histogram, which keeps all that the reports say."""
        return support_likelihood(counts, ratio, self.mass, self.collect, self.response)

    def report_likelihood(self, reports: Column, ratio: float) -> Likelihood:
        """Of their histogram."""
        counts = np.bincount(reports.astype(np.int64), minlength=self.outputs)
        return self.likelihood(counts, ratio)
