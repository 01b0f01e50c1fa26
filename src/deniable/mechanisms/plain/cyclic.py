"""Cyclic projective geometry response: nearly the least variance in few bits per report, decoded by FFT.

A Singer difference set D turns the K residues into a symmetric design: label x is supported by the reports in
x + D, and any two labels by equally many common ones. See theory/singer.py, and Feldman, Nelson, Nguyen and Talwar
(2022) for the projective geometry response whose variance this has.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any

import numpy as np

from deniable.arrays import Column, Counts, Flags, Indices, Vector
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.laws.supports import IndexSupports
from deniable.kernels._kernels import draw_cyclic
from deniable.kernels.aggregate import over_places, scatter
from deniable.kernels.cyclic import CyclicTransform
from deniable.mechanisms.drawing import Cost, draw_indices
from deniable.mechanisms.family import Option, Sample, plain_family
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.chosen import some_labels, some_level
from deniable.mechanisms.shared.rounds import Replaced
from deniable.privacy.entropy import Entropy
from deniable.privacy.repeated import WholeReports
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_epsilon, check_int, shown
from deniable.protocol.designs import Design
from deniable.protocol.errors import ParameterError
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.privacy.guarantees import LDP
from deniable.reports.index_layout import IndexLayout
from deniable.theory.risk import information
from deniable.theory.singer import choose, designs_by_name, designs_for, positions
from deniable.values.domain import Domain, DomainLike


class Cyclic(Mechanism):
    """Report the value's index plus a shift that lies in the difference set with weight A against B.

    The design is the one of least variance for the domain and epsilon whose reports fit ``max_bits``.

    >>> m = Cyclic(1000, 1.0)
    >>> m.report_bits <= 13, Cyclic(1000, 1.0, max_bits=11).report_bits
    (True, 11)
    """

    domain: Domain
    """The labels that people may hold."""
    epsilon: float
    """The level of privacy."""
    design: Design
    """The difference set: q and t name it (None: a single point, which is k-ary randomized response)."""
    odds: Odds
    """A for a shift in the difference set, B for any other."""

    def __init__(
        self, domain: DomainLike, epsilon: float, max_bits: int | None = None, design: Design | None = None
    ) -> None:
        labels, level = Domain.of(domain), check_epsilon(epsilon)
        bits = None if max_bits is None else check_int("max_bits", max_bits, (len(labels) - 1).bit_length())
        if design is not None and design not in designs_for(len(labels)):
            raise ParameterError(f"design must be one of those known for {len(labels)} labels, got {design!r}")
        chosen = design or choose(len(labels), level, bits)
        odds = weighted_odds(level, chosen.block, chosen.length - chosen.block)
        super().__init__(labels, LDP(level), {"odds": odds}, epsilon=level, design=chosen)

    def _spec_parameters(self) -> Spec:
        return {"epsilon": self.epsilon, "q": self.design.q, "t": self.design.t}

    @property
    def _excess(self) -> int:
        return self.design.block * (self.odds.above - self.odds.below)

    @property
    def _total(self) -> int:
        return self._excess + self.design.length * self.odds.below

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer per report, a residue on the circle."""
        return IndexLayout(self.design.length)

    @cached_property
    def _transform(self) -> CyclicTransform:
        return CyclicTransform.of(self.design.length, positions(self.design), len(self.domain))

    @cached_property
    def law(self) -> SupportLaw:
        """G = |D| A / total; h from the lambda residues that two labels share; counts are added up by FFT."""
        design, odds = self.design, self.odds
        shared = design.overlap * (odds.above - odds.below) + design.block * odds.below
        return SupportLaw(
            labels=len(self.domain),
            exact_support=(Fraction(design.block * odds.above, self._total), Fraction(shared, self._total)),
            largest_ratio=odds.ratio,
            reports=IndexSupports(
                (Fraction(odds.above, self._total), Fraction(odds.below, self._total)),
                self._supported,
                mass=self._mass,
                collect=self._collect,
                known=True,
            ),
            information=self._information,
            closed=True,
            symmetric=False,
            count=self._count,
            operations=7.5 * design.length * math.log2(design.length),  # three real FFTs on the circle
        )

    def _count(self, counts: Counts) -> Counts:
        """Each label's reports, added up over its shifted copy of D: exact integers."""
        return self._transform.support_counts(counts)

    def _mass(self, p: Vector) -> Vector:
        return self._transform.spread(p)

    def _collect(self, weights: Vector) -> Vector:
        return self._transform.gather(weights)

    def _supported(self, reports: Column) -> Flags:
        """Which labels each report supports: report y the labels x with y - x in D."""
        shifts = np.subtract.outer(reports.astype(np.int64), np.arange(len(self.domain))) % self.design.length
        return np.isin(shifts, positions(self.design))

    def _information(self) -> float:
        """The mutual information in nats, from the number of labels that each residue supports."""
        members = np.rint(self._transform.spread(np.ones(len(self.domain))))
        log_low = np.full(self.design.length, math.log(self.odds.below / self._total))
        return information.two_level(np.zeros(self.design.length), members, log_low, self.epsilon, len(self.domain))

    @property
    def _rounds(self) -> Replaced:
        """A uniform report is any residue."""
        length = self.design.length
        residues = WholeReports(self.odds, length, self.design.block, lambda: length)
        return Replaced.integers(residues, len(self.domain), self.layout)

    @property
    def cost(self) -> Cost:
        """Two words per report, a coin and both shifts; in aggregate one draw per label and residue of D."""
        draws = len(self.domain) * self.design.block + self.design.length
        return Cost(2 + self._total / 2**64, float(draws))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        excess, total, length = np.uint64(self._excess), np.uint64(self._total), np.uint64(self.design.length)
        words = 2 + self._total / 2**64
        block = positions(self.design)
        return draw_indices(draw_cyclic, self.layout, values, entropy, words, excess, total, block, length)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports: some shift their value by a residue of D, the rest report a uniform residue."""
        truthful, length = generator.binomial(people, self._excess / self._total), self.design.length
        block = positions(self.design)
        shifted = over_places(
            truthful,
            len(block),
            lambda labels: (np.arange(len(truthful))[labels, None] + block) % length,
            length,
            generator,
        )
        return np.asarray(shifted + scatter(int((people - truthful).sum()), np.ones(length), generator))


def _read(domain: Any, parameters: Spec) -> Cyclic:
    """Read a spec, which names the design itself."""
    labels, field = Domain.from_json(domain), (parameters["q"], parameters["t"])
    design = designs_by_name(len(labels)).get(field)
    if design is None:
        got = " and ".join(map(shown, field))
        raise ParameterError(f"q and t must name a design with room for {len(labels)} labels, got {got}")
    return Cyclic(labels, parameters["epsilon"], design=design)


def _random(source: Random) -> Mechanism:
    labels = some_labels(source)
    return Cyclic(labels, some_level(source), source.choice((None, labels.bit_length() + source.randrange(3))))


FAMILY = plain_family(
    Cyclic,
    "a number that stands for a set of labels",
    (
        Sample(15, lambda: Cyclic(3, 1.0)),  # a point
        Sample(16, lambda: Cyclic(10, 1.0)),
        Sample(17, lambda: Cyclic(18, 1.5, max_bits=5)),  # the field of four elements
    ),
    (Option("max_bits", "B", "the most bits that a report may take"),),
    read=_read,
    random=_random,
    largest=lambda: Cyclic(1 << 20, 1.0),
)
