"""Answers as bytes: their shape, writing and reading them, and what is wrong with bytes that are none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable.arrays import Column
from deniable.protocol.errors import ReportError
from deniable.protocol.surveys.answers import head_of
from deniable.reports.layout import Layout, stored_bytes
from deniable.surveys.arms import Arm
from deniable.surveys.document import Document


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Answers:
    """Many answers to one survey: of each arm a column of reports for each of its parts."""

    document: Document
    columns: tuple[tuple[Column, ...], ...]

    def __len__(self) -> int:
        return sum(len(parts[0]) for parts in self.columns)

    def __repr__(self) -> str:
        return f"Answers({len(self)} to {self.document.name!r})"

    def to_bytes(self) -> list[bytes]:
        """Each answer as bytes, arm by arm: their order says nothing of the people."""
        numbered = enumerate(zip(self.document.arms, self.columns, strict=True))
        return [
            answer for number, (arm, columns) in numbered for answer in written(self.document, number, arm, columns)
        ]


def read_answers(document: Document, answers: Iterable[Any]) -> Answers:
    """Answers from their bytes; if any is malformed all are refused, with how many there are and the first reason."""
    every = list(answers)
    misshapen = {at: why for at, answer in enumerate(every) if (why := _fault_of_shape(document, answer)) is not None}
    if misshapen:
        raise _refused(document, misshapen, len(every))
    by_arm: list[list[bytes]] = [[] for _ in document.arms]
    for answer in every:
        by_arm[_arm_number(document, answer)].append(bytes(answer))
    head = document.head_bytes
    read = answers_of_rows(document, [b"".join(answer[head:] for answer in rows) for rows in by_arm])
    if any(bad_report(arm, columns) is not None for arm, columns in zip(document.arms, read.columns, strict=True)):
        faults = {at: why for at, answer in enumerate(every) if (why := fault_of(document, answer)) is not None}
        raise _refused(document, faults, len(every))
    return read


def answers_of_rows(document: Document, rows: Sequence[bytes]) -> Answers:
    """Answers from the bytes of those to each arm, one after another and without its number; they are not checked."""
    return Answers(document, tuple(columns_of(arm, answers) for arm, answers in zip(document.arms, rows, strict=True)))


def fault_of(document: Document, answer: Any) -> str | None:
    """Why bytes are no answer to the survey, in words that follow "it"; None if they are one."""
    shape_fault = _fault_of_shape(document, answer)
    if shape_fault is not None:
        return shape_fault
    arm = document.arms[_arm_number(document, answer)]
    return bad_report(arm, columns_of(arm, bytes(answer[document.head_bytes :])))


def _fault_of_shape(document: Document, answer: Any) -> str | None:
    """Why something has not even the shape of an answer; None if it has."""
    if not isinstance(answer, bytes | bytearray):
        return f"is {type(answer).__name__} and not bytes"
    if len(answer) < document.head_bytes:
        return "is too short to name an arm"
    number = _arm_number(document, answer)
    if number >= len(document.arms):
        return f"names arm {number}, and there are {len(document.arms)}"
    length = document.answer_bytes(number)
    return None if len(answer) == length else f"has {len(answer)} bytes, and one of arm {number} has {length}"


def bad_report(arm: Arm, columns: Sequence[Column]) -> str | None:
    """What is wrong with the reports of an arm that a mechanism cannot send; None if their mechanisms can send all."""
    for part, column in zip(arm.parts, columns, strict=True):
        try:
            part.mechanism.layout.check(column)
        except ReportError:
            return f"has a report about {' and '.join(part.names)} that its mechanism cannot send"
    return None


def _refused(document: Document, reasons: Mapping[int, str], n: int) -> ReportError:
    first = next(iter(reasons))
    return ReportError(
        f"every answer must be one to {document.name!r}, got {len(reasons)} of {n} that are not; "
        f"the first, at position {first}, {reasons[first]}; none was counted"
    )


def _arm_number(document: Document, answer: bytes | bytearray) -> int:
    return int.from_bytes(answer[: document.head_bytes], "little")


def columns_of(arm: Arm, rows: bytes) -> tuple[Column, ...]:
    """The reports of each part from the bytes of answers to one arm."""
    start, columns = 0, []
    table = np.frombuffer(rows, np.uint8).reshape(-1, arm.width)
    for part in arm.parts:
        columns.append(column_of(part.mechanism.layout, np.ascontiguousarray(table[:, start : start + part.width])))
        start += part.width
    return tuple(columns)


def column_of(layout: Layout, stored: Column) -> Column:
    """A column of reports from the bytes of each: integers little-endian, bits as they are."""
    empty = layout.empty(0)
    if empty.ndim > 1:
        return stored
    return stored.view(empty.dtype.newbyteorder("<"))[:, 0].astype(empty.dtype, copy=False)


def written(document: Document, number: int, arm: Arm, columns: Sequence[Column]) -> Iterable[bytes]:
    """Each answer of one arm as bytes."""
    head = head_of(document, number)
    parts = [rows_of(part.mechanism.layout, column) for part, column in zip(arm.parts, columns, strict=True)]
    rows = np.concatenate(parts, axis=1)
    return (head + row.tobytes() for row in rows)


def rows_of(layout: Layout, column: Column) -> Column:
    """The bytes of each report, as rows."""
    little = np.ascontiguousarray(column.astype(column.dtype.newbyteorder("<"), copy=False))
    return little.view(np.uint8).reshape(len(column), stored_bytes(layout))
