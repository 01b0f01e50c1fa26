"""What a survey promises about a person's whole answer, part by part, arm by arm and in all."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from ..privacy.composition import composed, implies
from ..privacy.guarantee_json import to_dict
from ..privacy.guarantees import LDP, Guarantee
from ..privacy.levels import added, in_json
from ..say import Statement, english
from .arms import Arm


@dataclass(frozen=True)
class PartPromise:
    """The guarantee of one report, and what it costs: its level between any two answers, infinite if one is open."""

    questions: tuple[str, ...]
    guarantee: Guarantee

    @property
    def level(self) -> float:
        """The level of plain LDP that the guarantee implies; infinite if it protects only some pairs of answers."""
        return self.guarantee.plain

    @property
    def charge(self) -> float:
        """What a ledger counts: the level, or that of the pairs that are protected where others are not."""
        return self.level if self.level < math.inf else self.guarantee.charge


@dataclass(frozen=True)
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
        parts = [part for part in self.parts if question in part.questions]
        guarantees = [part.guarantee if len(part.questions) == 1 else LDP(1.0).at(part.level) for part in parts]
        return composed(guarantees) if guarantees else None


@dataclass(frozen=True)
class Promise:
    """The promise of a survey, whichever arm a device draws: that of the dearest."""

    arms: tuple[ArmPromise, ...]
    questions: tuple[str, ...]
    lifelong: bool = False
    """Whether it is about all that a device ever sends, as it is where reports are remembered, or about one answer."""

    @classmethod
    def of(cls, questions: Iterable[str], arms: Iterable[Arm[Any]], lifelong: bool = False) -> Self:
        """The promise of these arms."""
        parts = (tuple(PartPromise(part.names, part.promised) for part in arm.parts) for arm in arms)
        return cls(tuple(map(ArmPromise, parts)), tuple(questions), lifelong)

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
        weakest: list[Guarantee] = []
        for arm in self.arms:
            one = arm.about(question)
            if one is not None and not any(implies(one, other) for other in weakest):
                weakest = [other for other in weakest if not implies(other, one)] + [one]
        return weakest

    @property
    def open_questions(self) -> tuple[str, ...]:
        """The questions of which something is not protected."""
        return tuple(name for name in self.questions if any(g.plain == math.inf for g in self.about(name)))

    def to_dict(self) -> dict[str, Any]:
        """The promise as plain values for JSON."""
        by_question = {name: [to_dict(guarantee) for guarantee in self.about(name)] for name in self.questions}
        return {"level": in_json(self.level), "charge": self.charge, "questions": by_question}

    @property
    def statement(self) -> Statement:
        """The promise, whatever the language."""
        if self.level < math.inf:
            return Statement("promise_ever" if self.lifelong else "promise_sent", level=self.level)
        return Statement("promise_part", questions=", ".join(self.open_questions), charge=self.charge)

    def __str__(self) -> str:
        return english(self.statement)
