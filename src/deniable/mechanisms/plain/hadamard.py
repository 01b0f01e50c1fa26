"""Hadamard response (Acharya, Sun and Zhang 2019): outputs in parts, a row of signs per label, decoded by one FWHT."""

from __future__ import annotations

import math
from functools import cached_property
from random import Random

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.sign_law import SignLaw
from deniable.kernels._kernels import draw_hadamard
from deniable.kernels.aggregate import over_half_rows, scatter
from deniable.mechanisms.drawing import Cost, draw_indices
from deniable.mechanisms.family import Option, Sample, plain_family
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.chosen import some_labels, some_level
from deniable.mechanisms.shared.rounds import Replaced
from deniable.privacy.entropy import Entropy
from deniable.privacy.repeated import WholeReports
from deniable.protocol.checks import check_epsilon, check_int
from deniable.protocol.errors import ParameterError
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.privacy.guarantees import LDP
from deniable.protocol.values import LARGEST
from deniable.reports.index_layout import IndexLayout
from deniable.theory.risk import hadamard as theory
from deniable.values.domain import Domain, DomainLike


class Hadamard(Mechanism):
    """The outputs fall into ``parts``; a label owns the + half of its row of one part, with weight A against B.

    Label x has row ``x % (size - 1) + 1`` of part ``x // (size - 1)``, where a part has ``size`` outputs. ``parts``
    is a power of two; None chooses the number with the least variance.

    >>> m = Hadamard(100, 3.0)
    >>> m.parts, m.size, m.report_bits
    (8, 16, 7)
    """

    domain: Domain
    """The labels that people may hold."""
    epsilon: float
    """The level of privacy."""
    parts: int
    """Into how many parts the outputs fall."""
    odds: Odds
    """In units of half a part: A for the own half, B for each of the others."""

    def __init__(self, domain: DomainLike, epsilon: float, parts: int | None = None) -> None:
        labels, level = Domain.of(domain), check_epsilon(epsilon)
        chosen = _resolved(parts, len(labels), level)
        odds = weighted_odds(level, 1, 2 * chosen - 1)
        super().__init__(labels, LDP(level), {"odds": odds}, epsilon=level, parts=chosen)

    @property
    def size(self) -> int:
        """Outputs per part: a power of two with a row for every label of the part, row 0 left out."""
        labels = -(-len(self.domain) // self.parts)
        return 1 << labels.bit_length()

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer per report, an output."""
        return IndexLayout(self.parts * self.size)

    @cached_property
    def law(self) -> SignLaw:
        """Signed counting: a report has a sign for every label of its part."""
        return SignLaw(len(self.domain), self.odds, self.parts, self.size, self.epsilon)

    @property
    def _rounds(self) -> Replaced:
        """A uniform report is any output, of whatever part."""
        halves = WholeReports(self.odds, 2 * self.parts, 1, lambda: self.layout.outputs)
        return Replaced.integers(halves, len(self.domain), self.layout)

    @property
    def cost(self) -> Cost:
        """Two words per report, a coin and an output; in aggregate a transform of people, two draws per place."""
        outputs = self.layout.outputs
        return Cost(2 + self.law.total / 2**64, outputs * (2 * math.log2(self.size) + 1))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        excess, total = np.uint64(self.odds.above - self.odds.below), np.uint64(self.law.total)
        size, parts = np.uint64(self.size), np.uint64(self.parts)
        words = 2 + self.law.total / 2**64
        return draw_indices(draw_hadamard, self.layout, values, entropy, words, excess, total, size, parts)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports: some in their half of a row, the rest uniform over all outputs."""
        truthful = generator.binomial(people, 1 / self.law.scale)
        halves = over_half_rows(self.law.by_row(truthful), generator).reshape(-1)
        return np.asarray(halves + scatter(int((people - truthful).sum()), np.ones(self.layout.outputs), generator))


def _resolved(parts: object, d: int, epsilon: float) -> int:
    """The number of parts, checked, or the one with the least variance for None."""
    if parts is None:
        return theory.best_parts(d, epsilon)[0]
    chosen = check_int("parts", parts, 1)
    if chosen & (chosen - 1) or chosen >= 2 * d:
        raise ParameterError(f"parts must be a power of two below {2 * d}, got parts={chosen}")
    return chosen


def _random(source: Random) -> Mechanism:
    return Hadamard(some_labels(source), some_level(source), source.choice((None, 1 << source.randrange(5))))


FAMILY = plain_family(
    Hadamard,
    "a number that stands for many labels",
    (Sample(13, lambda: Hadamard(10, 1.0, parts=1)), Sample(14, lambda: Hadamard(20, 3.0, parts=4))),
    (Option("parts", "N", "the number of parts, a power of two"),),
    random=_random,
    largest=lambda: Hadamard(LARGEST, 1.0, parts=1 << 20),
)
