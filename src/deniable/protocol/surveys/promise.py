"""What a survey promises about a person's whole answer, part by part, arm by arm and in all."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from functools import cached_property

from ..mechanisms.remembered import Remembered
from ..privacy.composition import composed, implies
from ..privacy.guarantees import LDP, Guarantee
from ..privacy.levels import added
from .arms import Arm, Part


def up(number: float) -> str:
    """A number with three digits, never less than it is: a bound that is shown must hold.

    >>> up(4.4817), up(2.0)
    ('4.49', '2')
    """
    return f"{Decimal(number).normalize(Context(prec=3, rounding=ROUND_CEILING)):f}"


@dataclass(frozen=True)
class PartPromise:
    """The guarantee of one report; of reports that are remembered that of a whole life of them."""

    questions: tuple[str, ...]
    guarantee: Guarantee

    @property
    def charge(self) -> float:
        """What a ledger counts: the level, or that of the pairs that are protected where others are not."""
        return self.guarantee.plain if self.guarantee.plain < math.inf else self.guarantee.charge


@dataclass(frozen=True)
class ArmPromise:
    """The promise of an arm: of two joint answers the levels of the parts that differ add up."""

    parts: tuple[PartPromise, ...]

    @property
    def level(self) -> float:
        """The sum of the levels of all parts."""
        return added(*(part.guarantee.plain for part in self.parts))

    @property
    def charge(self) -> float:
        """What a ledger counts for the arm."""
        return added(*(part.charge for part in self.parts))

    def about(self, question: str) -> Guarantee | None:
        """What the arm promises about one question, the answers to all others being equal; None if it does not ask."""
        own = [part for part in self.parts if question in part.questions]
        found = [part.guarantee if len(part.questions) == 1 else LDP(part.guarantee.plain) for part in own]
        return composed(found) if found else None


class Promise:
    """The promise of a survey, whichever arm a device draws: that of the dearest."""

    def __init__(self, arms: Iterable[Arm]) -> None:
        self.arms = tuple(ArmPromise(tuple(map(_of_part, arm.parts))) for arm in arms)

    @cached_property
    def level(self) -> float:
        """The level between any two joint answers; infinite where some question is protected only in part."""
        return max(arm.level for arm in self.arms)

    @cached_property
    def charge(self) -> float:
        """What a device's ledger counts, whatever arm it draws."""
        return max(arm.charge for arm in self.arms)

    def about(self, question: str) -> list[Guarantee]:
        """What is promised about one question whatever the arm: of the guarantees of those that ask it, the weakest."""
        found: list[Guarantee] = []
        for arm in self.arms:
            one = arm.about(question)
            if one is not None and not any(implies(one, kept) for kept in found):
                found = [kept for kept in found if not implies(kept, one)] + [one]
        return found


def _of_part(part: Part) -> PartPromise:
    m = part.mechanism
    return PartPromise(part.names, m.life if isinstance(m, Remembered) else m.guarantee)
