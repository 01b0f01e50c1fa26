"""What a design tells of each question: by how much it may be off, and the smallest share that can be seen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from deniable.estimation.census import size_of
from deniable.estimation.words import rounded
from deniable.planning.outlook import POWER, TWO_SIDED
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement, english
from deniable.surveys.advising.words import is_nothing, verdict
from deniable.surveys.expectation import Expectation
from deniable.surveys.leads import ShareError
from deniable.surveys.questions.kind import Expected
from deniable.surveys.questions.kinds import companion

HALVINGS: Final = 40
WHOLE: Final = 100
"""Among fewer people one of them is more than 1 in 100: bounds of a census are whole people, half a one further off."""


@dataclass(frozen=True, slots=True)
class QuestionOutlook:
    """What is told of one question.

    ``error`` is half of the 95% interval, of a share or of a mean as a part of the range; ``smallest`` the share that
    is told apart from zero in 4 of 5 such surveys, and ``lead`` by how much the first answer must be ahead to be told
    from the second; None where none is the first.
    """

    question: Question
    error: float
    smallest: float
    lead: float | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is told."""
        return is_nothing(self.error, self.smallest)

    @property
    def is_of_shares(self) -> bool:
        """Whether shares of answers are told, and not a mean."""
        return self.question.own_words or companion(self.question).stated(self.question) is not None

    @property
    def verdict(self) -> str:
        """How good the error and the smallest share are, in words."""
        return english(self.verdict_statement)

    @property
    def verdict_statement(self) -> Statement:
        """``verdict``, in any language."""
        return verdict(self.error, self.smallest)

    @property
    def give_or_take(self) -> str:
        """The error in words: points of a hundred, or a number's own units."""
        return english(self.error_statement)

    @property
    def error_statement(self) -> Phrase:
        """``give_or_take``, in any language."""
        return companion(self.question).amount(self.question, self.error)

    @property
    def seen(self) -> str:
        """The smallest share that is seen, in words."""
        return english(self.seen_statement)

    @property
    def seen_statement(self) -> Statement:
        """``seen``, in any language."""
        if self.smallest >= 1:
            return Statement("nothing")
        return Statement("in_100", share=rounded(100 * self.smallest, 2))

    @property
    def lead_statement(self) -> Phrase:
        """By how much the first answer must be ahead, in words; empty where that is not told."""
        return "" if self.lead is None else Statement("ahead", lead=rounded(100 * self.lead, 2))

    def to_dict(self) -> dict[str, Any]:
        """The figures and the verdict, as plain values."""
        return {"error": self.error, "smallest": self.smallest, "lead": self.lead, "verdict": self.verdict}


def outlooks(questions: tuple[Question, ...], expected: Expectation, level: float) -> tuple[QuestionOutlook, ...]:
    """What is told of each question of a survey, each of which is protected at this level or better."""
    size = size_of(expected.census)
    return tuple(_outlook(question, expected[question.name], size, level) for question in questions)


def _outlook(question: Question, row: Expected, size: float, level: float) -> QuestionOutlook:
    """What is told of a question, from its expected errors; ``size`` is that of the population, or infinite."""
    error = max(row.deciding)
    stated = companion(question).stated(question)
    share = stated if question.guarantee(1.0).alike else None
    people = row.people if row.asked is None else row.asked
    sampling = max(1 / people - 1 / size, 0.0) if people else math.inf
    smallest = (TWO_SIDED + POWER) * error if share is None else _smallest(error, share, sampling)
    lead = companion(question).lead(question, ShareError(error, max(people, 1), size), level)
    rounding = 0.5 / size if stated is not None and size < WHOLE else 0.0
    return QuestionOutlook(
        question, TWO_SIDED * error + rounding, min(smallest, 1.0), None if lead is None or lead >= 1 else lead
    )


def _smallest(error: float, share: float, sampling: float) -> float:
    """The least share whose interval leaves out 0 in 4 of 5 surveys; ``error`` is the standard error of ``share``.

    ``sampling`` times p(1 - p) is the part of the variance that comes from asking these people and no others. Of a
    share of 0 there is none, so that the estimate must be beyond 1.96 times what is left.
    """
    noise = max(error**2 - sampling * share * (1 - share), 0.0)
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        seen_from = TWO_SIDED * math.sqrt(noise) + POWER * math.sqrt(noise + sampling * middle * (1 - middle))
        low, high = (low, middle) if middle >= seen_from else (middle, high)
    return high
