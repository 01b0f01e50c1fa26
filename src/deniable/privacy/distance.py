"""A guarantee by distance: values near each other are hidden among each other, far ones may be told apart."""

from __future__ import annotations

from dataclasses import dataclass

from deniable.privacy.context import check_inputs
from deniable.privacy.decimals import times
from deniable.privacy.guarantees import OneLevel
from deniable.privacy.matrix import Ratio, Rows, largest
from deniable.protocol.checks import check_epsilon
from deniable.values.domain import Domain, DomainLike


@dataclass(frozen=True)
class Distance(OneLevel):
    """Labels that stand k places apart are within e^(k epsilon): epsilon is the level of neighbours, or per unit.

    Neighbours are enough. A ratio between labels k apart is the product of k ratios between neighbours, report by
    report, so that these bound it by e^(k epsilon); and no pair may do without its own bound, as any two that are
    next to each other are k = 1 apart.

    >>> promise = Distance(Domain.between(18, 120), 0.1)
    >>> promise.claimed, promise.pair_level(12, 22), promise.whole
    (0.1, 1.0, 10.2)
    """

    domain: Domain
    epsilon: float

    def __init__(self, domain: DomainLike, epsilon: float) -> None:
        object.__setattr__(self, "domain", Domain.of(domain))
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))

    @property
    def whole(self) -> float:
        """The level of the first and the last label, the largest of any pair: what the whole scale costs."""
        return times(self.epsilon, len(self.domain) - 1)

    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio between neighbours, in either direction."""
        weights = check_inputs(rows, self.domain).weights
        below, above = weights[:-1].ravel().tolist(), weights[1:].ravel().tolist()
        return max(largest(zip(below, above, strict=True)), largest(zip(above, below, strict=True)))

    def pair_level(self, value: int, other: int) -> float:
        """Epsilon for each unit between two labels, these given by their places."""
        return times(self.epsilon, abs(value - other))

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LDP per unit of distance, {self.whole:g}-LDP over {len(self.domain)} labels"
