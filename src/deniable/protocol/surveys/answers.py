"""Answers: the arm that a device draws, the reports of its parts, and both as bytes; see wire/survey.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..draws import uniform
from ..errors import LabelError, ParameterError, ReportError
from ..layouts import Report
from ..questions.branches import is_asked
from ..questions.question import Question, Source
from .device_document import DeviceDocument
from .document import Document


def draw_arm(document: DeviceDocument, source: Source) -> int:
    """The number of the arm that a device answers, drawn by the weights before any answer is looked at."""
    drawn, end = uniform(source().part(), document.total_weight), 0
    number = 0
    for arm in document.arms:
        end += arm.weight
        number += end <= drawn
    return number


def complete(document: Document[Any], answers: Any) -> dict[str, Any]:
    """An answer to every question, checked and as encoders take it; one that is skipped gets its answer for that.

    None stands for the answer to a question that this person is not asked.
    """
    if not isinstance(answers, Mapping):
        raise ParameterError(f"answers must be a dictionary from questions to answers, got {type(answers).__name__}")
    check_names(document, answers)
    given: dict[str, Any] = {}
    for name, question in document.by_name.items():
        if is_asked(question, given):
            given[name] = _answer(question, answers)
        elif answers.get(name) is None:
            given[name] = None
        else:
            raise LabelError(f"the answer to {name!r} must be left out by those who are not asked, got one")
    return given


def check_names(document: Document[Any], given: Iterable[Any]) -> None:
    """Refuse answers to questions that the survey does not ask."""
    strange = sum(name not in document.by_name for name in given)
    if strange:
        raise ParameterError(f"answers must be to the questions {', '.join(document.by_name)}, got {strange} to others")


def _answer(question: Question, answers: Mapping[str, Any]) -> Any:
    """The checked answer to a question that is asked; if it was skipped, the answer of those who skip it."""
    if question.name in answers and (answers[question.name] is not None or question.only_if is None):
        question.check(answers[question.name])
        return question.encoder_input(answers[question.name])
    if question.skip_answer is None:
        raise LabelError(
            f"the question {question.name!r} must be answered, since it has no answer for those who skip it"
        )
    return question.skip_answer


def draw_reports(document: DeviceDocument, number: int, given: Mapping[str, Any], source: Source) -> list[Report]:
    """The report of each part of an arm, for complete answers."""
    parts = document.arms[number].parts
    return [p.mechanism.draw(p.mechanism.domain.index(p.value(given, source)), source()) for p in parts]


def answer_bytes(document: DeviceDocument, number: int, reports: list[Report]) -> bytes:
    """An arm's number and its reports, as they travel."""
    parts = document.arms[number].parts
    stored = b"".join(part.mechanism.layout.stored(report) for part, report in zip(parts, reports, strict=True))
    return head_of(document, number) + stored


def head_of(document: Document[Any], number: int) -> bytes:
    """The bytes that name an arm; none where there is only one."""
    return number.to_bytes(document.head_bytes, "little") if document.head_bytes else b""


def fault_of(document: DeviceDocument, answer: bytes) -> str | None:
    """Why bytes are no answer to the survey, in words that follow "it"; None if they are one."""
    head = document.head_bytes
    if len(answer) < head:
        return "is too short to name an arm"
    number = int.from_bytes(answer[:head], "little")
    if number >= len(document.arms):
        return f"names arm {number}, and there are {len(document.arms)}"
    if len(answer) != document.answer_bytes(number):
        return f"has {len(answer)} bytes, and one of arm {number} has {document.answer_bytes(number)}"
    start = head
    for part in document.arms[number].parts:
        end = start + part.mechanism.layout.width
        try:
            part.mechanism.layout.read(answer[start:end])
        except ReportError:
            return f"has a report about {' and '.join(part.names)} that its mechanism cannot send"
        start = end
    return None
