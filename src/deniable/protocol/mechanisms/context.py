"""What context-aware mechanisms share: labels with the sensitive ones first, and labels in blocks."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, Self

from ..canonical import Spec
from ..checks import check_epsilon, check_int
from ..errors import CapacityError, ParameterError
from ..privacy.context import Blocks, HighLow
from ..values import Domain
from .mechanism import Mechanism

MOST_ROWS = 1 << 20
"""The most labels of a mechanism that stores numbers per label."""
MOST_BLOCKS = 1 << 16
"""The most blocks that a report can name."""


class HighLowMechanism(Mechanism):
    """Protects s sensitive labels; labels are numbered with the sensitive ones first, in the domain's order."""

    def __init__(self, domain: Domain, sensitive: Any, epsilon: float, **parameters: int | None) -> None:
        check_rows(domain)
        places = tuple(check_int("sensitive", place, 0, len(domain) - 1) for place in sensitive)
        if not places or list(places) != sorted(set(places)):
            raise ParameterError(f"sensitive must be places of labels, ascending, at least one, got {list(places)[:9]}")
        super().__init__(domain, epsilon=check_epsilon(epsilon), sensitive=list(places), **parameters)
        self.d, self.s = len(domain), len(places)
        self.epsilon: float = self.parameters["epsilon"]
        self.guarantee = HighLow(domain, [domain[place] for place in places], self.epsilon)
        sensitive_places = set(places)
        order = [*places, *(place for place in range(self.d) if place not in sensitive_places)]
        self._rank = {place: number for number, place in enumerate(order)}

    @classmethod
    def of(cls, spec: Spec) -> Self:
        return cls(Domain.from_json(spec["domain"]), spec["sensitive"], spec["epsilon"])

    def rank(self, value: int) -> int:
        """A label's number."""
        return self._rank[value]


class BlockMechanism(Mechanism):
    """Tells the block of a label and hides which label of it."""

    def __init__(self, domain: Domain, blocks: tuple[tuple[int, ...], ...], epsilon: float, **parameters: Any) -> None:
        order = [place for block in blocks for place in block]
        order_field = {} if order == list(range(len(domain))) else {"order": order}
        self.sizes = tuple(map(len, blocks))
        super().__init__(domain, epsilon=check_epsilon(epsilon), sizes=list(self.sizes), **order_field, **parameters)
        self.epsilon: float = self.parameters["epsilon"]
        self.guarantee = Blocks([[domain[place] for place in block] for block in blocks], self.epsilon, domain)
        self._place = {label: (b, number) for b, block in enumerate(blocks) for number, label in enumerate(block)}

    def place(self, value: int) -> tuple[int, int]:
        """The block of a label, and its number there."""
        return self._place[value]


def read_sizes(spec: Spec) -> tuple[Domain, tuple[tuple[int, ...], ...]]:
    """The domain of a spec, and its blocks as places of labels."""
    domain = Domain.from_json(spec["domain"])
    check_rows(domain)
    sizes = [check_int("sizes", size, 1) for size in spec["sizes"]]
    order = [check_int("order", place, 0) for place in spec.get("order", range(len(domain)))]
    if sum(sizes) != len(domain):
        raise ParameterError(f"sizes must add up to the number of labels, {len(domain)}, got {sum(sizes)}")
    blocks = tuple(tuple(order[end - size : end]) for size, end in zip(sizes, accumulate(sizes), strict=True))
    if sorted(order) != list(range(len(domain))):
        raise ParameterError(f"order must hold every label of the domain once, got {len(set(order))} of {len(domain)}")
    return domain, blocks


def check_rows(domain: Domain) -> None:
    """Refuse more labels than a mechanism that stores numbers per label may have."""
    if len(domain) > MOST_ROWS:
        raise CapacityError(f"domain must hold at most {MOST_ROWS} labels here, got {len(domain)}")


def check_blocks(blocks: int) -> None:
    """Refuse more blocks than a report can name."""
    if blocks > MOST_BLOCKS:
        raise CapacityError(f"blocks must be at most {MOST_BLOCKS} for their reports to name them, got {blocks}")
