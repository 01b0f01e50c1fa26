"""What made-up answers can do to the results of a survey: how far they move a share or a mean at most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable.checks import check_shares
from deniable.estimation.frame import Frame
from deniable.estimation.table import Table
from deniable.estimation.words import points, rounded
from deniable.protocol.questions.number import Number, Point
from deniable.protocol.questions.question import Question
from deniable.surveys.document import Document
from deniable.surveys.questions.number_errors import amount, range_of
from deniable.theory.numbers.points import worth_of


@dataclass(frozen=True, slots=True)
class QuestionShift:
    """How far made-up answers move the result of one question."""

    name: str
    wording: str
    """The question in words; its name if it has none."""
    shift: float
    """The part of all people by which a share moves at most; of a number the part of its range, for the mean."""
    moved: str
    """The same in points or in units; empty for a number whose mean was not asked for."""
    of_mean: bool
    """Whether it is the mean of a number that moves, and not a share."""

    @property
    def what(self) -> str:
        """What moves."""
        return "the mean" if self.of_mean else "a share"

    @property
    def words(self) -> str:
        """What moves, and by how much."""
        return f"{self.what} moves by up to {self.moved}" if self.moved else "no mean is told"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Manipulation(Frame):
    """What happens to each question if a ``share`` of all answers is made up, all alike, by who knows the survey.

    >>> import deniable as dn
    >>> way = dn.OneOf("way", ["car", "bus"])
    >>> survey = dn.Survey("commute", [way], [dn.Arm([dn.Part([way], dn.RandomizedResponse(["car", "bus"], 1.0))])])
    >>> print(survey.manipulation(0.01)["way"].words)
    a share moves by up to 1.6 points
    """

    share: float
    shifts: Mapping[str, QuestionShift]
    """By the name of the question."""

    def __getitem__(self, name: str) -> QuestionShift:
        return self.shifts[name]

    @property
    def about(self) -> dict[str, Any]:
        """Of which share of made-up answers all of it is said."""
        return {"made_up": self.share}

    @property
    def columns(self) -> dict[str, list[Any]]:
        """A row for each question."""
        told = list(self.shifts.values())
        return {
            "question": [each.name for each in told],
            "shift": [each.shift for each in told],
            "words": [each.words for each in told],
        }

    @property
    def named(self) -> Sequence[str]:
        """The names of the questions."""
        return ("question",)

    def table(self) -> Table:
        """A row for each question."""
        rows = [(each.name, each.words) for each in self.shifts.values()]
        return Table(
            f"if {rounded(100 * self.share)} in 100 answers are made up, all alike", ("question", "result"), rows
        )

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        return f"Manipulation(share={self.share:g}, {len(self.shifts)} questions)"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def manipulation(survey: Document, share: float) -> Manipulation:
    """How far results move at most; whoever makes answers up chooses the arm too."""
    checked = float(check_shares("share", [share], 1)[0])
    return Manipulation(checked, {each.name: _shift(survey, each, checked) for each in survey.questions})


def _shift(survey: Document, question: Question, share: float) -> QuestionShift:
    name, wording = question.name, question.wording or question.name
    if isinstance(question, Number):
        shift = _of_mean(survey, name, share)
        return QuestionShift(name, wording, shift, amount(question, shift * range_of(question)) if shift else "", True)
    shift = _of_share(survey, name, share)
    return QuestionShift(name, wording, shift, f"{points(shift)} points", False)


def _of_share(survey: Document, question: str, share: float) -> float:
    """By the report that counts for most honest people, among those who are asked so."""
    leverages = [
        part.mechanism.law.leverage * survey.total_weight / arm.weight
        for arm in survey.arms
        for part in arm.parts
        if question in part.names
    ]
    return min(1.0, max(leverages, default=0.0) * share)


def _of_mean(survey: Document, question: str, share: float) -> float:
    """By reports that are all worth most, while honest people have the number that is farthest from it."""
    own = [
        (arm.weight, part.mechanism)
        for arm in survey.arms
        for part in arm.parts
        if question in part.names and isinstance(part.encoder, Point) and part.encoder.about is None
    ]
    if not own:
        return 0.0
    asked = sum(weight for weight, _ in own) / survey.total_weight
    farthest = float(np.abs(worth_of(own[0][1].channel().probabilities)).max())
    made_up = share / (asked * (1 - share) + share)
    return min(1.0, (1 + farthest) / 2 * made_up)
