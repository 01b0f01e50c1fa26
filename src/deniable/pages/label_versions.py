"""The versions of a survey: those of its name that ask one of its questions, and what changed from one to the next."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deniable.estimation.table import printable
from deniable.intake.storage.rows import SurveyRow
from deniable.pages.label_terms import Row, facts_of, kept_of, terms_of, when
from deniable.pages.moments import day
from deniable.protocol.say import Language, Statement
from deniable.surveys.document import Document
from deniable.surveys.label import Label


class Version(NamedTuple):
    """A survey, with what tells it from its other versions: its number from 1, its title, and when it is asked.

    ``since`` is the day on which it was opened, and ``closed`` whether that ended by hand.
    """

    number: int
    digest: str
    title: str
    when: Statement
    since: Statement
    closed: bool


class LabelChange(NamedTuple):
    """What is otherwise than in the version before; empty where it was not there, or is not."""

    about: str
    before: str
    now: str


class History(NamedTuple):
    """All versions of a survey, the oldest first; which one is shown, and what changed since the one before."""

    versions: tuple[Version, ...] = ()
    shown: Version | None = None
    changes: tuple[LabelChange, ...] = ()

    @classmethod
    def of(cls, rows: Sequence[tuple[SurveyRow, Document]], digest: str, say: Language) -> History:
        """The versions among surveys of one name, the oldest first, of which one is shown."""
        related = _related(rows, digest)
        versions = tuple(_version(number, *each) for number, each in enumerate(related, 1))
        place = next(place for place, (row, _) in enumerate(related) if row.digest == digest)
        changes = changes_of(related[place - 1][1], related[place][1], say) if place else ()
        return cls(versions, versions[place], tuple(changes))


def changes_of(before: Document, now: Document, say: Language) -> list[LabelChange]:
    """What two versions say otherwise, in the words of their labels."""
    old, new = (dict(_label_rows(document, say)) for document in (before, now))
    rows = [LabelChange(name, old.get(name, ""), new.get(name, "")) for name in dict.fromkeys([*old, *new])]
    return [row for row in rows if row.before != row.now]


def _label_rows(document: Document, say: Language) -> Iterable[Row]:
    """All that the label says of a document's own choices."""
    yield say("title"), document.title or document.name
    for question in document.questions:
        labels = ", ".join(printable(label) for label in question.words.labels)
        yield question.name, " · ".join(filter(None, (question.wording, labels)))
    yield from terms_of(document, say)
    yield say("rights"), (document.responsible or {}).get("rights", "")
    yield say("shown"), " ".join(map(say, kept_of(document)))
    yield from facts_of(Label(document), say)


def _related(rows: Sequence[tuple[SurveyRow, Document]], digest: str) -> list[tuple[SurveyRow, Document]]:
    """The surveys that share a question with the one of the digest, or with another one that does."""
    related = {digest}
    asked = {row.digest: {(each.name, each.wording) for each in document.questions} for row, document in rows}
    while new := {each for each in asked if each not in related and any(asked[each] & asked[one] for one in related)}:
        related |= new
    return [each for each in rows if each[0].digest in related]


def _version(number: int, row: SurveyRow, document: Document) -> Version:
    since, title = day(datetime.date.fromisoformat(row.day)), document.title or document.name
    return Version(number, row.digest, title, when(document), since, row.ended is not None)
