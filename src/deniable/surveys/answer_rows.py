"""Answers in the order of rows, such as those of a host's table: what each row reports of every part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from deniable.arrays import Column, Indices
from deniable.protocol.errors import ParameterError
from deniable.surveys.answer_bytes import Answers, columns_of, read_answers
from deniable.surveys.arms import Part
from deniable.surveys.document import Document
from deniable.surveys.field_column import FieldColumn, read_column
from deniable.values.columns import is_missing, python_values

PartColumn: TypeAlias = tuple[Part, Column, Indices]
"""A part, the reports about it, and the rows that they stand in."""


def check_in_rows(answers: Any) -> None:
    """Refuse answers whose order says nothing of rows."""
    if isinstance(answers, Answers):
        raise ParameterError(
            "answers must stand in the order of the rows, a list of bytes or a column of field values, got Answers, "
            "which are sorted by arm so that their order says nothing of people"
        )


def answers_in_rows(document: Document, answers: Any) -> Sequence[bytes | None]:
    """The answer of each row, or None: from bytes, or from field values."""
    check_in_rows(answers)
    if isinstance(answers, FieldColumn):
        return answers.answers
    values = python_values(answers)
    if any(isinstance(each, str) for each in values):
        return read_column(document, values).answers
    by_row = [None if is_missing(each) else each for each in values]
    read_answers(document, [each for each in by_row if each is not None])
    return by_row


def part_columns(document: Document, answers: Sequence[bytes | None]) -> Iterator[PartColumn]:
    """Each part that somebody reported on, with its reports and the rows of ``answers`` that they stand in."""
    head, rows_by_arm = document.head_bytes, [list[int]() for _ in document.arms]
    for row, answer in enumerate(answers):
        if answer is not None:
            rows_by_arm[int.from_bytes(answer[:head], "little")].append(row)
    for arm, rows in zip(document.arms, rows_by_arm, strict=True):
        if rows:
            columns = columns_of(arm, b"".join(bytes(answers[row] or b"")[head:] for row in rows))
            yield from ((part, column, np.array(rows)) for part, column in zip(arm.parts, columns, strict=True))
