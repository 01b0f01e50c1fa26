"""Blocks within each of which a mechanism of its own draws; blocks that are alike share one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.support_law import SupportLaw
from deniable.mechanisms.context.blocks import block_order
from deniable.mechanisms.drawing import Cost
from deniable.privacy.entropy import Entropy
from deniable.protocol.errors import CapacityError
from deniable.protocol.privacy.context import Blocks

Choice = TypeVar("Choice", bound=Hashable)


class Inner(Protocol):
    """What draws within a block, for people whose values are numbers of its labels."""

    @property
    def law(self) -> SupportLaw:
        """What counts say of the block's labels."""
        ...

    @property
    def cost(self) -> Cost:
        """What drawing takes."""
        ...

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One report for each value."""
        ...

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """What the reports of so many people add up to."""
        ...


@dataclass(frozen=True, eq=False)
class InnerBlocks:
    """The labels of a promise, block after block, and what draws within each; blocks alike share one."""

    promise: Blocks
    inner: tuple[Inner, ...]

    @classmethod
    def of(cls, promise: Blocks, chosen: Iterable[Choice], make: Callable[[int, Choice, float], Inner]) -> InnerBlocks:
        """What ``make`` makes of a size, what was chosen for the block, and epsilon: once for each kind of block."""
        kinds = list(zip(map(len, promise.blocks), chosen, strict=True))
        made = {kind: make(*kind, promise.epsilon) for kind in dict.fromkeys(kinds)}
        return cls(promise, tuple(made[kind] for kind in kinds))

    @cached_property
    def order(self) -> Indices:
        """The places of the blocks' labels in the domain, block after block."""
        return block_order(self.promise)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Labels in each block."""
        return tuple(map(len, self.promise.blocks))

    @cached_property
    def _distinct(self) -> list[Inner]:
        return list({id(inner): inner for inner in self.inner}.values())

    @cached_property
    def _kinds(self) -> Indices:
        """Which of the distinct ones draws within each block."""
        numbers = {id(inner): number for number, inner in enumerate(self._distinct)}
        return np.array([numbers[id(inner)] for inner in self.inner])

    @cached_property
    def places(self) -> tuple[Indices, Indices]:
        """Of each label of the domain its block, and its number there."""
        blocks, numbers = np.empty((2, len(self.order)), np.int64)
        for block, places in enumerate(self.promise.places):
            blocks[list(places)], numbers[list(places)] = block, np.arange(len(places))
        return blocks, numbers

    def draw(self, values: Indices, entropy: Entropy) -> Iterator[tuple[Indices, Indices, Column]]:
        """For each kind of block: whose reports these are, their blocks, and their reports within them."""
        blocks, numbers = (of_label[values] for of_label in self.places)
        kinds = self._kinds[blocks]
        for kind, inner in enumerate(self._distinct):
            people = np.flatnonzero(kinds == kind)
            if len(people):
                yield people, blocks[people], inner.draw(numbers[people], entropy)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """What the reports of each block add up to, block after block."""
        members = np.split(people[self.order], np.cumsum(self.sizes)[:-1])
        parts = zip(self.inner, members, strict=True)
        return np.concatenate([inner.draw_counts(held, generator) for inner, held in parts])

    @property
    def cost(self) -> Cost:
        """The words of the block that needs most, and the draws of all."""
        costs = [inner.cost for inner in self.inner]
        return Cost(max(cost.words_per_report for cost in costs), sum(cost.aggregate_draws for cost in costs))


def check_blocks(blocks: int, most: int) -> None:
    """Refuse more blocks than a report can name."""
    if blocks > most:
        raise CapacityError(f"blocks must be at most {most} for their reports to name them, got {blocks}")
