"""Block Hadamard response (acharya2019, 19): the block is revealed, the label in it hides in a Hadamard row."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices, Words
from deniable.estimation.laws.sign_law import SignLaw
from deniable.kernels import hadamard_rows
from deniable.kernels.aggregate import scatter
from deniable.mechanisms.context.blocks import CITIES, BlockMechanism, BlockParts, block_family, promised
from deniable.mechanisms.context.inner import CountedReports
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.shared.draws import draw_halves, half_odds, half_words
from deniable.privacy.entropy import Entropy
from deniable.protocol.odds import Odds
from deniable.reports.index_layout import IndexLayout
from deniable.values.domain import DomainLike


class BlockHadamard(BlockMechanism):
    """Each block has its own outputs, and each of its labels owns the + half of its row there.

    >>> m = BlockHadamard([["Rome", "Milan"], ["Lyon", "Paris", "Nice"]], 1.0)
    >>> m.sizes, m.layout.outputs, m.report_bits
    ((2, 3), 8, 3)
    """

    odds: Odds
    """A for one half of a row's outputs, B for the other."""
    _parts: BlockRows

    def __init__(self, blocks: Iterable[Iterable[Hashable]], epsilon: float, domain: DomainLike | None = None) -> None:
        promise = promised(blocks, epsilon, domain, self.name)
        odds, several = half_odds(promise.epsilon), len(promise.blocks) > 1

        def signs(size: int, width: int, level: float) -> CountedReports:
            law = SignLaw(size, odds, parts=1, size=width, epsilon=level, others=several)
            return CountedReports(IndexLayout(width), law)

        widths = (hadamard_rows.size_for(len(block)) for block in promise.blocks)
        super().__init__(BlockRows.of(promise, widths, signs), {"odds": odds})

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of labels in each block."""
        return self._parts.sizes


class BlockRows(BlockParts[CountedReports]):
    """Reports that are an output of a Hadamard row of the own block."""

    @cached_property
    def odds(self) -> Odds:
        """A for one half of a row's outputs, B for the other."""
        return half_odds(self.promise.epsilon)

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """The outputs of each block."""
        return tuple(inner.layout.cells for inner in self.inner)

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer per report: the outputs of the blocks, one block after another."""
        return IndexLayout(sum(self.widths))

    @cached_property
    def sources(self) -> Words:
        """The row of ``draw_rows`` for each label: where its noise and its own outputs lie, and its Hadamard row."""
        (blocks, numbers), widths = self.places, np.array(self.widths)
        start, last = np.cumsum([0, *self.widths])[blocks], widths[blocks] - 1
        return np.stack([start, last, start, last, numbers + 1], axis=1).astype(np.uint64)

    @property
    def cost(self) -> Cost:
        """Two words per report, a coin and an output; in aggregate one transform of people per block."""
        draws = sum(width * (2 * math.log2(width) + 1) for width in self.widths)
        return Cost(half_words(self.odds), float(draws))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return draw_halves(self.sources, self.odds, self.layout, values, entropy)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports: in each block some in their half of a row, the rest uniform over the block."""
        excess, total = self.odds.above - self.odds.below, self.odds.above + self.odds.below
        truthful = generator.binomial(people, float(Fraction(excess, total)))
        counts = []
        for width, holders, others in zip(
            self.widths, self.by_block(truthful), self.by_block(people - truthful), strict=True
        ):
            inside = hadamard_rows.over_halves(holders, width, generator)
            counts.append(inside + scatter(int(others.sum()), np.ones(width), generator))
        return np.concatenate(counts)


FAMILY = block_family(
    BlockHadamard,
    "the label's block, and a number that stands for many labels in it",
    (Sample(28, lambda: BlockHadamard(CITIES, 1.0)),),
)
