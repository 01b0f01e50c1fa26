"""What a survey promises about a person's whole answer, part by part, arm by arm and in all."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from functools import cached_property
from typing import Any

from deniable.estimation.table import Table
from deniable.mechanisms.repeat.linked import lifetime
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.privacy.composition import composed, implies, local_level
from deniable.privacy.context import Pairwise
from deniable.privacy.decimals import added
from deniable.privacy.each_item import EachItem
from deniable.privacy.guarantee_json import to_dict
from deniable.privacy.guarantees import LDP, Guarantee
from deniable.privacy.informed import UnderPrior
from deniable.protocol.odds import LARGEST
from deniable.surveys.arms import Arm, Part

OPEN = "is not protected"


def up(number: float) -> str:
    """A number with three digits, never less than it is: a bound that is shown must hold.

    >>> up(4.4817), up(2.0)
    ('4.49', '2')
    """
    shown = Decimal(number).normalize(Context(prec=3, rounding=ROUND_CEILING))
    return f"{shown:f}"


@dataclass(frozen=True)
class PartPromise:
    """The guarantee of one report, and what it costs: its level between any two answers, infinite if one is open."""

    questions: tuple[str, ...]
    guarantee: Guarantee

    @cached_property
    def level(self) -> float:
        """The level of plain LDP that the guarantee implies; infinite if it protects only some pairs of answers."""
        return local_level(self.guarantee)

    @property
    def charge(self) -> float:
        """What a ledger counts: the level, or that of the pairs that are protected where others are not."""
        level = self.level
        if level < math.inf:
            return level
        return _largest_finite(self.guarantee)


@dataclass(frozen=True, slots=True)
class ArmPromise:
    """The promise of an arm: of two joint answers the levels of the parts that differ add up."""

    parts: tuple[PartPromise, ...]

    @property
    def level(self) -> float:
        """The sum of the levels of all parts, which all differ between some two answers."""
        return added(*(part.level for part in self.parts))

    @property
    def charge(self) -> float:
        """What a ledger counts for the arm."""
        return added(*(part.charge for part in self.parts))

    def about(self, question: str) -> Guarantee | None:
        """What the arm promises about one question, the answers to all others being equal; None if it does not ask."""
        found = [part.guarantee if len(part.questions) == 1 else LDP(part.level) for part in self._of(question)]
        return composed(found) if found else None

    def _of(self, question: str) -> Iterable[PartPromise]:
        return (part for part in self.parts if question in part.questions)


@dataclass(frozen=True)
class Promise:
    """The promise of a survey, whichever arm a device draws: that of the dearest.

    >>> import deniable as dn
    >>> late = dn.OneOf("late", ["yes", "no"])
    >>> survey = dn.Survey("commute", [late], [dn.Arm(dn.Part(late, dn.RandomizedResponse(["yes", "no"], 1.0)))])
    >>> print(survey.promise)
    Whatever is sent is at most 2.72 times likelier from one person than from another (1-LDP).
    """

    arms: tuple[ArmPromise, ...]
    questions: tuple[str, ...]
    lifelong: bool = False
    """Whether it is about all that a device ever sends, as it is where reports are remembered, or about one answer."""

    @classmethod
    def of(cls, questions: Iterable[str], arms: Iterable[Arm]) -> Promise:
        """The promise of these arms."""
        asked = tuple(arms)
        remembered = any(isinstance(part.mechanism, Remembered) for arm in asked for part in arm.parts)
        return cls(tuple(ArmPromise(tuple(map(_of_part, arm.parts))) for arm in asked), tuple(questions), remembered)

    @cached_property
    def level(self) -> float:
        """The level between any two joint answers; infinite where some question is protected only in part."""
        return max(arm.level for arm in self.arms)

    @cached_property
    def charge(self) -> float:
        """What a device's ledger counts, whatever arm it draws."""
        return max(arm.charge for arm in self.arms)

    @property
    def guarantee(self) -> LDP | None:
        """Plain LDP of whole answers; None where some question is protected only in part."""
        return LDP(1.0).at(self.level) if self.level < math.inf else None

    def about(self, question: str) -> list[Guarantee]:
        """What is promised about one question whatever the arm: of the guarantees of those that ask it, the weakest."""
        found: list[Guarantee] = []
        for arm in self.arms:
            one = arm.about(question)
            if one is not None and not any(implies(one, kept) for kept in found):
                found = [kept for kept in found if not implies(kept, one)] + [one]
        return found

    @property
    def open_questions(self) -> tuple[str, ...]:
        """The questions of which something is not protected."""
        return tuple(name for name in self.questions if any(local_level(g) == math.inf for g in self.about(name)))

    def to_dict(self) -> dict[str, Any]:
        """The promise as plain values for JSON."""
        by_question = {name: [to_dict(guarantee) for guarantee in self.about(name)] for name in self.questions}
        level: float | str = "inf" if self.level == math.inf else self.level
        return {"level": level, "charge": self.charge, "questions": by_question}

    def table(self) -> Table:
        """A row for each question."""
        rows = [(name, " and ".join(map(str, self.about(name)))) for name in self.questions]
        return Table("Promise", ("question", "promised about it alone"), rows, [str(self)])

    def __str__(self) -> str:
        if self.level < math.inf:
            sent = "All that a device ever sends" if self.lifelong else "Whatever is sent"
            times = up(math.exp(min(self.level, LARGEST)))
            return f"{sent} is at most {times} times likelier from one person than from another ({self.level:g}-LDP)."
        open_ones = ", ".join(self.open_questions)
        return (
            f"The whole answer keeps no level of plain LDP: part of what is answered to {open_ones} {OPEN}. "
            f"What is protected costs {self.charge:g}."
        )

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def _of_part(part: Part) -> PartPromise:
    """Of reports that are remembered the cost of a life of them, which is charged once, when a device enrols."""
    m = part.mechanism
    return PartPromise(part.names, lifetime(m) if isinstance(m, Remembered) else m.guarantee)


def _largest_finite(guarantee: Guarantee) -> float:
    """The largest finite level between two values of a guarantee that leaves other pairs open."""
    if isinstance(guarantee, Pairwise):
        return max((level for row in guarantee.matrix for level in row if level < math.inf), default=math.inf)
    if isinstance(guarantee, EachItem):
        return added(*[guarantee.epsilon] * len(guarantee.labels))
    return added(*guarantee.between) if isinstance(guarantee, UnderPrior) else guarantee.claimed
