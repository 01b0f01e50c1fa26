"""A way through questions that follow from each other as one label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from ..checks import check_int
from ..errors import CapacityError, ParameterError
from ..say import Statement
from ..values import Domain
from .branches import is_asked, way_to
from .pair import MOST_CELLS
from .question import Encoder, Question

Ways = tuple[Any, ...]
"""The answers that were given on a way, in the order of its questions."""


@dataclass(frozen=True)
class Path(Encoder):
    """The answers to questions that follow from each other, of those that are asked, as one label.

    The questions before the place ``start`` lead to the others and are not told; where the one at that place is not
    asked the label is empty.
    """

    kind: ClassVar[str] = "path"
    tells_ways: ClassVar[bool] = True
    start: int = 0

    def check(self, questions: Sequence[Question], values: Any) -> None:
        """Questions of one tree, each after the one that it follows from, and a mechanism over all ways."""
        check_int("from", self.start, 0, len(questions) - 1)
        if len(questions) < 2:
            raise ParameterError(
                f"a path must be of two questions or more, from the one that everybody is asked, got {len(questions)}"
            )
        by_name = {question.name: question for question in questions}
        leading, told = questions[: self.start], questions[self.start :]
        first = told[0]
        if not _is_tree(questions) or way_to(first, by_name) != [*leading, first]:
            got = ", ".join(by_name)
            raise ParameterError(f"a path must be of questions that follow from each other in order, got {got}")
        if beside := [question.name for question in told if first not in way_to(question, by_name)]:
            raise ParameterError(
                f"a path from {first.name!r} on must tell only of what follows from it, got {beside[0]!r} too"
            )
        self._same(paths_of(questions, self.start), values)

    def of(self, answers: Sequence[Any]) -> Ways:
        return tuple(answer for answer in answers[self.start :] if answer is not None)

    def told(self, questions: Sequence[Question]) -> Sequence[Question]:
        return questions[self.start :]

    def answers_in(self, questions: Sequence[Question], value: Any) -> dict[str, Any]:
        left, found = list(value), dict[str, Any]()
        for place, question in enumerate(self.told(questions)):
            asked = bool(value) if place == 0 else is_asked(question, found)
            found[question.name] = left.pop(0) if asked else None
        return found

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "from": self.start}


def paths_of(questions: Sequence[Question], start: int = 0) -> Domain:
    """All ways through the questions from a place on: none of them first if others lead there, then label by label."""
    ways = list(islice(_ways(questions[start:], {}), MOST_CELLS + 1))
    if len(ways) > MOST_CELLS:
        raise CapacityError(Statement("paths_at_most", most=str(MOST_CELLS)))
    return Domain.of([*([()] if start else []), *ways])


def _ways(left: Sequence[Question], answers: dict[str, Any]) -> Iterator[Ways]:
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


def _is_tree(questions: Sequence[Question]) -> bool:
    """Whether each question but the first follows from one before it."""
    names = [question.name for question in questions]
    followed = [question.only_if for question in questions[1:]]
    return questions[0].only_if is None and all(
        only_if is not None and only_if.question in names[: place + 1] for place, only_if in enumerate(followed)
    )
