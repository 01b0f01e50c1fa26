"""Answers: the arm that a device draws, the reports of its parts, and both as bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable.arrays import Column, Indices
from deniable.errors import LabelError, ParameterError, ReportError
from deniable.mechanisms.drawing import draw_column
from deniable.privacy.entropy import Entropy, draw_uniform
from deniable.reports.layout import Layout, stored_bytes
from deniable.surveys.arms import Arm
from deniable.surveys.document import Document
from deniable.surveys.questions import END, AnyOf, Text
from deniable.values.columns import Labels, is_column, python_values

_ARM = struct.Struct("<H")


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
            answer for number, (arm, columns) in numbered for answer in _written(self.document, number, arm, columns)
        ]


# --- one device -----------------------------------------------------------------------------------------------------


def answer_one(document: Document, answers: Mapping[str, Any], entropy: Entropy) -> bytes:
    """One person's answer: the arm is drawn before any answer is looked at, then each of its parts reports."""
    if document.repeat == "remembered":
        raise ParameterError(
            "a remembered survey must be answered from permanent reports that the device keeps (dn.linked.enrol and "
            "recall), got a device that keeps none"
        )
    number = draw_arm(document, entropy)
    given = complete(document, answers)
    arm = document.arms[number]
    columns = [
        part.mechanism.draw(_one(part.mechanism, part.encoder.value(part.answers(given))), entropy)
        for part in arm.parts
    ]
    return next(iter(_written(document, number, arm, columns)))


def draw_arm(document: Document, entropy: Entropy) -> int:
    """The number of the arm that one device answers."""
    return int(_arms_of(document, draw_uniform(1, document.total_weight, entropy))[0])


def complete(document: Document, answers: Any) -> dict[str, Any]:
    """An answer to every question, each checked; a question that may be skipped gets its answer for that."""
    if not isinstance(answers, Mapping):
        raise ParameterError(f"answers must be a dictionary from questions to answers, got {type(answers).__name__}")
    _check_names(document, answers)
    found = {}
    for name, question in document.by_name.items():
        if name in answers:
            question.check(answers[name])
            found[name] = answers[name]
        elif question.skipped is not None:
            found[name] = question.skipped
        else:
            raise LabelError(f"the question {name!r} must be answered, since it has no answer for those who skip it")
    return found


def _one(mechanism: Any, value: Any) -> Indices:
    found: Indices = mechanism.domain.one(value)
    return found


# --- many people ----------------------------------------------------------------------------------------------------


def answer_many(document: Document, table: Any, entropy: Entropy) -> Answers:
    """Everybody's answers from columns by question: everybody draws an arm, and each arm's people report its parts."""
    columns, people = check_table(document, table)
    arms = _arms_of(document, draw_uniform(people, document.total_weight, entropy.part(0)))
    return Answers(
        document,
        tuple(
            _of_arm(arm, columns, np.flatnonzero(arms == number), entropy.part(1 + number))
            for number, arm in enumerate(document.arms)
        ),
    )


def _of_arm(arm: Arm, columns: Mapping[str, Sequence[Any]], places: Indices, entropy: Entropy) -> tuple[Column, ...]:
    """The reports of the people at these places, part by part, in random order: it says nothing of the people."""
    if not len(places):
        return tuple(part.mechanism.layout.empty(0) for part in arm.parts)
    at = places[np.argsort(entropy.part(0).words(len(places)), kind="stable")].tolist()
    own = {name: [columns[name][place] for place in at] for part in arm.parts for name in part.names}
    return tuple(
        draw_column(part.mechanism, part.encoder.column(part.answers(own), part.mechanism.domain), entropy.part(1 + k))
        for k, part in enumerate(arm.parts)
    )


def check_table(document: Document, table: Any) -> tuple[dict[str, list[Any]], int]:
    """A column of checked answers for each question, and how many people there are."""
    columns = table.to_dict("list") if hasattr(table, "to_dict") and not isinstance(table, Mapping) else table
    if not isinstance(columns, Mapping):
        raise ParameterError(f"a table must be a dictionary from questions to columns, got {type(table).__name__}")
    _check_names(document, columns)
    found = {name: _check_column(document, name, columns) for name in document.by_name if name in columns}
    sizes = {len(column) for column in found.values()}
    if len(sizes) != 1 or 0 in sizes:
        raise ParameterError(f"columns must be of one length, and hold at least one answer, got {sorted(sizes)}")
    people = sizes.pop()
    for name, question in document.by_name.items():
        if name not in found and question.skipped is None:
            raise LabelError(f"the question {name!r} must have a column, since it has no answer for those who skip it")
        found.setdefault(name, [question.skipped] * people)
    return found, people


