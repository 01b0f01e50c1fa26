"""A block of one label: its report is known beforehand, and tells nothing beside the block."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.laws.supports import IndexSupports, PackedSupports, Supports
from deniable.mechanisms.drawing import Cost
from deniable.privacy.entropy import Entropy
from deniable.reports.index_layout import IndexLayout
from deniable.reports.packed_layout import PackedLayout

CERTAIN = Fraction(1), Fraction(0)


@dataclass(frozen=True, eq=False)
class Alone:
    """Draws the one report there is, as a mechanism of more labels would draw theirs."""

    layout: IndexLayout | PackedLayout
    law: SupportLaw

    @classmethod
    def packed(cls) -> Alone:
        """One bit, which is set."""
        return cls(PackedLayout(1, 1), _law(PackedSupports(1, lambda _: CERTAIN)))

    @classmethod
    def index(cls) -> Alone:
        """The integer 0."""
        everyone = IndexSupports(CERTAIN, lambda reports: np.ones((len(reports), 1), np.bool_), np.asarray, np.asarray)
        return cls(IndexLayout(1), _law(everyone))

    @property
    def cost(self) -> Cost:
        """Nothing."""
        return Cost(0.0, 0.0)

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """The same report for everybody."""
        return np.repeat(self.layout.every_report(), len(values), axis=0)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """As many reports as people."""
        return people


def _law(reports: Supports) -> SupportLaw:
    return SupportLaw(1, CERTAIN, Fraction(1), reports, lambda: 0.0, closed=True)
