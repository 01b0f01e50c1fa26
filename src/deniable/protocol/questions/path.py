"""A way through questions that follow from each other as one label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar

from ..checks import check_int
from ..errors import CapacityError, ParameterError
from ..say import Statement
from ..values import Domain
from .branches import is_asked
from .pair import MOST_CELLS
from .question import Encoder, Question

Way = tuple[Any, ...]
"""The answers that were given on a way, in the order of its questions."""


@dataclass(frozen=True)
class Path(Encoder):
    """The answers to questions that follow from each other, of those that are asked, as one label.

    The questions before the place ``start`` lead to the others and are not told; where the one at that place is not
    asked the label is empty. A question that everybody is asked may stand last: the way is crossed with its answer.
    """

    kind: ClassVar[str] = "path"
    tells_asked: ClassVar[bool] = True
    start: int = 0

    def check(self, questions: Sequence[Question], values: Any) -> None:
        """Questions of one tree, each after the one that it follows from, and a mechanism over all ways."""
        way = questions[:-1] if _crossed_count(questions) else questions
        if len(way) < 2:
            raise ParameterError(
                f"a path must be of two questions or more, from the one that everybody is asked, got {len(way)}"
            )
        check_int("from", self.start, 0, len(way) - 1)
        names = [question.name for question in questions]
        if len(set(names)) < len(names) or not all(_follows(way, place, self.start) for place in range(len(way))):
            raise ParameterError(
                f"a path must be of questions that follow from each other in order, got {', '.join(names)} from "
                f"{names[self.start]!r} on"
            )
        if way is not questions and not questions[-1].choices:
            raise ParameterError(f"a way must be crossed with a OneOf or a Scale, got {names[-1]!r}")
        self._same(paths_of(questions, self.start), values)

    def of(self, answers: Sequence[Any]) -> Way:
        return tuple(answer for answer in answers[self.start :] if answer is not None)

    def estimable(self, questions: Sequence[Question]) -> Sequence[Question]:
        return questions[self.start :]

    def answers_in(self, questions: Sequence[Question], value: Any) -> dict[str, Any]:
        """The answers on a way, by question; None if not asked, as the first is where only a crossed answer is told."""
        left, answers = list(value), dict[str, Any]()
        for place, question in enumerate(self.estimable(questions)):
            asked = len(value) > _crossed_count(questions) if place == 0 else is_asked(question, answers)
            answers[question.name] = left.pop(0) if asked else None
        return answers

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "from": self.start}


def paths_of(questions: Sequence[Question], start: int = 0) -> Domain:
    """All ways through the questions from a place on: none of them first if others lead there, then label by label."""
    first, *others = questions[start:]
    ways = list(islice(_ways([first, *others], {}), MOST_CELLS + 1))
    if len(ways) > MOST_CELLS:
        raise CapacityError(Statement("paths_at_most", most=str(MOST_CELLS)))
    return Domain.of(list(chain(_ways(others, {first.name: None}) if start else (), ways)))


def _crossed_count(questions: Sequence[Question]) -> int:
    """How many questions a way is crossed with: the last one, if everybody is asked it, or none."""
    return int(questions[-1].only_if is None)


def _ways(left: Sequence[Question], answers: dict[str, Any]) -> Iterator[Way]:
    """Every way through the questions that are left, after these ``answers`` to those before; None if not asked."""
    if not left:
        yield ()
        return
    question, *others = left
    if answers and not is_asked(question, answers):
        yield from _ways(others, {**answers, question.name: None})
        return
    for label in question.choices:
        for rest in _ways(others, {**answers, question.name: label}):
            yield (label, *rest)


def _follows(way: Sequence[Question], place: int, start: int) -> bool:
    """Whether a question follows from the one before it or, after ``start``, from any since; the first from none."""
    only_if = way[place].only_if
    if place == 0 or only_if is None:
        return place == 0 and only_if is None
    return only_if.question in [question.name for question in way[min(start, place - 1) : place]]
