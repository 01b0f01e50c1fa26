"""A guarantee for checklists that protects each label by itself, and whole lists only as far as their labels add up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.privacy.context import check_inputs
from deniable.privacy.decimals import times
from deniable.privacy.guarantees import OneLevel
from deniable.privacy.matrix import Ratio, Rows, largest
from deniable.protocol.checks import check_epsilon
from deniable.protocol.errors import ParameterError
from deniable.values.domain import Domain, DomainLike
from deniable.values.lists import Lists


@dataclass(frozen=True)
class EachItem(OneLevel):
    """Two lists that differ in one label are within e^epsilon; lists that differ in s labels only within e^(s epsilon).

    Each label is protected by itself, the list as a whole hardly: ten labels at epsilon 1 leave a factor of 22,026.

    ``one_sided``: only holding a label is protected. A report is at most e^epsilon times likelier with a label than
    without it; how much likelier it is without the label is not bounded, so that somebody does not hold it may show.

    >>> promise = EachItem(["a", "b", "c"], 1.0)
    >>> promise.claimed, promise.whole, promise.pair_level(0b000, 0b011)
    (1.0, 3.0, 2.0)
    """

    labels: Domain
    epsilon: float
    one_sided: bool

    def __init__(self, labels: DomainLike, epsilon: float, one_sided: bool = False) -> None:
        if not isinstance(one_sided, bool):
            raise ParameterError(f"one_sided must be True or False, got {type(one_sided).__name__}")
        object.__setattr__(self, "labels", Domain.of(labels))
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        object.__setattr__(self, "one_sided", one_sided)

    @cached_property
    def domain(self) -> Domain:
        """All lists of the labels, as tuples in the order of their indices; refused beyond 12 labels."""
        return Lists(self.labels).every()

    @property
    def whole(self) -> float:
        """The level for any two lists: as many times epsilon as there are labels; infinite if one-sided."""
        return math.inf if self.one_sided else times(self.epsilon, len(self.labels))

    def covers(self, other: EachItem) -> bool:
        """Whether this binds every pair of lists that the other does."""
        return self.labels == other.labels and (other.one_sided or not self.one_sided)

    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio between two lists that differ in one label; one-sided that with it to that without it."""
        check_inputs(rows, self.domain)
        return max(self._worst_of(rows, 1 << place) for place in range(len(self.labels)))

    def _worst_of(self, rows: Rows, label: int) -> Ratio:
        """The largest ratio over pairs of lists that differ in one label, given by its bit."""
        lists = np.arange(len(rows.weights))
        without = lists[lists & label == 0]
        more, less = (rows.weights[some].ravel().tolist() for some in (without | label, without))
        found = largest(zip(more, less, strict=True))
        return found if self.one_sided else max(found, largest(zip(less, more, strict=True)))

    def pair_level(self, value: int, other: int) -> float:
        """Epsilon for each label in which two lists differ, these given by their indices.

        One-sided it is infinite where the other list holds a label that the first does not.
        """
        if self.one_sided and other & ~value:
            return math.inf
        return times(self.epsilon, (value ^ other).bit_count())

    def __str__(self) -> str:
        each = f"{self.epsilon:g}-LDP for each of {len(self.labels)} labels by itself"
        if self.one_sided:
            return f"{each}, and only for holding it: that a label is not held may show"
        return f"{each}, {self.whole:g}-LDP for whole lists"
