"""How far made-up answers can move the result of one question."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deniable.estimation.words import points
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement, english
from deniable.surveys.document import Document
from deniable.surveys.part_errors import mean_points
from deniable.theory.numbers.points import worth_of


@dataclass(frozen=True, slots=True)
class QuestionShift:
    """How far made-up answers move the result of one question."""

    name: str
    wording: str
    """The question in words; its name if it has none."""
    shift: float
    """The part of all people by which a share moves at most; of a number the part of its range, for the mean."""
    moved: Phrase
    """The shift in points or in units; empty for a number whose mean was not asked for."""
    of_mean: bool
    """Whether it is the mean of a number that moves, and not a share."""

    @property
    def what(self) -> Statement:
        """What moves."""
        return Statement("the_mean_word") if self.of_mean else Statement("a_share")

    @property
    def words(self) -> str:
        """What moves, and by how much."""
        return english(self.statement)

    @property
    def statement(self) -> Statement:
        """``words``, in any language."""
        if not self.moved:
            return Statement("no_mean_is_told")
        return Statement("moves_by_up_to", what=self.what, amount=self.moved)


def share_shift(survey: Document, question: Question, share: float) -> QuestionShift:
    """How far a label's share moves if a ``share`` of all answers is made up: by the report that counts for most."""
    leverages = [
        part.mechanism.law.leverage * survey.total_weight / arm.weight
        for arm in survey.arms
        for part in arm.parts
        if question.name in part.estimable
    ]
    shift = min(1.0, max(leverages, default=0.0) * share)
    moved = Statement("points", points=points(shift))
    return QuestionShift(question.name, question.wording or question.name, shift, moved, of_mean=False)


def mean_shift(survey: Document, question: str, share: float) -> float:
    """How far the mean of a number moves, as a part of its range; 0 where the mean was not asked for.

    By reports that are all worth most, while honest people have the number that is farthest from it.
    """
    parts = [
        (arm.weight, part.mechanism)
        for arm in survey.arms
        for part in arm.parts
        if question in part.names and mean_points(part)
    ]
    if not parts:
        return 0.0
    asked = sum(weight for weight, _ in parts) / survey.total_weight
    farthest = float(np.abs(worth_of(parts[0][1].channel().probabilities)).max())
    made_up = share / (asked * (1 - share) + share)
    return min(1.0, (1 + farthest) / 2 * made_up)
