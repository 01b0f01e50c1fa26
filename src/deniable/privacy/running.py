"""What reports promise together, kept as they come: one more costs the same, however many there were before.

Sums are kept as the exact decimals that ``composed`` adds, so that both say the same to the last digit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, Self, TypeAlias

import numpy as np

from deniable.privacy.composition import as_pairwise, composed, local_level
from deniable.privacy.context import Blocks, HighLow, Pairwise
from deniable.privacy.exponential import LARGEST
from deniable.privacy.guarantees import LDP, Guarantee, OneLevel
from deniable.privacy.informed import InformationPrivacy
from deniable.values.domain import Domain

Decimal: TypeAlias = Fraction | float
"""A sum of decimals, exactly; or infinity."""


class Running:
    """A composition that grows by one guarantee at a time; ``spent`` is that of all so far, None before the first.

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
        """What all so far and one more would promise together."""
        return self._with(guarantee)[0]

    def add(self, guarantee: Guarantee) -> None:
        """One more."""
        self.spent, self._sums = self._with(guarantee)
        self._parts.append(guarantee)

    def _with(self, guarantee: Guarantee) -> tuple[Guarantee, Sums | None]:
        if self.spent is None:
            return guarantee, None
        shape = composed([self.spent, guarantee])  # refuses what does not add, and tells the kind of the sum
        kind = _kind(shape)
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
    """Exact sums of guarantees, and the guarantee that they make of a ``shape``, one of its kind at another level."""

    @classmethod
    def none(cls, shape: Guarantee) -> Self:
        """Of no guarantees."""

    def more(self, part: Guarantee) -> Self:
        """With one more."""

    def over(self, shape: Guarantee) -> Guarantee:
        """The guarantee."""


@dataclass(frozen=True, slots=True)
class LevelSum:
    """Of guarantees that differ in their level only."""

    total: Decimal = Fraction(0)

    @classmethod
    def none(cls, _: Guarantee) -> LevelSum:
        """Nothing."""
        return cls()

    def more(self, part: Guarantee) -> LevelSum:
        """Levels add."""
        return LevelSum(self.total + decimal(part.claimed))

    def over(self, shape: Guarantee) -> Guarantee:
        """At the summed level."""
        return shape.at(float(self.total)) if isinstance(shape, OneLevel) else shape


@dataclass(frozen=True, slots=True)
class PairSum:
    """Of levels for each pair."""

    domain: Domain
    totals: tuple[tuple[Decimal, ...], ...]

    @classmethod
    def none(cls, shape: Guarantee) -> PairSum:
        """Nothing for each pair of the domain."""
        domain = shape.domain if isinstance(shape, Pairwise) else Domain.of(2)
        return cls(domain, ((Fraction(0),) * len(domain),) * len(domain))

    def more(self, part: Guarantee) -> PairSum:
        """Levels add, pair by pair."""
        levels = as_pairwise(part, self.domain).matrix
        rows = zip(self.totals, levels, strict=True)
        return PairSum(self.domain, tuple(tuple(t + decimal(e) for t, e in zip(*row, strict=True)) for row in rows))

    def over(self, shape: Guarantee) -> Guarantee:
        """What grew beyond proof promises nothing."""
        levels = np.array([[float(total) for total in row] for row in self.totals])
        return Pairwise(self.domain, np.where(levels > LARGEST, math.inf, levels))


@dataclass(frozen=True, slots=True)
class InformedSum:
    """Of levels of information privacy, which count twice but the largest, and of plain ones."""

    informed: Decimal = Fraction(0)
    largest: Decimal = Fraction(0)
    plain: Decimal = Fraction(0)

    @classmethod
    def none(cls, _: Guarantee) -> InformedSum:
        """Nothing."""
        return cls()

    def more(self, part: Guarantee) -> InformedSum:
        """By its kind."""
        if not isinstance(part, InformationPrivacy):
            return InformedSum(self.informed, self.largest, self.plain + decimal(local_level(part)))
        level = decimal(part.epsilon)
        return InformedSum(self.informed + level, max(self.largest, level), self.plain)

    def over(self, shape: Guarantee) -> Guarantee:
        """As ``composed``."""
        total = math.inf if self.informed == math.inf else float(2 * self.informed - self.largest + self.plain)
        return shape.at(total) if isinstance(shape, OneLevel) else shape


def decimal(level: float) -> Decimal:
    """The decimal that a level is written as.

    >>> decimal(0.1), decimal(math.inf)
    (Fraction(1, 10), inf)
    """
    return math.inf if level == math.inf else Fraction(repr(float(level)))


def _kind(shape: Guarantee) -> type[LevelSum] | type[PairSum] | type[InformedSum] | None:
    """How guarantees that compose to this one are summed up; None where all must be looked at again."""
    if type(shape) is InformationPrivacy:
        return InformedSum
    if isinstance(shape, Pairwise):
        return PairSum
    return LevelSum if isinstance(shape, LDP | HighLow | Blocks) else None
