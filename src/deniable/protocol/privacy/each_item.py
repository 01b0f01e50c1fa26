"""A guarantee for checklists that protects each label by itself, and whole lists only as far as their labels add up."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..checks import check_bool, check_epsilon
from ..errors import CapacityError
from ..say import Statement
from ..values import Domain
from .guarantees import Guarantee, OneLevel, check_inputs
from .levels import added, in_json, times
from .rows import Ratio, Rows, largest

MOST_LISTS = 12
"""Up to so many labels all lists are written out as labels of a domain: 4,096."""
SIDES = {False: "both", True: "holding"}
"""What of a label in a list is protected: whether it is held or not, or only that it is held."""


@dataclass(frozen=True)
class EachItem(OneLevel):
    """Two lists that differ in one label are within e^epsilon; lists that differ in s labels only within e^(s epsilon).

    Each label is protected by itself, the list as a whole hardly: ten labels at epsilon 1 leave a factor of 22,026.

    ``one_sided``: only holding a label is protected. A report is at most e^epsilon times likelier with a label than
    without it; how much likelier it is without the label is not bounded, so that somebody does not hold it may show.

    >>> promise = EachItem(["a", "b", "c"], 1.0)
    >>> promise.claimed, promise.plain, promise.pair_level(0b000, 0b011)
    (1.0, 3.0, 2.0)
    """

    domain = None
    by_label = True
    labels: Domain
    epsilon: float
    one_sided: bool

    def __init__(self, labels: Any, epsilon: float, one_sided: bool = False) -> None:
        object.__setattr__(self, "labels", Domain.of(labels))
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        object.__setattr__(self, "one_sided", check_bool("one_sided", one_sided))

    @cached_property
    def order(self) -> Domain:
        """All lists of the labels, as tuples in the order of their indices; refused beyond 12 labels."""
        d = len(self.labels)
        if d > MOST_LISTS:
            raise CapacityError(f"lists must be of at most {MOST_LISTS} labels to be written out, got {d}")
        lists = (tuple(self.labels[place] for place in range(d) if held >> place & 1) for held in range(1 << d))
        return Domain(1 << d, tuple(lists))

    @property
    def plain(self) -> float:
        return math.inf if self.one_sided else self.charge

    @property
    def charge(self) -> float:
        """As many times epsilon as there are labels, added as decimals."""
        return times(self.epsilon, len(self.labels))

    def covers(self, other: EachItem) -> bool:
        """Whether this binds every pair of lists that the other does."""
        return self.labels == other.labels and (other.one_sided or not self.one_sided)

    def follows_from(self, stronger: Guarantee) -> bool:
        if isinstance(stronger, EachItem):
            return stronger.covers(self) and stronger.epsilon <= self.epsilon
        return super().follows_from(stronger)

    def summed(self, parts: Sequence[Guarantee]) -> Guarantee | None:
        """The sum of the levels, one-sided if a part is; None unless all parts are of these labels."""
        items = [part for part in parts if isinstance(part, EachItem) and part.labels == self.labels]
        if len(items) < len(parts):
            return None
        weakest = next((part for part in items if part.one_sided), self)
        return weakest.at(added(*(part.epsilon for part in items)))

    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio between two lists that differ in one label; one-sided that with it to that without it."""
        check_inputs(rows, self.order)
        return largest(self._neighbours(rows.listed()))

    def _neighbours(self, weights: list[list[int]]) -> Iterator[tuple[int, int]]:
        """The weights of each report from two lists that differ in one label, first the one that the other bounds."""
        for place in range(len(self.labels)):
            for held, with_label in enumerate(weights):
                if held >> place & 1:
                    without = weights[held ^ 1 << place]
                    yield from zip(with_label, without, strict=True)
                    yield from () if self.one_sided else zip(without, with_label, strict=True)

    def pair_level(self, value: int, other: int) -> float:
        """Epsilon for each label in which two lists differ, these given by their indices.

        One-sided it is infinite where the other list holds a label that the first does not.
        """
        if self.one_sided and other & ~value:
            return math.inf
        return times(self.epsilon, (value ^ other).bit_count())

    def to_dict(self) -> dict[str, Any]:
        fields = {"each_item": SIDES[self.one_sided], "epsilon": in_json(self.epsilon)}
        return {"domain": self.labels.to_json(), **fields}

    @property
    def called(self) -> Statement:
        values = {"level": self.epsilon, "count": len(self.labels)}
        return Statement("ldp_items_held", **values) if self.one_sided else Statement(
            "ldp_items", **values, far=self.plain
        )  # fmt: skip

    @property
    def promised(self) -> Statement:
        return Statement("listed_held" if self.one_sided else "listed", level=self.epsilon)

    @property
    def belief(self) -> tuple[str, float]:
        return "belief_item_held" if self.one_sided else "belief_item", self.epsilon

    @property
    def hides_every(self) -> bool:
        """True: no report tells for certain that a label is held."""
        return True

    def left_open(self, of: Statement) -> Iterator[Statement]:
        if self.one_sided:
            yield Statement("open_absence", of=of)
        else:
            yield Statement("open_lists", of=of, count=len(self.labels), level=self.plain)

    def __str__(self) -> str:
        each = f"{self.epsilon:g}-LDP for each of {len(self.labels)} labels by itself"
        if self.one_sided:
            return f"{each}, and only for holding it: that a label is not held may show"
        return f"{each}, {self.plain:g}-LDP for whole lists"
