"""Block Hadamard response (acharya2019, 19): the block is revealed, the label in it hides in a Hadamard row."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices, Words
from deniable.estimation.laws.block_law import BlockLaw
from deniable.kernels.decode import hadamard_rows
from deniable.kernels.draw.aggregate import scatter
from deniable.mechanisms.context.blocks import block_family, block_order, block_repr, block_spec
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.hadamard_halves import draw_halves, half_odds, half_words
from deniable.mechanisms.shared.limits import check_rows
from deniable.privacy.entropy import Entropy
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_epsilon
from deniable.protocol.odds import Odds
from deniable.protocol.privacy.context import Blocks
from deniable.reports.index_layout import IndexLayout
from deniable.values.domain import Domain, DomainLike


class BlockHadamard(Mechanism):
    """Each block has its own outputs, and each of its labels owns the + half of its row there.

    >>> m = BlockHadamard([["Rome", "Milan"], ["Lyon", "Paris", "Nice"]], 1.0)
    >>> m.sizes, m.layout.outputs, m.report_bits
    ((2, 3), 8, 3)
    """

    domain: Domain
    """The labels that people may hold."""
    guarantee: Blocks
    """What is promised to each person."""
    epsilon: float
    """The level of privacy."""
    odds: Odds
    """A for one half of a row's outputs, B for the other."""

    def __init__(self, blocks: Iterable[Iterable[Hashable]], epsilon: float, domain: DomainLike | None = None) -> None:
        promise = Blocks(blocks, check_epsilon(epsilon), domain)
        check_rows(len(promise.domain), self.name)
        super().__init__(promise.domain, promise, {"odds": half_odds(promise.epsilon)}, epsilon=promise.epsilon)

    def _spec_parameters(self) -> Spec:
        return block_spec(self.guarantee)

    def __repr__(self) -> str:
        return block_repr(self, self.guarantee)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of labels in each block."""
        return tuple(map(len, self.guarantee.blocks))

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer per report: the outputs of the blocks, one block after another."""
        return IndexLayout(self.law.spans[-1].outputs.stop)

    @cached_property
    def law(self) -> BlockLaw:
        """Signed counting within each block, whose people are known."""
        return BlockLaw(len(self.domain), block_order(self.guarantee), self.sizes, self.odds, self.epsilon)

    @cached_property
    def _sources(self) -> Words:
        """The row of ``draw_rows`` for each label: where its noise and its own outputs lie, and its Hadamard row."""
        rows = np.empty((len(self.domain), 5), np.uint64)
        for span in self.law.spans:
            start, last = span.outputs.start, span.width - 1
            rows[span.labels] = [start, last, start, last, 0]
            rows[span.labels, 4] = np.arange(1, span.size + 1)
        return rows[self.law.rank]

    @property
    def cost(self) -> Cost:
        """Two words per report, a coin and an output; in aggregate one transform of people per block."""
        draws = sum(span.width * (2 * math.log2(span.width) + 1) for span in self.law.spans)
        return Cost(half_words(self.odds), float(draws))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Two words per report."""
        return draw_halves(self._sources, self.odds, self.layout, values, entropy)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports: in each block some in their half of a row, the rest uniform over the block."""
        told, counts = generator.binomial(people, 2 * float(self.law.gain)), np.empty(self.layout.outputs, np.int64)
        kept, rest = told[self.law.order], (people - told)[self.law.order]
        for span in self.law.spans:
            counts[span.outputs] = hadamard_rows.over_halves(kept[span.labels], span.width, generator)
            counts[span.outputs] += scatter(int(rest[span.labels].sum()), np.ones(span.width), generator)
        return counts


FAMILY = block_family(
    BlockHadamard,
    "the label's block, and a number that stands for many labels in it",
    (
        Sample(
            28,
            lambda: BlockHadamard(
                [["Rom", "Milano", "Napoli"], ["Wien"], ["Lyon", "Paris", "Nice", "Metz", "Brest"]], 1.0
            ),
        ),
    ),
)
