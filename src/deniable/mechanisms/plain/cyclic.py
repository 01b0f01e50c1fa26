"""Cyclic projective geometry response: the least variance, in the bits of a label, decoded by one FFT.

A Singer difference set D turns the K residues into a symmetric design: label x is supported by the reports in
x + D, and any two labels by equally many common ones. See theory/singer.py, and Feldman, Nelson, Nguyen and Talwar
(2022) for the projective geometry response whose variance this has.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Indices, Positions
from deniable.checks import check_int
from deniable.errors import ParameterError
from deniable.estimation.decoders import Messages, support_messages
from deniable.kernels.decode.cyclic import CyclicTransform
from deniable.kernels.draw.aggregate import over_places, scatter
from deniable.kernels.draw.draws import draw_cyclic
from deniable.mechanisms.plain.base import Plain
from deniable.mechanisms.shared.stored import IndexReports
from deniable.mechanisms.shared.support import SupportCounting
from deniable.privacy.entropy import Entropy
from deniable.privacy.odds import Odds, weighted_odds
from deniable.reports.layout import IndexLayout
from deniable.reports.spec import Spec
from deniable.theory.risk import information
from deniable.theory.singer import Design, choose, designs_for, positions
from deniable.values.domain import Domain, DomainLike


class Cyclic(Plain, SupportCounting, IndexReports):
    """Report the value's index plus a shift that lies in the difference set with weight A against B.

    The design is the one of least variance for the domain and epsilon whose reports fit ``max_bits``.

    >>> m = Cyclic(1000, 1.0)
    >>> m.report_bits <= 13, Cyclic(1000, 1.0, max_bits=11).report_bits
    (True, 11)
    """

    title = "a residue near the label"
    design: Design

    def __init__(
        self, domain: DomainLike, epsilon: float, max_bits: int | None = None, design: Design | None = None
    ) -> None:
        super().__init__(domain, epsilon)
        bits = None if max_bits is None else check_int("max_bits", max_bits, (len(self.domain) - 1).bit_length())
        if design is not None and design not in designs_for(len(self.domain)):
            raise ParameterError(f"design must have room for {len(self.domain)} labels, got {design!r}")
        self._fix(design=design or choose(len(self.domain), self.epsilon, bits))
        self._certify()

    @classmethod
    def from_parameters(cls, domain: Domain, parameters: Spec) -> Cyclic:
        """Read a spec, which names the design itself."""
        field = parameters["q"], parameters["t"]
        design = next((each for each in designs_for(len(domain)) if (each.q, each.t) == field), None)
        if design is None:
            raise ParameterError(f"q and t must name a design with room for {len(domain)} labels, got others")
        return cls(domain, parameters["epsilon"], design=design)

    def parameters(self) -> Spec:
        """Epsilon and the design's q and t (None: a single point, which is k-ary randomized response)."""
        return {"epsilon": self.epsilon, "q": self.design.q, "t": self.design.t}

    @property
    def layout(self) -> IndexLayout:
        """A residue."""
        return IndexLayout(self.design.length)

    @cached_property
    def odds(self) -> Odds:
        """A for a shift in D, B for any other."""
        return weighted_odds(self.epsilon, self.design.block, self.design.length - self.design.block)

    @property
    def _bonus(self) -> int:
        return self.design.block * (self.odds.above - self.odds.below)

    @property
    def _total(self) -> int:
        return self._bonus + self.design.length * self.odds.below

    @property
    def exact_support(self) -> tuple[Fraction, Fraction]:
        """G = |D| A / total; h from the lambda residues that two labels share."""
        shared = self.design.overlap * (self.odds.above - self.odds.below) + self.design.block * self.odds.below
        return Fraction(self.design.block * self.odds.above, self._total), Fraction(shared, self._total)

    @property
    def words_per_report(self) -> float:
        """A coin and a word for both shifts."""
        return 2 + self._total / 2**64

    @property
    def decode_operations(self) -> float:
        """Three real FFTs on the circle."""
        return 7.5 * self.design.length * math.log2(self.design.length)

    @property
    def block(self) -> Positions:
        """The residues of D."""
        return positions(self.design)

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Two words a report."""
        bonus, total, length = np.uint64(self._bonus), np.uint64(self._total), np.uint64(self.design.length)
        return self.drawn_by(draw_cyclic, values, entropy, bonus, total, self.block, length)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Some shift their value by a residue of D, the rest report a uniform one."""
        told, length, block = generator.binomial(people, self._bonus / self._total), self.design.length, self.block
        shifted = over_places(
            told,
            len(block),
            lambda labels: (np.arange(len(told))[labels, None] + block) % length,
            length,
            generator,
        )
        return np.asarray(shifted + scatter(int((people - told).sum()), np.ones(length), generator))

    @property
    def aggregate_draws(self) -> float:
        """One a label and residue of D."""
        return float(len(self.domain) * self.design.block + self.design.length)

    def support_counts(self, counts: Counts) -> Counts:
        """Each label's reports, added up over its shifted copy of D: exact integers by FFT."""
        return self._transform.support_counts(counts)

    def supports(self, reports: Column) -> npt.NDArray[np.bool_]:
        """Report y supports the labels x with y - x in D."""
        shifts = np.subtract.outer(reports.astype(np.int64), np.arange(len(self.domain))) % self.design.length
        return np.isin(shifts, self.block)

    def levels(self, reports: Column) -> list[tuple[Fraction, Fraction]]:
        """A and B over the total."""
        level = Fraction(self.odds.above, self._total), Fraction(self.odds.below, self._total)
        return [level] * len(reports)

    @cached_property
    def _transform(self) -> CyclicTransform:
        return CyclicTransform.of(self.design.length, self.block, len(self.domain))

    def messages(self, counts: Counts) -> Messages:
        """The histogram of residues; two FFTs an iteration."""
        return support_messages(
            counts, float(self.odds.ratio), mass=self._transform.spread, collect=self._transform.gather
        )

    def mutual_information(self) -> float:
        """From how many labels each residue supports."""
        members = np.rint(self._transform.spread(np.ones(len(self.domain))))
        log_low = np.full(self.outputs, math.log(self.odds.below / self._total))
        return information.two_level(np.zeros(self.outputs), members, log_low, self.epsilon, len(self.domain))
