"""How well a survey protects, in one voice: all that any face says of it is a statement from here.

It is over all that a device will ever send: what a guess as likely as not can become at most decides the grade. Nothing
more reassuring is said anywhere, and an audit judges each of these statements from the realised channel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Self

from ..say import READABLE, Statement, outwards
from .document import Document

EVEN: Final = 0.5
"""A guess that is as likely right as wrong."""
GRADES: Final = {"strong": 0.75, "middling": 0.9, "weak": 0.96}
"""What an even guess becomes at most under a protection of each grade; beyond the last one it is weaker than weak."""
BEYOND: Final = "beyond"


@dataclass(frozen=True)
class Protection:
    """The level of all that a device will ever send, infinite where some answer can be told for certain.

    >>> Protection(1.0).grade, Protection(2.0).grade, Protection(3.0).grade, Protection(4.0).grade
    ('strong', 'middling', 'weak', 'beyond')
    """

    level: float
    forgets: bool = False
    """Whether a device may be made to answer again, as if it had not: what holds then is of each answer by itself."""

    @classmethod
    def of(cls, document: Document[Any]) -> Self:
        """That of a survey, whatever a device draws and however often it answers."""
        forgets = document.carrier is not None or document.kiosk
        return cls(document.level_in_all if document.promise.level < math.inf else math.inf, forgets)

    @classmethod
    def mixed(cls, document: Document[Any]) -> Self:
        """In a crowd that of the mixed answers of a period, against whoever sees them alone, as the document states."""
        if document.crowd is None or document.crowd.belief is None:
            raise TypeError("a survey must have a crowd here, got one without")
        return cls(document.crowd.belief)

    @property
    def grade(self) -> str:
        """How strong it is, as the keys of its sentences end."""
        return grade_of(believed(self.level))

    @property
    def name(self) -> Statement:
        """How strong it is, in a word."""
        return Statement(f"grade_{self.grade}")

    @property
    def certified(self) -> Statement:
        """What an audit says of it."""
        key = "certified_protection_each" if self.forgets else "certified_protection"
        return Statement(key, grade=self.name, guess=self.guess())

    @property
    def hint(self) -> Statement:
        """What that means to somebody who was asked."""
        return Statement("hint_part" if self.level == math.inf else f"hint_{self.grade}")

    @property
    def clue(self) -> Statement:
        """The same within a sentence."""
        return Statement(f"clue_{self.grade}")

    def guess(self, before: float = EVEN) -> Statement:
        """What a guess at somebody's answers can become."""
        if self.level == math.inf:
            return Statement("guess_certain")
        if self.level > READABLE:
            return Statement("guess_nearly_certain", before=before)
        return Statement("guess_becomes", before=before, most=self.most(before))

    def during(self, period: Statement, before: float = EVEN) -> Statement:
        """What a guess can become by what is sent in one period, of which this is the protection."""
        if self.level > READABLE:
            return self.guess(before)
        return Statement("guess_becomes_during", before=before, most=self.most(before), during=period)

    def most(self, before: float = EVEN) -> float:
        """The share of guesses that are right at most afterwards, rounded up; 1 where nothing bounds it.

        >>> Protection(1.0).most(), Protection(8.0).most(), Protection(1.0).most(0.01)
        (0.74, 0.9997, 0.03)
        """
        return outwards(believed(self.level, before), up=True)


def crowd_hints(document: Document[Any], during: Statement | str) -> Statement:
    """Both levels of a crowd, of which none is said without the other.

    They are of whoever sees the mixed answers alone, as the document states it of one period, and of whoever sees all.
    """
    alone, together = Protection.mixed(document), Protection.of(document)
    return Statement(
        "crowd_hints", owner=document.owner, during=during, before=EVEN, alone=alone.clue, most=alone.most(),
        together=together.clue, all=together.most(),
    )  # fmt: skip


def believed(level: float, before: float = EVEN) -> float:
    """A belief whose odds are multiplied by e^level."""
    return before / (before + (1 - before) * math.exp(-level))


def grade_of(even: float) -> str:
    """How strong a protection is under which an even guess becomes so sure."""
    return next((name for name, most in GRADES.items() if even <= most), BEYOND)
