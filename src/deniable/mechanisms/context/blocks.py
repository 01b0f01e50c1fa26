"""Block mechanisms as a composition: a promise, and what the labels of each block report among themselves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, Self, TypeVar

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.block_law import BlockLaw
from deniable.mechanisms.composed import Composed, Parts
from deniable.mechanisms.context.inner import Drawn, Inner
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import FEWER_SIZES, Family, Maker, Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.chosen import some_blocks, some_level
from deniable.mechanisms.shared.limits import check_rows
from deniable.privacy.entropy import Entropy
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_epsilon, check_int
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.context import Blocks
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.reports.headed_layouts import BlockLayout
from deniable.reports.index_blocks import IndexBlocks
from deniable.reports.index_layout import IndexLayout
from deniable.values.domain import Domain, DomainLike

Choice = TypeVar("Choice", bound=Hashable)
InnerT = TypeVar("InnerT", bound=Inner)

CITIES = [["Rom", "Milano", "Napoli"], ["Wien"], ["Lyon", "Paris", "Nice", "Metz", "Brest"]]
"""The blocks of samples."""


def promised(blocks: Iterable[Iterable[Hashable]], epsilon: float, domain: DomainLike | None, name: str) -> Blocks:
    """The promise of a mechanism of this name, with the number of labels checked."""
    promise = Blocks(blocks, check_epsilon(epsilon), domain)
    check_rows(len(promise.domain), name)
    return promise


@dataclass(frozen=True, eq=False)
class BlockParts(Parts[BlockLaw], Generic[InnerT]):
    """The labels of a promise, block after block, and a plain mechanism for each; blocks that are alike share one."""

    promise: Blocks
    inner: tuple[InnerT, ...]

    @classmethod
    def of(cls, promise: Blocks, chosen: Iterable[Choice], make: Callable[[int, Choice, float], InnerT]) -> Self:
        """What ``make`` makes of a size, what was chosen for the block, and epsilon: once for each kind of block."""
        kinds = list(zip(map(len, promise.blocks), chosen, strict=True))
        by_kind = {kind: make(*kind, promise.epsilon) for kind in dict.fromkeys(kinds)}
        return cls(promise, tuple(by_kind[kind] for kind in kinds))

    @cached_property
    def order(self) -> Indices:
        """The places of the blocks' labels in the domain, block after block."""
        return np.array([place for block in self.promise.places for place in block], np.int64)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Labels in each block."""
        return tuple(map(len, self.promise.blocks))

    @cached_property
    def joined(self) -> IndexBlocks | BlockLayout:
        """The reports of all blocks in one layout, which tells the block."""
        layouts = [inner.layout for inner in self.inner]
        outputs = tuple(layout.outputs for layout in layouts if isinstance(layout, IndexLayout))
        return IndexBlocks(outputs) if outputs else BlockLayout(self.sizes, self._counts_per_report)

    @cached_property
    def _counts_per_report(self) -> tuple[int, ...]:
        return tuple(inner.layout.counts_per_report or 1 for inner in self.inner)

    @cached_property
    def layout(self) -> IndexLayout | BlockLayout:
        """How reports are stored."""
        return self.joined.layout

    @cached_property
    def law(self) -> BlockLaw:
        """The block is known; within it the labels are told apart by a law of its own."""
        laws, cells = zip(*((inner.law, inner.layout.cells) for inner in self.inner), strict=True)
        return BlockLaw(len(self.order), self.order, laws, cells, self._counts_per_report, self.joined.split)

    @cached_property
    def places(self) -> tuple[Indices, Indices]:
        """Of each label of the domain its block, and its number there."""
        blocks, numbers = np.empty((2, len(self.order)), np.int64)
        for block, places in enumerate(self.promise.places):
            blocks[list(places)], numbers[list(places)] = block, np.arange(len(places))
        return blocks, numbers

    def by_block(self, people: Counts) -> list[Counts]:
        """The people of each label, block by block."""
        return np.split(people[self.order], np.cumsum(self.sizes)[:-1])


@dataclass(frozen=True, eq=False)
class DrawnBlocks(BlockParts[Drawn]):
    """``BlockParts`` whose plain mechanisms draw their own reports."""

    @cached_property
    def _distinct(self) -> list[Drawn]:
        return list({id(inner): inner for inner in self.inner}.values())

    @cached_property
    def _kinds(self) -> Indices:
        """Which of the distinct ones draws within each block."""
        numbers = {id(inner): number for number, inner in enumerate(self._distinct)}
        return np.array([numbers[id(inner)] for inner in self.inner])

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """The reports of each kind of block together."""
        blocks, numbers = (of_label[values] for of_label in self.places)
        kinds, column = self._kinds[blocks], self.layout.empty(len(values))
        for kind, inner in enumerate(self._distinct):
            people = np.flatnonzero(kinds == kind)
            if len(people):
                column[people] = self.joined.join(blocks[people], inner.draw(numbers[people], entropy))
        return column

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """What the reports of each block add up to, block after block."""
        parts = zip(self.inner, self.by_block(people), strict=True)
        return np.concatenate([inner.draw_counts(held, generator) for inner, held in parts])

    @property
    def cost(self) -> Cost:
        """The words of the block that needs most, and the draws of all."""
        costs = [inner.cost for inner in self.inner]
        return Cost(max(cost.words_per_report for cost in costs), sum(cost.aggregate_draws for cost in costs))


class BlockMechanism(Composed[BlockLaw]):
    """A mechanism that hides labels in blocks that are no secret; its spec holds the sizes of these."""

    guarantee: Blocks
    """What is promised to each person."""
    epsilon: float
    """The level of privacy."""
    _parts: BlockParts[Any]

    def __init__(self, parts: BlockParts[Any], derived: Mapping[str, Any] = MappingProxyType({}), **extra: Any) -> None:
        promise = parts.promise
        super().__init__(promise.domain, promise, {"_parts": parts, **derived}, epsilon=promise.epsilon, **extra)

    def _spec_parameters(self) -> Spec:
        """Besides epsilon the size of each block, and the labels' order unless it is the domain's."""
        order = self._parts.order.tolist()
        order_field = {} if order == list(range(len(order))) else {"order": order}
        return {"epsilon": self.epsilon, "sizes": list(self._parts.sizes), **order_field}

    def __repr__(self) -> str:
        """With numbers of labels instead of the labels."""
        return f"{self.name}({self.guarantee.domain!r} in {len(self._parts.inner)} blocks, epsilon={self.epsilon!r})"


def block_family(
    make: Callable[..., Any],
    title: str,
    samples: Iterable[Sample],
    resolved: Mapping[str, Callable[[Any, list[int]], Any]] = MappingProxyType({}),
) -> Family:
    """The row of a family whose constructor takes blocks, an epsilon and a domain.

    ``resolved`` are the arguments that the spec holds too, each with what reads it, given the sizes of the blocks.
    """

    def example(domain: Domain, epsilon: float) -> Mechanism:
        """An example with the blocks: the first label, the next two, and the rest; one block for two labels."""
        labels = list(domain)
        blocks = [labels] if len(labels) == 2 else [labels[:1], labels[1:3], labels[3:]]
        made: Mechanism = make([block for block in blocks if block], epsilon)
        return made

    def keeps(guarantee: Guarantee, domain: Domain) -> Maker | None:
        if not isinstance(guarantee, Blocks):
            return None
        return lambda: make(guarantee.blocks, guarantee.epsilon, domain)

    def read(domain: Any, parameters: Spec) -> Mechanism:
        """The mechanism of a spec, which holds the sizes of the blocks, and the labels' order if it differs."""
        labels = Domain.from_json(domain)
        check_rows(len(labels), make.__name__)
        sizes = [check_int("sizes", size, 1) for size in parameters["sizes"]]
        ordered = list(labels)
        if "order" in parameters:
            ordered = [labels[check_int("order", place, 0)] for place in parameters["order"]]
        if not sum(sizes) == len(ordered) == len(labels):
            raise ParameterError(f"sizes must add up to the number of labels, {len(labels)}, got {sum(sizes)}")
        arguments = {name: parse(parameters[name], sizes) for name, parse in resolved.items()}
        made: Mechanism = make(_in_blocks(ordered, sizes), parameters["epsilon"], labels, **arguments)
        return made

    family: Any = make
    return Family(
        make=family, title=title, example=example, keeps=keeps, read=read, samples=tuple(samples),
        random=lambda source: make(blocks := some_blocks(source), some_level(source), sum(map(len, blocks))),
        largest=lambda: make([range(1 << 17)], 1.0, 1 << 17),
        measured=lambda labels: make([range(labels // 2), range(labels // 2, labels)], 1.0),
        sizes=FEWER_SIZES,
    )  # fmt: skip


def _in_blocks(labels: list[Hashable], sizes: Sequence[int]) -> list[list[Hashable]]:
    """Cut a list of labels into blocks of these sizes."""
    ends = np.cumsum(sizes).tolist()
    return [labels[end - size : end] for size, end in zip(sizes, ends, strict=True)]
