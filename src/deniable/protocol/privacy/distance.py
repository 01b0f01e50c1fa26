"""A guarantee by distance: values near each other are hidden among each other, far ones may be told apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

from ..checks import check_epsilon
from ..say import Statement
from ..values import Domain
from .guarantees import Guarantee, OneLevel, check_inputs
from .levels import times
from .rows import Ratio, Rows, largest

FAR = 10
"""Of answers in an order it is also said how well one so many places away is protected."""


@dataclass(frozen=True)
class Distance(OneLevel):
    """Labels that stand k places apart are within e^(k epsilon): epsilon is the level of neighbours, or per unit.

    Neighbours are enough. A ratio between labels k apart is the product of k ratios between neighbours, report by
    report, so that these bound it by e^(k epsilon); and no pair may do without its own bound, as any two that are
    next to each other are k = 1 apart.

    >>> promise = Distance(Domain.between(18, 120), 0.1)
    >>> promise.claimed, promise.pair_level(12, 22), promise.plain
    (0.1, 1.0, 10.2)
    """

    by_distance = True
    domain: Domain
    epsilon: float

    def __init__(self, domain: Any, epsilon: float) -> None:
        object.__setattr__(self, "domain", Domain.of(domain))
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))

    @property
    def plain(self) -> float:
        """The level of the first and the last label, the largest of any pair: what the whole scale costs."""
        return times(self.epsilon, len(self.domain) - 1)

    @property
    def charge(self) -> float:
        return self.plain

    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio between neighbours, in either direction."""
        weights = check_inputs(rows, self.domain).listed()
        up = chain.from_iterable(zip(row, following, strict=True) for row, following in pairwise(weights))
        down = chain.from_iterable(zip(following, row, strict=True) for row, following in pairwise(weights))
        return largest(chain(up, down))

    def pair_level(self, value: int, other: int) -> float:
        return times(self.epsilon, abs(value - other))

    def level_among(self, places: Sequence[int], domain: Domain) -> float:
        """That of the two that are farthest apart."""
        return self.pair_level(min(places), max(places)) if self.domain == domain else math.inf

    def protects(self, wanted: Guarantee) -> bool:
        return True

    @property
    def fields(self) -> dict[str, Any]:
        return {"per_unit": True}

    @property
    def called(self) -> Statement:
        return Statement("ldp_distance", level=self.epsilon, count=len(self.domain), far=self.plain)

    @property
    def promised(self) -> Statement:
        away = min(FAR, len(self.domain) - 1)
        if away == 1:
            return Statement("near", level=self.epsilon)
        return Statement("near_far", level=self.epsilon, far=self.pair_level(0, away), count=away)

    @property
    def belief(self) -> tuple[str, float]:
        return "belief_near", self.epsilon

    def left_open(self, of: Statement) -> Iterator[Statement]:
        yield Statement("open_far", of=of, level=self.plain)

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LDP per unit of distance, {self.plain:g}-LDP over {len(self.domain)} labels"
