"""Guarantees: what a mechanism promises about pairs of values, judged on exact rows of weights.

Those about averages and crowds are not here: nobody can hold a single report against them.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from ..values import Domain
from .levels import closed, times
from .rows import Ratio, Rows, within

G = TypeVar("G", bound="OneLevel")


class Guarantee(ABC):
    """A promise about pairs of values: how well a report may tell which of the two it came from."""

    domain: Domain | None
    """The labels that it is about; None if it is for any."""

    @property
    @abstractmethod
    def claimed(self) -> float:
        """The level as one number: the largest of all the pairs that the guarantee binds."""

    @abstractmethod
    def pair_level(self, value: int, other: int) -> float:
        """The largest log ratio by which a report may favour ``value`` over ``other``; infinite if it is not bound."""

    @property
    @abstractmethod
    def plain(self) -> float:
        """The level of plain LDP that it implies; infinite if it protects only some pairs."""

    @property
    @abstractmethod
    def charge(self) -> float:
        """The largest finite level between two values: what a ledger counts where other pairs are not protected."""


class Provable(Guarantee):
    """A guarantee that a written-out channel may claim."""

    @abstractmethod
    def judge(self, rows: Rows) -> bool:
        """Whether exact rows are proven to keep the guarantee."""


@dataclass(frozen=True)
class OneLevel(Guarantee):
    """A guarantee with one level, epsilon, for every pair that it binds."""

    epsilon: float

    @property
    def claimed(self) -> float:
        """Epsilon."""
        return self.epsilon

    @property
    def charge(self) -> float:
        """Epsilon."""
        return self.epsilon

    def at(self: G, epsilon: float) -> G:
        """The same guarantee at another level."""
        return replace(self, epsilon=epsilon)


class OneRatio(OneLevel, Provable):
    """One level that the worst ratio of a channel decides."""

    def judge(self, rows: Rows) -> bool:
        """By the worst ratio, compared with e^epsilon."""
        return within(self.worst(rows), self.epsilon)

    @abstractmethod
    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio among those that the guarantee bounds."""


@dataclass(frozen=True)
class LDP(OneRatio):
    """No report is more than e^epsilon times likelier from one value than from another."""

    domain = None

    def worst(self, rows: Rows) -> Ratio:
        """Over all pairs of values."""
        return rows.worst_ratio(range(len(rows.weights)), range(len(rows.weights)))

    def pair_level(self, value: int, other: int) -> float:
        """Epsilon for every pair."""
        return self.epsilon

    @property
    def plain(self) -> float:
        """Epsilon."""
        return self.epsilon

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LDP"


@dataclass(frozen=True)
class Pairwise(Provable):
    """A level for each ordered pair of labels, 0 and infinity too."""

    domain: Domain
    matrix: tuple[tuple[float, ...], ...]

    @property
    def claimed(self) -> float:
        """The largest level of any pair."""
        return max(map(max, self.matrix))

    def judge(self, rows: Rows) -> bool:
        """Pair by pair."""
        each = range(len(self.domain))
        return all(within(rows.worst_ratio([x], [z]), self.matrix[x][z]) for x in each for z in each if x != z)

    def pair_level(self, value: int, other: int) -> float:
        """The entry of the matrix."""
        return self.matrix[value][other]

    @property
    def plain(self) -> float:
        """The largest level, by way of third labels where that is shorter."""
        return max(map(max, closed(self.matrix)))

    @property
    def charge(self) -> float:
        """The largest finite level."""
        return max((level for row in self.matrix for level in row if level < math.inf), default=math.inf)

    def __str__(self) -> str:
        beside = [level for x, row in enumerate(self.matrix) for z, level in enumerate(row) if x != z]
        return f"pairwise LDP over {len(self.domain)} labels, levels {min(beside):g} to {max(beside):g}"


@dataclass(frozen=True)
class HighLow(OneRatio):
    """A report is at most e^epsilon times likelier from a sensitive label than from any other."""

    domain: Domain
    places: tuple[int, ...]
    """Which labels are sensitive, ascending."""

    def worst(self, rows: Rows) -> Ratio:
        """Of sensitive labels over all."""
        return rows.worst_ratio(self.places, range(len(rows.weights)))

    def pair_level(self, value: int, other: int) -> float:
        """Epsilon if the value is sensitive."""
        return self.epsilon if value in self._held else math.inf

    @cached_property
    def _held(self) -> frozenset[int]:
        return frozenset(self.places)

    @property
    def plain(self) -> float:
        """Infinite, unless all labels are sensitive."""
        return self.epsilon if len(self.places) == len(self.domain) else math.inf

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LDP for {len(self.places)} sensitive of {len(self.domain)} labels"


@dataclass(frozen=True)
class Blocks(OneRatio):
    """Labels of one block cannot be told apart beyond e^epsilon; the block is not protected."""

    domain: Domain
    places: tuple[tuple[int, ...], ...]
    """The labels of each block."""

    def worst(self, rows: Rows) -> Ratio:
        """Within each block."""
        return max(rows.worst_ratio(block, block) for block in self.places)

    def pair_level(self, value: int, other: int) -> float:
        """Epsilon for two labels of one block."""
        return self.epsilon if self._block_of[value] == self._block_of[other] else math.inf

    @cached_property
    def _block_of(self) -> dict[int, int]:
        return {place: number for number, block in enumerate(self.places) for place in block}

    @property
    def plain(self) -> float:
        """Infinite, unless there is one block."""
        return self.epsilon if len(self.places) == 1 else math.inf

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LDP within {len(self.places)} blocks of {len(self.domain)} labels"


@dataclass(frozen=True)
class Distance(OneRatio):
    """Labels that stand k places apart are within e^(k epsilon); neighbours decide, as ratios multiply."""

    domain: Domain

    def worst(self, rows: Rows) -> Ratio:
        """Over all neighbours."""
        pairs = [[x, x + 1] for x in range(len(rows.weights) - 1)]
        return max(rows.worst_ratio(pair, pair) for pair in pairs)

    def pair_level(self, value: int, other: int) -> float:
        """Epsilon for each place between them."""
        return times(self.epsilon, abs(value - other))

    @property
    def plain(self) -> float:
        """The level of the first and the last label."""
        return times(self.epsilon, len(self.domain) - 1)

    @property
    def charge(self) -> float:
        """The same: what the whole scale costs."""
        return self.plain

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LDP per unit of distance, {self.plain:g}-LDP over {len(self.domain)} labels"


@dataclass(frozen=True)
class EachItem(OneLevel):
    """Two lists that differ in one label are within e^epsilon; one-sided only holding a label is protected.

    No channel claims it, since none is written out over lists.
    """

    labels: Domain
    one_sided: bool
    domain = None

    def pair_level(self, value: int, other: int) -> float:
        """Epsilon for each label in which two lists differ, these given by the bits of their labels."""
        if self.one_sided and other & ~value:
            return math.inf
        return times(self.epsilon, (value ^ other).bit_count())

    @property
    def plain(self) -> float:
        """As many times epsilon as there are labels; infinite if one-sided."""
        return math.inf if self.one_sided else times(self.epsilon, len(self.labels))

    @property
    def charge(self) -> float:
        """As many times epsilon as there are labels, added as decimals."""
        return times(self.epsilon, len(self.labels))

    def __str__(self) -> str:
        each = f"{self.epsilon:g}-LDP for each of {len(self.labels)} labels by itself"
        if self.one_sided:
            return f"{each}, and only for holding it: that a label is not held may show"
        return f"{each}, {self.plain:g}-LDP for whole lists"
