"""Block cyclic response: the block is told, and within it a residue, in about as many bits as a label."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.laws.supports import IndexSupports
from deniable.estimation.laws.within_law import WithinLaw
from deniable.mechanisms.context.blocks import block_family, block_repr, block_spec
from deniable.mechanisms.context.inner_blocks import Inner, InnerBlocks
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.cyclic import Cyclic
from deniable.mechanisms.shared.alone import Alone
from deniable.mechanisms.shared.limits import check_rows
from deniable.privacy.entropy import Entropy
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_epsilon
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.context import Blocks
from deniable.reports.grouped import grouped
from deniable.reports.index_layout import IndexLayout
from deniable.theory.risk.designs import Spare
from deniable.theory.singer import Design, choose, designs_by_name, designs_for
from deniable.values.domain import Domain, DomainLike


class BlockCyclic(Mechanism):
    """Each block has residues of its own, and a label reports its number there plus a shift in a difference set.

    ``designs`` are the difference sets of the blocks; left out, each is that of least squared error.

    >>> m = BlockCyclic([["Rome", "Milan"], ["Lyon", "Paris", "Nice"]], 1.0)
    >>> m.layout.outputs, m.report_bits
    (5, 3)
    """

    domain: Domain
    """The labels that people may hold."""
    guarantee: Blocks
    """What is promised to each person."""
    epsilon: float
    """The level of privacy."""
    designs: tuple[Design, ...]
    """The difference set of each block; q and t name it (None: a single point)."""
    _within: InnerBlocks

    def __init__(
        self,
        blocks: Iterable[Iterable[Hashable]],
        epsilon: float,
        domain: DomainLike | None = None,
        designs: Iterable[Design] | None = None,
    ) -> None:
        promise = Blocks(blocks, check_epsilon(epsilon), domain)
        check_rows(len(promise.domain), self.name)
        chosen = _resolved(designs, promise)
        within = InnerBlocks.of(promise, chosen, _within)
        super().__init__(promise.domain, promise, {"_within": within}, epsilon=promise.epsilon, designs=chosen)

    def _spec_parameters(self) -> Spec:
        return {**block_spec(self.guarantee), "designs": [[design.q, design.t] for design in self.designs]}

    def __repr__(self) -> str:
        return block_repr(self, self.guarantee)

    @property
    def lengths(self) -> tuple[int, ...]:
        """Residues of each block."""
        return tuple(design.length for design in self.designs)

    @cached_property
    def _starts(self) -> Counts:
        return np.cumsum([0, *self.lengths])

    @cached_property
    def layout(self) -> IndexLayout:
        """The residues of the blocks, one after another."""
        return IndexLayout(int(self._starts[-1]))

    @cached_property
    def law(self) -> WithinLaw:
        """The block is known; within it a residue supports the labels of its shifted set."""
        laws = tuple(inner.law for inner in self._within.inner)
        spare = {law: _spare(law, length) for law, length in zip(laws, self.lengths, strict=True)}
        return WithinLaw(
            len(self.domain), self._within.order, laws, self.lengths, (1,) * len(laws), self._split,
            tuple(spare[law] for law in laws),
        )  # fmt: skip

    def _split(self, reports: Column) -> Iterator[tuple[int, Indices, Column]]:
        """Each block that reports are of, the places of these, and their residues in it."""
        blocks = np.searchsorted(self._starts, reports, side="right") - 1
        for block, found in grouped(blocks):
            yield block, found, reports[found].astype(np.int64) - self._starts[block]

    @property
    def cost(self) -> Cost:
        """A coin and a word for both shifts; in aggregate one draw for each label and residue of its set."""
        return self._within.cost

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Two words per report; blocks of one size are drawn together."""
        column = self.layout.empty(len(values))
        for people, blocks, residues in self._within.draw(values, entropy):
            column[people] = self._starts[blocks] + residues
        return column

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Residues' counts within each block."""
        return self._within.draw_counts(people, generator)


def _within(size: int, design: Design, epsilon: float) -> Inner:
    return Cyclic(size, epsilon, design=design) if size > 1 else Alone.index()


def _resolved(designs: Iterable[Design] | None, promise: Blocks) -> tuple[Design, ...]:
    """The difference sets that are meant: with room for all labels of their blocks."""
    sizes = [len(block) for block in promise.blocks]
    if designs is None:
        best = {size: choose(size, promise.epsilon) if size > 1 else Design.point(1) for size in set(sizes)}
        return tuple(best[size] for size in sizes)
    chosen = tuple(designs)
    if len(chosen) != len(sizes) or any(
        design not in designs_for(size) for design, size in zip(chosen, sizes, strict=True)
    ):
        raise ParameterError("designs must be one for each block with room for its labels, got others")
    return chosen


def _read_designs(fields: list[list[int | None]], sizes: list[int]) -> list[Design]:
    """Designs by the q and t that name them in a spec."""
    if len(fields) != len(sizes):
        raise ParameterError("designs must be one for each block, got more or fewer")
    known = {size: designs_by_name(size) for size in set(sizes)}
    return [known[size][q, t] for size, (q, t) in zip(sizes, fields, strict=True)]


def _spare(law: SupportLaw, length: int) -> Spare | None:
    """Of a block with more residues than labels."""
    if law.labels == length or not isinstance(law.reports, IndexSupports):
        return None
    high, low = law.reports.level
    return Spare(law.reports.mass, law.reports.collect, float(low), float(high - low))


FAMILY = block_family(
    BlockCyclic,
    "the label's block, and a number that stands for a set of labels in it",
    (
        Sample(
            38,
            lambda: BlockCyclic(
                [["Rom", "Milano", "Napoli"], ["Wien"], ["Lyon", "Paris", "Nice", "Metz", "Brest"]], 0.5
            ),
        ),
        Sample(39, lambda: BlockCyclic([[0, 3, 6, 9], [1, 4, 7], [2, 5, 8]], 2.0, 10)),  # not in the domain's order
    ),
    resolved={"designs": _read_designs},
)