def _check_column(document: Document, name: str, columns: Mapping[str, Labels]) -> list[Any]:
    """The answers to one question; missing ones stand for its answer to skip it, where it has one."""
    column, question = columns[name], document.by_name[name]
    if isinstance(column, np.ndarray) and column.ndim == 2 and isinstance(question, AnyOf):
        held = question.values.flags(question.values.indices(column))
        return [[question.labels[int(j)] for j in np.flatnonzero(row)] for row in held]
    if not is_column(column):
        raise LabelError(f"the answers to {name!r} must be a column, got {type(column).__name__}")
    values = python_values(column)
    if question.skipped is not None:
        values = [question.skipped if value is None else value for value in values]
    try:
        question.values.check(question.values.column(values))
    except LabelError as error:
        raise LabelError(f"the answers to {name!r}: {error}") from None
    marked = [place for place, value in enumerate(values) if isinstance(question, Text) and END in value]
    if marked:
        raise LabelError(
            f"the answers to {name!r} must be text in Unicode without U+FFFF, got {len(marked)} of {len(values)} that "
            f"are not (the first at position {marked[0]})"
        )
    return values


def _check_names(document: Document, given: Iterable[Any]) -> None:
    strange = sum(name not in document.by_name for name in given)
    if strange:
        raise ParameterError(f"answers must be to the questions {', '.join(document.by_name)}, got {strange} to others")


def _arms_of(document: Document, drawn: Indices) -> Indices:
    """The arm of each number below the sum of the weights."""
    ends = np.cumsum([arm.weight for arm in document.arms])
    return np.searchsorted(ends, drawn, side="right")


# --- bytes ----------------------------------------------------------------------------------------------------------


def answer_bytes(document: Document, number: int) -> int:
    """How many bytes an answer of an arm takes."""
    head = _ARM.size if len(document.arms) > 1 else 0
    return head + sum(stored_bytes(part.mechanism.layout) for part in document.arms[number].parts)


def read_answers(document: Document, answers: Iterable[Any]) -> Answers:
    """Answers from their bytes; if any is malformed all are refused, with how many there are and the first reason."""
    given = list(answers)
    shapes = {place: why for place, one in enumerate(given) if (why := _misshapen(document, one)) is not None}
    if shapes:
        raise _refused(document, shapes, len(given))
    by_arm: list[list[bytes]] = [[] for _ in document.arms]
    for one in given:
        by_arm[_arm_number(document, one)].append(bytes(one))
    found = tuple(_columns(document, number, rows) for number, rows in enumerate(by_arm))
    if any(_bad_report(arm, columns) is not None for arm, columns in zip(document.arms, found, strict=True)):
        faults = {place: why for place, one in enumerate(given) if (why := fault_of(document, one)) is not None}
        raise _refused(document, faults, len(given))
    return Answers(document, found)


def fault_of(document: Document, answer: Any) -> str | None:
    """Why bytes are no answer to the survey, in words that follow "it"; None if they are one."""
    shape = _misshapen(document, answer)
    if shape is not None:
        return shape
    number = _arm_number(document, answer)
    return _bad_report(document.arms[number], _columns(document, number, [bytes(answer)]))


def _misshapen(document: Document, answer: Any) -> str | None:
    """Why something has not even the shape of an answer; None if it has."""
    if not isinstance(answer, bytes | bytearray):
        return f"is {type(answer).__name__} and not bytes"
    if len(document.arms) > 1 and len(answer) < _ARM.size:
        return "is too short to name an arm"
    number = _arm_number(document, answer)
    if number >= len(document.arms):
        return f"names arm {number}, and there are {len(document.arms)}"
    length = answer_bytes(document, number)
    return None if len(answer) == length else f"has {len(answer)} bytes, and one of arm {number} has {length}"


def _bad_report(arm: Arm, columns: Sequence[Column]) -> str | None:
    """Which part's reports its mechanism cannot send; None if it can."""
    for part, column in zip(arm.parts, columns, strict=True):
        try:
            part.mechanism.layout.tally(column)
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
    return int(_ARM.unpack_from(answer)[0]) if len(document.arms) > 1 else 0


def _columns(document: Document, number: int, rows: Sequence[bytes]) -> tuple[Column, ...]:
    """The reports of each part from answers of one arm, which have its length."""
    place, found = _ARM.size if len(document.arms) > 1 else 0, []
    table = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), answer_bytes(document, number))
    for part in document.arms[number].parts:
        layout = part.mechanism.layout
        width = stored_bytes(layout)
        found.append(_column(layout, np.ascontiguousarray(table[:, place : place + width])))
        place += width
    return tuple(found)


def _column(layout: Layout, stored: Column) -> Column:
    """A column of reports from the bytes of each: integers little-endian, bits as they are."""
    empty = layout.empty(0)
    if empty.ndim > 1:
        return stored
    return stored.view(empty.dtype.newbyteorder("<"))[:, 0].astype(empty.dtype, copy=False)


def _written(document: Document, number: int, arm: Arm, columns: Sequence[Column]) -> Iterable[bytes]:
    """Each answer of one arm as bytes."""
    head = _ARM.pack(number) if len(document.arms) > 1 else b""
    parts = [_stored(part.mechanism.layout, column) for part, column in zip(arm.parts, columns, strict=True)]
    rows = np.concatenate(parts, axis=1)
    return (head + row.tobytes() for row in rows)


def _stored(layout: Layout, column: Column) -> Column:
    """The bytes of each report, as rows."""
    little = np.ascontiguousarray(column.astype(column.dtype.newbyteorder("<"), copy=False))
    return little.view(np.uint8).reshape(len(column), stored_bytes(layout))
