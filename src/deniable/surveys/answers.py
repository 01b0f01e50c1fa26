"""Answering: the arm that a device draws, and the reports of its parts; of one person, and of a column of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from deniable.arrays import Column, Indices
from deniable.mechanisms.mechanism import draw_column
from deniable.privacy.entropy import Entropy, draw_uniform
from deniable.protocol.errors import LabelError, ParameterError
from deniable.protocol.questions.question import Question
from deniable.protocol.surveys.answers import check_names, complete
from deniable.surveys.answer_bytes import Answers, written
from deniable.surveys.arms import Arm
from deniable.surveys.asked_column import asked_column
from deniable.surveys.document import Document
from deniable.surveys.questions.kind import AnswerColumn
from deniable.surveys.questions.kinds import companion
from deniable.values.tables import columns_of

# --- one device -----------------------------------------------------------------------------------------------------


def answer_one(document: Document, answers: Mapping[str, Any], entropy: Entropy) -> bytes:
    """One person's answer: the arm is drawn before any answer is looked at, then each of its parts reports."""
    if document.repeat == "remembered":
        raise ParameterError(
            "a remembered survey must be answered by what a device keeps, got a device that keeps nothing; see enrol"
        )
    number = draw_arm(document, entropy)
    every = complete(document, answers)
    arm = document.arms[number]
    columns = [part.mechanism.draw(part.index(every, entropy), entropy) for part in arm.parts]
    return next(iter(written(document, number, arm, columns)))


def draw_arm(document: Document, entropy: Entropy) -> int:
    """The number of the arm that one device answers."""
    return int(_arms_of(document, draw_uniform(1, document.total_weight, entropy))[0])


# --- many people ----------------------------------------------------------------------------------------------------


def answer_many(document: Document, table: Any, entropy: Entropy) -> Answers:
    """Everybody's answers from columns by question: everybody draws an arm, and each arm's people report its parts."""
    columns, people = check_table(document, table)
    arms = _arms_of(document, draw_uniform(people, document.total_weight, entropy.part(0)))
    return Answers(
        document,
        tuple(
            _reports_of_arm(arm, columns, np.flatnonzero(arms == number), entropy.part(1 + number))
            for number, arm in enumerate(document.arms)
        ),
    )


def _reports_of_arm(
    arm: Arm, columns: Mapping[str, AnswerColumn], rows: Indices, entropy: Entropy
) -> tuple[Column, ...]:
    """The reports of the people in these rows, part by part, in random order: it says nothing of the people."""
    if not len(rows):
        return tuple(part.mechanism.layout.empty(0) for part in arm.parts)
    shuffled = rows[np.argsort(entropy.part(0).words(len(rows)), kind="stable")]
    answers = {name: _rows_of(columns[name], shuffled) for part in arm.parts for name in part.names}
    return tuple(
        draw_column(part.mechanism, part.indices(answers, entropy.part(1 + len(arm.parts) + k)), entropy.part(1 + k))
        for k, part in enumerate(arm.parts)
    )


def _rows_of(column: AnswerColumn, rows: Indices) -> AnswerColumn:
    """The answers in these rows."""
    return column[rows] if isinstance(column, np.ndarray) else [column[row] for row in rows.tolist()]


def check_table(document: Document, table: Any) -> tuple[dict[str, AnswerColumn], int]:
    """A column of checked answers for each question, as encoders take them, and how many people there are."""
    columns = columns_of(table)
    check_names(document, columns)
    for_all = {name: q for name, q in document.by_name.items() if name in columns and q.only_if is None}
    checked = {name: companion(question).column(question, columns[name]) for name, question in for_all.items()}
    sizes = {len(column) for column in checked.values()}
    if len(sizes) != 1 or 0 in sizes:
        raise ParameterError(f"columns must be of one length, and hold at least one answer, got {sorted(sizes)}")
    people = sizes.pop()
    for name, question in document.by_name.items():
        if (only_if := question.only_if) is not None:
            checked[name] = asked_column(question, only_if, columns.get(name), checked[only_if.question])
        elif name not in checked:
            checked[name] = _skipped(question, people)
    return checked, people


def _skipped(question: Question, people: int) -> list[Any]:
    """The answers of people who gave none."""
    if question.skip_answer is None:
        raise LabelError(
            f"the question {question.name!r} must have a column, since it has no answer for those who skip it"
        )
    return [question.skip_answer] * people


def _arms_of(document: Document, drawn: Indices) -> Indices:
    """The arm of each number below the sum of the weights."""
    ends = np.cumsum([arm.weight for arm in document.arms])
    return np.searchsorted(ends, drawn, side="right")
