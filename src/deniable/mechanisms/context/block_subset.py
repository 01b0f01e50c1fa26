"""Block subsets: the block is told, and within it a set of labels, the least error that the promise allows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.within_law import WithinLaw
from deniable.mechanisms.context.blocks import block_family, block_repr, block_spec
from deniable.mechanisms.context.inner_blocks import Inner, InnerBlocks, check_blocks
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.subset import Subset
from deniable.mechanisms.shared.alone import Alone
from deniable.mechanisms.shared.limits import check_rows
from deniable.privacy.entropy import Entropy
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_epsilon, check_int
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.context import Blocks
from deniable.reports.block_layout import MOST_BLOCKS, BlockLayout
from deniable.theory.sizes import best_l2_size
from deniable.values.domain import Domain, DomainLike


class BlockSubset(Mechanism):
    """The block, and a uniform subset of its labels that holds the value with certified odds.

    ``weights`` are the sizes of the subsets in each block; left out, each is that of least squared error.

    >>> m = BlockSubset([["Rome", "Milan"], ["Lyon", "Paris", "Nice", "Metz", "Brest", "Lille"]], 0.5)
    >>> m.weights, m.report_bits
    ((1, 2), 7)
    """

    domain: Domain
    """The labels that people may hold."""
    guarantee: Blocks
    """What is promised to each person."""
    epsilon: float
    """The level of privacy."""
    weights: tuple[int, ...]
    """Labels in a report of each block."""
    _within: InnerBlocks

    def __init__(
        self,
        blocks: Iterable[Iterable[Hashable]],
        epsilon: float,
        domain: DomainLike | None = None,
        weights: Iterable[int] | None = None,
    ) -> None:
        promise = Blocks(blocks, check_epsilon(epsilon), domain)
        check_blocks(len(promise.blocks), MOST_BLOCKS)
        check_rows(len(promise.domain), self.name)
        chosen = _resolved(weights, promise)
        within = InnerBlocks.of(promise, chosen, _within)
        super().__init__(promise.domain, promise, {"_within": within}, epsilon=promise.epsilon, weights=chosen)

    def _spec_parameters(self) -> Spec:
        return {**block_spec(self.guarantee), "weights": list(self.weights)}

    def __repr__(self) -> str:
        return block_repr(self, self.guarantee)

    @cached_property
    def layout(self) -> BlockLayout:
        """The block, and one bit per label of the largest one."""
        return BlockLayout(self._within.sizes, self.weights)

    @cached_property
    def law(self) -> WithinLaw:
        """The block is known; within it a set supports its labels."""
        laws, layout = tuple(inner.law for inner in self._within.inner), self.layout
        return WithinLaw(
            len(self.domain), self._within.order, laws, layout.sizes, layout.weights, layout.split, (None,) * len(laws)
        )

    @property
    def cost(self) -> Cost:
        """A subset of the block."""
        return self._within.cost

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Subsets within each block; blocks of one size are drawn together."""
        column = self.layout.empty(len(values))
        for people, blocks, sets in self._within.draw(values, entropy):
            column[people] = self.layout.join(blocks, sets)
        return column

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Subsets' counts within each block."""
        return self._within.draw_counts(people, generator)


def _within(size: int, weight: int, epsilon: float) -> Inner:
    return Subset(size, epsilon, weight) if size > 1 else Alone.packed()


def _resolved(weights: Iterable[int] | None, promise: Blocks) -> tuple[int, ...]:
    """The sizes that are meant: at least 1, and less than the block has labels unless it has one."""
    sizes = [len(block) for block in promise.blocks]
    if weights is None:
        return tuple(best_l2_size(size, promise.epsilon) if size > 1 else 1 for size in sizes)
    chosen = tuple(check_int("weights", weight, 1) for weight in weights)
    if len(chosen) != len(sizes) or any(k >= max(size, 2) for k, size in zip(chosen, sizes, strict=True)):
        raise ParameterError("weights must be one for each block and below its number of labels, got others")
    return chosen


FAMILY = block_family(
    BlockSubset,
    "the label's block, and a set of its labels of one size",
    (
        Sample(
            36,
            lambda: BlockSubset(
                [["Rom", "Milano", "Napoli"], ["Wien"], ["Lyon", "Paris", "Nice", "Metz", "Brest"]], 0.5
            ),
        ),
        Sample(37, lambda: BlockSubset([[0, 3, 6, 9], [1, 4, 7], [2, 5, 8]], 2.0, 10)),  # not in the domain's order
    ),
    resolved={"weights": lambda weights, sizes: weights},
)
