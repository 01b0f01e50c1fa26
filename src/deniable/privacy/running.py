"""The composition of a growing list of guarantees: adding one costs the same, however many there were before.

Sums are kept as the exact decimals that ``composed`` adds, so that both give the same result to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, Self, TypeAlias

from deniable.protocol.privacy.composition import as_pairwise, composed
from deniable.protocol.privacy.context import Blocks, HighLow, Pairwise
from deniable.protocol.privacy.distance import Distance
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.protocol.privacy.informed import InformationPrivacy
from deniable.protocol.privacy.levels import provable
from deniable.protocol.values import Domain

Decimal: TypeAlias = Fraction | float
"""An exact sum of decimals, or infinity."""


class Running:
    """A composition that grows one guarantee at a time; ``spent`` is the composition so far, None before the first.

    >>> import deniable as dn
    >>> running = Running()
    >>> for _ in range(3):
    ...     running.add(dn.LDP(0.1))
    >>> running.spent, running.plus(dn.LDP(0.7))
    (LDP(epsilon=0.3), LDP(epsilon=1.0))
    """

    def __init__(self) -> None:
        self.spent: Guarantee | None = None
        self._parts: list[Guarantee] = []
        self._sums: Sums | None = None

    def plus(self, guarantee: Guarantee) -> Guarantee:
        """The composition of all so far and one more guarantee; changes nothing."""
        return self._with(guarantee)[0]

    def add(self, guarantee: Guarantee) -> None:
        """Add a guarantee to the composition."""
        self.spent, self._sums = self._with(guarantee)
        self._parts.append(guarantee)

    def _with(self, guarantee: Guarantee) -> tuple[Guarantee, Sums | None]:
        if self.spent is None:
            return guarantee, None
        shape = composed([self.spent, guarantee])  # refuses what does not compose, and gives the kind of the sum
        kind = SUMS.get(type(shape))
        if kind is None:
            return composed([*self._parts, guarantee]), None
        sums = self._sums
        if not isinstance(sums, kind):
            sums = kind.none(shape)
            for part in self._parts:
                sums = sums.more(part)
        after = sums.more(guarantee)
        return after.over(shape), after


class Sums(Protocol):
    """An exact running sum of levels that turns into a guarantee of the same kind as a given ``shape``."""

    @classmethod
    def none(cls, shape: Guarantee) -> Self:
        """The sum over no guarantees."""

    def more(self, part: Guarantee) -> Self:
        """The sum with one more guarantee."""

    def over(self, shape: Guarantee) -> Guarantee:
        """The guarantee with the summed level, of the kind of ``shape``."""


@dataclass(frozen=True, slots=True)
class LevelSum:
    """The sum for guarantees that differ only in their level."""

    total: Decimal = Fraction(0)

    @classmethod
    def none(cls, _: Guarantee) -> LevelSum:
        """The sum over no guarantees: zero."""
        return cls()

    def more(self, part: Guarantee) -> LevelSum:
        """The sum with the level of one more guarantee."""
        return LevelSum(self.total + decimal(part.claimed))

    def over(self, shape: Guarantee) -> Guarantee:
        """The shape at the summed level."""
        return shape.at(float(self.total))


@dataclass(frozen=True, slots=True)
class PairSum:
    """The sum for pairwise guarantees, level by level."""

    domain: Domain
    totals: tuple[tuple[Decimal, ...], ...]

    @classmethod
    def none(cls, shape: Guarantee) -> PairSum:
        """Zero for each pair of the domain."""
        domain = shape.order or Domain.of(2)
        return cls(domain, ((Fraction(0),) * len(domain),) * len(domain))

    def more(self, part: Guarantee) -> PairSum:
        """The sum with the levels of one more guarantee, pair by pair."""
        levels = as_pairwise(part, self.domain).matrix
        rows = zip(self.totals, levels, strict=True)
        return PairSum(self.domain, tuple(tuple(t + decimal(e) for t, e in zip(*row, strict=True)) for row in rows))

    def over(self, shape: Guarantee) -> Guarantee:
        """The pairwise guarantee of the sums; those beyond the largest provable level become infinite."""
        return Pairwise(self.domain, provable(map(float, row) for row in self.totals))


@dataclass(frozen=True, slots=True)
class InformedSum:
    """The sum for information privacy, where all levels but the largest count twice, mixed with plain LDP."""

    informed: Decimal = Fraction(0)
    largest: Decimal = Fraction(0)
    plain: Decimal = Fraction(0)

    @classmethod
    def none(cls, _: Guarantee) -> InformedSum:
        """The sum over no guarantees: zero."""
        return cls()

    def more(self, part: Guarantee) -> InformedSum:
        """The sum with one more guarantee, added according to its kind."""
        if not isinstance(part, InformationPrivacy):
            return InformedSum(self.informed, self.largest, self.plain + decimal(part.plain))
        level = decimal(part.epsilon)
        return InformedSum(self.informed + level, max(self.largest, level), self.plain)

    def over(self, shape: Guarantee) -> Guarantee:
        """The same guarantee as ``composed`` gives."""
        total = math.inf if self.informed == math.inf else float(2 * self.informed - self.largest + self.plain)
        return shape.at(total)


def decimal(level: float) -> Decimal:
    """The exact value of the decimal that a level is written as.

    >>> decimal(0.1), decimal(math.inf)
    (Fraction(1, 10), inf)
    """
    return math.inf if level == math.inf else Fraction(repr(float(level)))


SUMS: Mapping[type[Guarantee], type[LevelSum] | type[PairSum] | type[InformedSum]] = {
    **dict.fromkeys((LDP, HighLow, Blocks, Distance), LevelSum), Pairwise: PairSum, InformationPrivacy: InformedSum,
}  # fmt: skip
"""The kind of sum of guarantees that compose to one of these; of others all are composed again."""
