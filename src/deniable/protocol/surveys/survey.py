"""The survey as a device holds it: read from its text, explained, and answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..canonical import Spec
from ..errors import ParameterError
from ..questions.question import Source
from ..say import Statement
from ..words import SystemWords
from . import answers, label
from .device_document import DeviceDocument
from .document import REMEMBERED
from .outcomes import Outcomes, outcomes


class Survey(DeviceDocument):
    """A survey, made by ``read_survey``. It cannot be changed: a changed document is another survey."""

    def answer(self, given: Mapping[str, Any]) -> bytes:
        """One person's answer as bytes: the arm is drawn first, then each of its parts reports at random.

        Every question must be answered, or have an answer for those who skip it.
        """
        return answer_from(self, given, SystemWords)

    def outcomes(self, given: Mapping[str, Any]) -> Outcomes:
        """Every payload that these answers may become, with its exact probability; nothing is drawn."""
        return outcomes(self, given)

    def facts(self) -> Spec:
        """The privacy label as numbers."""
        return label.facts(self)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The privacy label in plain sentences."""
        return label.sentences(self)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The privacy label as statements, which a language of `wire/sentences` says."""
        return label.statements(self)


def answer_from(survey: Survey, given: Mapping[str, Any], source: Source) -> bytes:
    """An answer from words of the source, new ones for each draw."""
    if survey.repeat == REMEMBERED:
        raise ParameterError(
            "a remembered survey must be answered by a device that keeps its permanent reports, got a single answer"
        )
    number = answers.draw_arm(survey, source)
    reports = answers.draw_reports(survey, number, answers.complete(survey, given), source)
    return answers.answer_bytes(survey, number, reports)


def read_survey(text: str | bytes) -> Survey:
    """The survey of a document's text, in any writing of its JSON; an unknown or missing field is refused."""
    return Survey.from_json(text)
