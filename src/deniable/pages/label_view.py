"""What the page of a privacy label shows, in its language: only what the label proves, rounded outwards."""

from __future__ import annotations

import datetime
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from markupsafe import Markup

from deniable.estimation.table import printable
from deniable.pages.guesses import Guesses
from deniable.pages.label_sending import SurveySending
from deniable.pages.label_terms import Row, kept_of, level_shown
from deniable.pages.label_versions import History
from deniable.pages.languages import marked
from deniable.pages.moments import day
from deniable.pages.proofs import SurveyProof
from deniable.protocol.privacy.context import Blocks, HighLow
from deniable.protocol.questions.question import Question, QuestionWords
from deniable.protocol.say import READABLE, Language, Statement
from deniable.protocol.surveys.translations import SurveyWords
from deniable.surveys.document import Document
from deniable.surveys.label import Label

HOST_KEEPS = ("host_address", "host_device")
HOST_SHOWS = ("host_script", "host_order", "host_copies", "nearly_all", "second_browser")
"""Keys of what a collector's pages promise, and do not, of every survey, beside what its own label says."""
DIRECTLY = ("host_order", "second_browser")
"""What is not so in a crowd: reports come in no order, and each person has a code."""


class LabelQuestion(NamedTuple):
    """A question, what sentences call it if that is something else, and headings, each with the answers beneath it."""

    wording: str
    name: str
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LabelView:
    """All that the page of a label shows: what is ``asked``, stated, promised and not promised, and what is sent.

    ``terms`` and ``facts`` are rows of a name and a text: who is responsible and until when, and technical facts.
    """

    say: Language
    title: str
    lang: str
    """The tag of the language of the author's texts; empty if the survey does not say it."""
    document: Document
    asked: tuple[LabelQuestion, ...]
    statements: tuple[Statement, ...]
    promised: tuple[Statement, ...]
    unpromised: tuple[Statement, ...]
    claim: Statement
    """The whole label in a sentence."""
    grade: Statement | None
    """How strong the protection is, in a word; None where no level covers all answers once and for all."""
    guesses: tuple[Guesses, ...]
    sending: SurveySending
    terms: tuple[Row, ...]
    facts: tuple[Row, ...]
    history: History
    proof: SurveyProof
    address: str
    """Where the survey's document is, for other machines."""
    ended: float | None = None
    """When it was closed by hand, in seconds since 1970; None if it was not."""
    reveals: tuple[Statement, ...] = ()
    """What all surveys on the topic together may reveal."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the label says."""
        return tuple(map(self.say, self.statements))

    def marked(self, statements: Iterable[Statement]) -> list[Markup]:
        """What is stated, with the author's words set apart: they may run in the other direction."""
        return list(map(marked(self.say.code), statements))

    @property
    def rights(self) -> tuple[str, ...]:
        """What people may ask for, and what nobody can give them; last what the author adds, if anything."""
        own = (self.document.responsible or {}).get("rights", "")
        return (*map(self.say, ("rights_unknown", "rights_none", "rights_stop")), *([own] if own else []))

    @property
    def commands(self) -> str:
        """What proves the promise on any machine that has the library."""
        file = f"{self.document.name}.json"
        return f"curl -fsSo {file} {shlex.quote(self.address)}\ndeniable audit {file}"

    @property
    def verdict(self) -> str:
        """The key of what the certificate says, in a sentence."""
        if self.proof.proving:
            return "proof_waits"
        if self.proof.certificate is None:
            return "proof_late"
        if not self.proof.certificate["holds"]:
            return "proof_fails"
        return "worked_out" if self.proof.certificate["statements"] else "worked_out_parts"

    @property
    def proven(self) -> str:
        """What came of the proof, and when it was made."""
        made = self.proof.day and day(datetime.date.fromisoformat(self.proof.day))
        return self.say(self.verdict, date=made)

    @property
    def claims(self) -> list[tuple[CertificateRow, int]]:
        """What the certificate says of each kind of claim, and of how many parts it says that."""
        arms = self.proof.certificate["arms"] if self.proof.certificate else []
        return [*Counter(CertificateRow.of(arm) for arm in arms).items()]


class CertificateRow(NamedTuple):
    """A claim of the certificate, as its table shows it: on which questions, on one answer, round or life (``span``).

    The level that is ``claimed``, the largest that was ``found``, and by which method.
    """

    questions: str
    span: str
    claimed: str
    found: str
    holds: bool
    method: str

    @classmethod
    def of(cls, arm: Mapping[str, Any]) -> CertificateRow:
        """The claim on an arm, or on what all of it costs."""
        levels = level_shown(arm["claimed"]), level_shown(arm["epsilon"])
        return cls(", ".join(arm["questions"]), arm["span"], *levels, arm["holds"], arm["method"])


def promised_of(label: Label, reveals: Iterable[Statement], ended: float | None) -> tuple[Statement, ...]:
    """What is promised of a survey on a collector's pages, but for what the table of guesses says.

    ``reveals`` is said of its topic; ``ended`` is when it was closed by hand, if it was.
    """
    protecting = label.statements[: -len(label.stated.unprotected)]
    shown = [each for each in protecting if label.level > READABLE or not each.key.endswith("belief")]
    return (*shown, *reveals, *kept_of(label.document, ended), *map(Statement, HOST_KEEPS))


def unpromised_of(label: Label) -> tuple[Statement, ...]:
    """What is not promised of a survey on a collector's pages."""
    document = label.stated.document
    if document.crowd is None:
        return (*label.stated.unprotected, *map(Statement, HOST_SHOWS))
    address = Statement("mixer_address", operator=document.crowd.operator, owner=document.owner)
    return (*label.stated.unprotected, address, *(Statement(key) for key in HOST_SHOWS if key not in DIRECTLY))


def questions_of(document: Document, words: SurveyWords, say: Language) -> tuple[LabelQuestion, ...]:
    """All questions, in their order."""
    return tuple(_label_question(document, each, words.questions[each.name], say) for each in document.questions)


def _label_question(document: Document, question: Question, words: QuestionWords, say: Language) -> LabelQuestion:
    parts = tuple(dict.fromkeys(_grouping(document, question, words, say)))
    return LabelQuestion(words.wording or question.name, question.name if words.wording else "", parts)


def _grouping(document: Document, question: Question, words: QuestionWords, say: Language) -> Iterator[tuple[str, str]]:
    """Which answers alone are protected, or within which groups, each under its heading."""

    def listed(places: Iterable[int]) -> str:
        return ", ".join(printable(words.labels[place]) for place in places)

    for part in (part for arm in document.arms for part in arm.parts if part.names == (question.name,)):
        guarantee = part.mechanism.guarantee
        if isinstance(guarantee, HighLow):
            yield say("only_these"), listed(guarantee.places)
        elif isinstance(guarantee, Blocks):
            yield say("groups"), "; ".join(map(listed, guarantee.places))
