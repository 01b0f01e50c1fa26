"""A column of answers to a question that only some people are asked."""

from __future__ import annotations

from typing import Any

from deniable.protocol.errors import LabelError, ParameterError
from deniable.protocol.questions.only_if import OnlyIf
from deniable.protocol.questions.question import Question
from deniable.surveys.questions.kind import AnswerColumn, check_column
from deniable.surveys.questions.kinds import companion
from deniable.values.columns import Labels, python_values


def asked_column(question: Question, only_if: OnlyIf, column: Labels | None, before: AnswerColumn) -> list[Any]:
    """The checked answers, with None where ``before``, the answers to the question it depends on, do not lead to it.

    Answers of people who were not asked are refused.
    """
    asked = [only_if.follows(answer) for answer in before]
    if column is None:
        values: list[Any] = [None] * len(asked)
    else:
        check_column(question, column)
        values = [None if each == "" and "" not in question.choices else each for each in python_values(column)]
    if len(values) != len(asked):
        raise ParameterError(f"columns must be of one length, got {sorted({len(values), len(asked)})}")
    _check_empty(question, [place for place, value in enumerate(values) if value is not None and not asked[place]])
    stand_in = question.choices[0]  # where nobody was asked, so that errors name the right rows
    filled = [value if is_asked else stand_in for value, is_asked in zip(values, asked, strict=True)]
    checked = companion(question).column(question, filled)
    return [value if is_asked else None for value, is_asked in zip(python_values(checked), asked, strict=True)]


def _check_empty(question: Question, places: list[int]) -> None:
    """Refuse the answers at these ``places``, for their people were not asked."""
    if places:
        raise LabelError(
            f"the answers to {question.name!r} must be empty where it is not asked, got {len(places)} that are not "
            f"(the first at position {places[0]})",
            places[0],
        )
