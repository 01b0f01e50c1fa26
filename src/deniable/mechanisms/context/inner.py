"""What high-low and block mechanisms are composed over: reports of the labels that hide among each other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.inner import InnerLaw
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.laws.supports import IndexSupports, PackedSupports, Supports
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.plain.cyclic import Cyclic
from deniable.mechanisms.plain.subset import Subset
from deniable.privacy.entropy import Entropy
from deniable.protocol.designs import Design
from deniable.reports.index_layout import IndexLayout
from deniable.reports.packed_layout import PackedLayout

CERTAIN = Fraction(1), Fraction(0)


class CountedReports(NamedTuple):
    """How inner reports are stored, and what they say, of a mechanism that draws them together with all others."""

    layout: IndexLayout | PackedLayout
    law: InnerLaw


@dataclass(frozen=True, eq=False)
class SingleLabel:
    """A label alone: draws the one report there is, as a mechanism of more labels would draw theirs."""

    layout: IndexLayout | PackedLayout
    law: SupportLaw

    @classmethod
    def packed(cls) -> SingleLabel:
        """One bit, which is set."""
        return cls(PackedLayout(1, 1), _law(PackedSupports(1, lambda _: CERTAIN)))

    @classmethod
    def index(cls) -> SingleLabel:
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


Drawn: TypeAlias = Subset | Cyclic | SingleLabel
"""What has a draw of its own, for people whose values are numbers of these labels."""
Inner: TypeAlias = Drawn | CountedReports


def sets(labels: int, size: int, epsilon: float) -> Drawn:
    """Sets of ``size`` labels as in Subset."""
    return Subset(labels, epsilon, size) if labels > 1 else SingleLabel.packed()


def residues(labels: int, design: Design, epsilon: float) -> Drawn:
    """Residues as in Cyclic."""
    return Cyclic(labels, epsilon, design=design) if labels > 1 else SingleLabel.index()
