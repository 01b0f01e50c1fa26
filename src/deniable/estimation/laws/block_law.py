"""The law of block Hadamard reports: the block is revealed, and within it a label hides in half of a Hadamard row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Exact, Indices, Vector
from deniable.estimation.decoders import Likelihood
from deniable.estimation.evidence import SignedEvidence
from deniable.estimation.laws.law import Law
from deniable.estimation.totals import Totals
from deniable.kernels.decode import hadamard_rows
from deniable.protocol.odds import Odds
from deniable.theory.risk import context, information
from deniable.theory.risk.variance import Loss, Target, VarianceLaw


@dataclass(frozen=True, slots=True)
class Span:
    """A block: where its labels and outputs begin in the blocks' order, and how many of each it has."""

    labels: slice
    outputs: slice
    size: int
    width: int


@dataclass(frozen=True, eq=False)
class BlockLaw(Law):
    """``order`` lists the indices of the blocks' labels, block after block; outputs are in the same order."""

    labels: int
    order: Indices
    sizes: tuple[int, ...]
    odds: Odds
    epsilon: float

    @cached_property
    def rank(self) -> Indices:
        """Each label's index in the blocks' order."""
        return np.argsort(self.order)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """The spans of the blocks, in their order."""
        widths = [hadamard_rows.size_for(size) for size in self.sizes]
        labels, outputs = np.cumsum([0, *self.sizes]).tolist(), np.cumsum([0, *widths]).tolist()
        shapes = zip(self.sizes, widths, labels, outputs, strict=False)
        return tuple(Span(slice(x, x + size), slice(y, y + width), size, width) for size, width, x, y in shapes)

    @cached_property
    def _groups(self) -> tuple[Indices, Indices]:
        """How many labels each block has, and where its outputs begin."""
        return np.array(self.sizes, np.int64), np.array([span.outputs.start for span in self.spans], np.int64)

    @property
    def total(self) -> int:
        """The total weight: the bound below which the coin is drawn."""
        return self.odds.above + self.odds.below

    @property
    def gain(self) -> Fraction:
        """How much the probability of a holder's report to lie in their half exceeds 1/2."""
        return Fraction(self.odds.above - self.odds.below, 2 * self.total)

    @property
    def variances(self) -> VarianceLaw:
        """acharya2019's variances (19), for the labels in the blocks' order."""
        return context.block_hadamard(self.odds.ratio, self.sizes)

    @property
    def leverage(self) -> float:
        """The leverage r = (A+B)/(A-B), the same for every label."""
        return context.reach(self.odds.ratio)

    @property
    def decode_operations(self) -> float:
        """The additions of one fast transform per block."""
        return float(sum(span.width * math.log2(span.width) for span in self.spans))

    def evidence(self, n: int, counts: Counts) -> SignedEvidence:
        """Signed evidence: for each label the reports in its half of its block's outputs, and in the other half."""
        found = [hadamard_rows.signs(counts[span.outputs], span.size) for span in self.spans]
        plus, minus = (np.concatenate(side)[self.rank] for side in zip(*found, strict=True))
        return SignedEvidence(n, plus, minus, float(self.gain), 1.0, everyone=len(self.sizes) == 1)

    def totals(self, n: int, counts: Counts) -> Totals:
        """The blocks' shares."""
        sizes, starts = self._groups
        return Totals(self.order, sizes, np.add.reduceat(counts, starts) / n)

    def likelihood(self, counts: Counts) -> Likelihood:
        """The likelihood of the histogram; two transforms per block and iteration."""
        bonus = float(self.odds.ratio) - 1

        def forward(p: Vector) -> Vector:
            ranked = p[self.order]
            parts = [(ranked[span.labels], span.width) for span in self.spans]
            return np.concatenate([part.sum() + bonus * hadamard_rows.mass(part, width) for part, width in parts])

        def backward(weights: Vector) -> Vector:
            parts = [(weights[span.outputs], span.size) for span in self.spans]
            found = [part.sum() + bonus * hadamard_rows.collect(part, size) for part, size in parts]
            return np.asarray(np.concatenate(found)[self.rank])

        return Likelihood(counts, forward, backward)

    def exact_ratio(self) -> Fraction:
        """A/B if some block has two labels or more, otherwise 1."""
        return self.odds.ratio if max(self.sizes) > 1 else Fraction(1)

    def chances(self, reports: Column) -> Exact:
        """The exact probabilities: A or B over half of the block's outputs, 0 outside the block."""
        outputs = self.spans[-1].outputs.stop
        rows: Exact = np.full((self.labels, outputs), Fraction(0), object)
        for span in self.spans:
            half = self.total * (span.width // 2)
            levels = np.array([Fraction(weight, half) for weight in (self.odds.below, self.odds.above)], object)
            rows[span.labels, span.outputs] = levels[hadamard_rows.plus_table(span.size, span.width).astype(np.int64)]
        return np.asarray(rows[self.rank][:, reports.astype(np.int64)])

    def mutual_information(self) -> float:
        """The mutual information in nats of a uniform value and its report: the block, and what is told within it."""
        shares = np.array(self.sizes) / self.labels
        within = [self._told(span.size, span.width) for span in self.spans]
        return float(shares @ (np.array(within) - np.log(shares)))

    def _told(self, size: int, width: int) -> float:
        """The information in nats within one block; 0 for a block of one label."""
        if size == 1:
            return 0.0
        members = np.rint(hadamard_rows.mass(np.ones(size), width))
        low = np.full(width, math.log(self.odds.below / (self.total * (width // 2))))
        return information.two_level(np.zeros(width), members, low, self.epsilon, size)

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        """The predicted error (l1, linf: asymptotic); the worst case if no truth is given."""
        return self.variances.risk_at(n, loss, None if truth is None else truth[self.order], target)
