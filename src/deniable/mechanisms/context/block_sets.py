"""Block mechanisms by sets: the block is told, and within it a set of labels, as bits or as a residue."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from deniable.mechanisms.context.blocks import CITIES, BlockMechanism, DrawnBlocks, block_family, promised
from deniable.mechanisms.context.inner import residues, sets
from deniable.mechanisms.family import Sample
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_int
from deniable.protocol.designs import Design
from deniable.protocol.errors import ParameterError
from deniable.protocol.mechanisms.context import check_blocks
from deniable.protocol.privacy.context import Blocks
from deniable.theory.singer import choose, designs_by_name, designs_for
from deniable.theory.sizes import best_l2_size
from deniable.values.domain import DomainLike


class BlockSubset(BlockMechanism):
    """The block, and a uniform subset of its labels that holds the value with certified odds.

    ``weights`` are the sizes of the subsets in each block; left out, each is that of least squared error.

    >>> m = BlockSubset([["Rome", "Milan"], ["Lyon", "Paris", "Nice", "Metz", "Brest", "Lille"]], 0.5)
    >>> m.weights, m.report_bits
    ((1, 2), 7)
    """

    weights: tuple[int, ...]
    """Labels in a report of each block."""

    def __init__(
        self,
        blocks: Iterable[Iterable[Hashable]],
        epsilon: float,
        domain: DomainLike | None = None,
        weights: Iterable[int] | None = None,
    ) -> None:
        promise = promised(blocks, epsilon, domain, self.name)
        check_blocks(len(promise.blocks))
        chosen = _weights(weights, promise)
        super().__init__(DrawnBlocks.of(promise, chosen, sets), weights=chosen)

    def _spec_parameters(self) -> Spec:
        return {**super()._spec_parameters(), "weights": list(self.weights)}


def _weights(weights: Iterable[int] | None, promise: Blocks) -> tuple[int, ...]:
    """The sizes that are meant: at least 1, and less than the block has labels unless it has one."""
    sizes = [len(block) for block in promise.blocks]
    if weights is None:
        return tuple(best_l2_size(size, promise.epsilon) if size > 1 else 1 for size in sizes)
    chosen = tuple(check_int("weights", weight, 1) for weight in weights)
    if len(chosen) != len(sizes) or any(k >= max(size, 2) for k, size in zip(chosen, sizes, strict=True)):
        got = list(chosen)[:9]
        raise ParameterError(
            f"weights must be one for each block and below its number of labels, {sizes[:9]}, got {got}"
        )
    return chosen


class BlockCyclic(BlockMechanism):
    """Each block has residues of its own, and a label reports its number there plus a shift in a difference set.

    ``designs`` are the difference sets of the blocks; left out, each is that of least squared error.

    >>> m = BlockCyclic([["Rome", "Milan"], ["Lyon", "Paris", "Nice"]], 1.0)
    >>> m.layout.outputs, m.report_bits
    (5, 3)
    """

    designs: tuple[Design, ...]
    """The difference set of each block; q and t name it (None: a single point)."""

    def __init__(
        self,
        blocks: Iterable[Iterable[Hashable]],
        epsilon: float,
        domain: DomainLike | None = None,
        designs: Iterable[Design] | None = None,
    ) -> None:
        promise = promised(blocks, epsilon, domain, self.name)
        chosen = _designs(designs, promise)
        super().__init__(DrawnBlocks.of(promise, chosen, residues), designs=chosen)

    def _spec_parameters(self) -> Spec:
        return {**super()._spec_parameters(), "designs": [[design.q, design.t] for design in self.designs]}

    @property
    def lengths(self) -> tuple[int, ...]:
        """Residues of each block."""
        return tuple(design.length for design in self.designs)


def _designs(designs: Iterable[Design] | None, promise: Blocks) -> tuple[Design, ...]:
    """The difference sets that are meant: with room for all labels of their blocks."""
    sizes = [len(block) for block in promise.blocks]
    if designs is None:
        best = {size: choose(size, promise.epsilon) if size > 1 else Design.point(1) for size in set(sizes)}
        return tuple(best[size] for size in sizes)
    chosen = tuple(designs)
    if len(chosen) != len(sizes) or any(
        design not in designs_for(size) for design, size in zip(chosen, sizes, strict=True)
    ):
        got = f"designs of lengths {[design.length for design in chosen][:9]}"
        raise ParameterError(f"designs must be one for each block, with room for {sizes[:9]} labels, got {got}")
    return chosen


def _read_designs(fields: list[list[int | None]], sizes: list[int]) -> list[Design]:
    """Designs by the q and t that name them in a spec."""
    if len(fields) != len(sizes):
        raise ParameterError("designs must be one for each block, got more or fewer")
    known = {size: designs_by_name(size) for size in set(sizes)}
    return [known[size][q, t] for size, (q, t) in zip(sizes, fields, strict=True)]


SUBSET = block_family(
    BlockSubset,
    "the label's block, and a set of its labels of one size",
    (
        Sample(36, lambda: BlockSubset(CITIES, 0.5)),
        Sample(37, lambda: BlockSubset([[0, 3, 6, 9], [1, 4, 7], [2, 5, 8]], 2.0, 10)),  # not in the domain's order
    ),
    resolved={"weights": lambda weights, sizes: weights},
)
CYCLIC = block_family(
    BlockCyclic,
    "the label's block, and a number that stands for a set of labels in it",
    (
        Sample(38, lambda: BlockCyclic(CITIES, 0.5)),
        Sample(39, lambda: BlockCyclic([[0, 3, 6, 9], [1, 4, 7], [2, 5, 8]], 2.0, 10)),  # not in the domain's order
    ),
    resolved={"designs": _read_designs},
)
