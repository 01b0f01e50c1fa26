"""Two crossed answers as one label."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..errors import CapacityError, ParameterError
from ..say import Statement
from ..values import Domain
from .question import Chances, Encoder, Question, Source

MOST_CELLS = 4096
"""The most pairs of labels of two crossed questions."""


@dataclass(frozen=True)
class Pair(Encoder):
    """The answers to two questions as one label: that of the first, then that of the second; a number as 1 or 0."""

    kind: ClassVar[str] = "pair"
    is_drawn: ClassVar[bool] = True

    def check(self, questions: Sequence[Question], values: Any) -> None:
        """Two different questions with one answer each, and a mechanism over all pairs of their labels."""
        if len(questions) != 2:
            raise ParameterError(f"a pair must be of two questions, got {len(questions)}")
        if several := [question.name for question in questions if not question.pair_labels]:
            raise ParameterError(f"a pair must be of questions with one answer each, got {several[0]!r}")
        if questions[0].name == questions[1].name:
            raise ParameterError(f"a pair must be of two different questions, got {questions[0].name!r} twice")
        cells = math.prod(len(question.pair_labels) for question in questions)
        if cells > MOST_CELLS:
            raise CapacityError(Statement("pairs_at_most", most=str(MOST_CELLS), got=str(cells)))
        if cells != values.size:  # before all pairs are written out
            raise ParameterError(f"the encoder 'pair' must have a mechanism over {cells} labels, got {values!r}")
        self._same(pairs_of(questions), values)

    def value(self, questions: Sequence[Question], answers: Sequence[Any], source: Source) -> Any:
        return tuple(question.pair_label(a, source) for question, a in zip(questions, answers, strict=True))

    def answers_in(self, questions: Sequence[Question], value: Any) -> dict[str, Any]:
        return {question.name: side for question, side in zip(questions, value, strict=True)}

    def chances(self, questions: Sequence[Question], answers: Sequence[Any]) -> Chances:
        """The pairs that may be drawn: one, unless there is a number."""
        of_each = [question.pair_chances(a) for question, a in zip(questions, answers, strict=True)]
        return [((a, b), p * q) for (a, p), (b, q) in itertools.product(*of_each)]


def pairs_of(questions: Iterable[Question]) -> Domain:
    """All pairs of labels of two questions, those of the first label first."""
    return Domain.of(list(itertools.product(*(question.pair_labels for question in questions))))
