"""Stored answers as columns, and what they add up to."""

from __future__ import annotations

from collections.abc import Iterable

from deniable.intake.sections import Section
from deniable.surveys.answer_bytes import Answers, answers_of_rows
from deniable.surveys.document import Document
from deniable.surveys.tally import SurveyTally


def answers_of(document: Document, sections: Iterable[Section]) -> Answers:
    """The answers as columns; sections of one arm one after another. They are not checked."""
    rows: list[list[bytes]] = [[] for _ in document.arms]
    for section in sections:
        rows[section.arm].append(section.rows)
    return answers_of_rows(document, [b"".join(of_arm) for of_arm in rows])


def tally_of(document: Document, sections: Iterable[Section]) -> SurveyTally:
    """What answers add up to; if one is malformed all are refused."""
    return SurveyTally.of(answers_of(document, sections))
