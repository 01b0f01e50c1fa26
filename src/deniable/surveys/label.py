"""The privacy label of a survey: what follows from the document for the person asked, as numbers and as sentences."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, overload

from deniable.estimation.table import Table, sentences_html, sentences_text
from deniable.mechanisms.facts import ReportFacts, of_hundred
from deniable.mechanisms.label import MechanismLabel
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import from_spec_bytes
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement, english
from deniable.protocol.surveys.label import used
from deniable.protocol.surveys.label_statements import LabelStatements
from deniable.protocol.surveys.rounds import RoundLevels
from deniable.protocol.surveys.statements import Belief, beliefs
from deniable.reports.tally import Tally
from deniable.surveys.document import Document
from deniable.surveys.tally import SurveyTally

DAY, HOUR = 86400, 3600


@dataclass(frozen=True, slots=True)
class PartFacts:
    """What one report of an arm is about, and what it is."""

    questions: tuple[str, ...]
    report: ReportFacts


@dataclass(frozen=True, repr=False)
class Label:
    """A survey's privacy label. Printed it is the sentences, in a notebook also the table of questions."""

    document: Document

    @property
    def level(self) -> float:
        """The level of the whole answer; infinite where some question is protected only in part."""
        return self.document.promise.level

    @property
    def rounds(self) -> RoundLevels | None:
        """Of a survey that remembers reports the levels of one round, of all of them and of a life; None of others."""
        return self.document.rounds

    @property
    def beliefs(self) -> tuple[Belief, ...]:
        """How far an answer moves a belief; none where no level of plain LDP is promised."""
        return beliefs(self.level)

    @property
    def parts(self) -> tuple[tuple[PartFacts, ...], ...]:
        """The facts of each part of each arm."""
        return tuple(
            tuple(PartFacts(part.names, ReportFacts.of(part.mechanism)) for part in arm.parts)
            for arm in self.document.arms
        )

    @property
    def stated(self) -> LabelStatements:
        """What the label says, in any language: none of it is more than is proven."""
        return LabelStatements(self.document)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All that the label says, in its order; ``sentences`` has it in English."""
        return self.stated.every

    @property
    def unprotected(self) -> tuple[str, ...]:
        """What the promise does not cover, in sentences."""
        return tuple(map(english, self.stated.unprotected))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The label in plain sentences, for the person asked."""
        return tuple(map(english, self.statements))

    def to_dict(self) -> dict[str, Any]:
        """The label as plain values for JSON."""
        d, (least, most) = self.document, self.document.sent_bytes
        arms = [
            {"weight": arm.weight, "parts": [{"questions": list(p.questions), **p.report.to_dict()} for p in parts]}
            for arm, parts in zip(d.arms, self.parts, strict=True)
        ]
        shifts = [belief._asdict() for belief in self.beliefs]
        about = {"survey": d.name, "digest": d.digest, "title": d.title, "purpose": d.purpose, "owner": d.owner}
        terms = {"contact": d.contact, "topic": d.topic, "cap": d.cap, "period": d.period, "repeat": d.repeat}
        rounds = None if self.rounds is None else asdict(self.rounds)
        sizes = {"least": least, "most": most}
        return {
            **about, **terms, **used(d), "promise": d.promise.to_dict(), "rounds": rounds, "beliefs": shifts,
            "bytes": sizes, "arms": arms, "unprotected": list(self.unprotected), "sentences": list(self.sentences),
        }  # fmt: skip

    def table(self) -> Table:
        """A row for each kind of report; parts of different arms that are alike are one."""
        people: dict[tuple[str, ...], int] = {}
        for arm, parts in zip(self.document.arms, self.parts, strict=True):
            for part in parts:
                report = part.report
                facts = (report.promised, f"{report.bits}", of_hundred(report.own), of_hundred(report.other))
                key = (" and ".join(part.questions), *facts)
                people[key] = people.get(key, 0) + arm.weight
        total = self.document.total_weight
        rows = [(name, f"{100 * n / total:.3g} of 100", *facts) for (name, *facts), n in people.items()]
        headings = (
            "question", "people asked", "promised", "bits",
            "fitting reports of 100 with an answer", "of 100 with another",
        )  # fmt: skip
        return Table(f"Privacy label: {self.document.title or self.document.name}", headings, rows)

    def __str__(self) -> str:
        return f"{self.table()}\n\n{sentences_text(self.sentences)}"

    def __repr__(self) -> str:
        return f"Label({self.document.name!r})"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_() + sentences_html(self.sentences)


def kept_for(document: Document) -> Statement:
    """How long after a survey no longer takes answers a collector deletes the reports."""
    return Statement(f"keeping_{'once' if document.period == 'once' else 'each'}", span=span(document.keep))


def span(seconds: int) -> Statement:
    """A stretch of time in words.

    >>> from deniable.protocol.say import english
    >>> [english(span(seconds)) for seconds in (90 * 86400, 3600, 60)]
    ['90 days', '1 hour', '60 seconds']
    """
    for size, unit in ((DAY, "days"), (HOUR, "hours")):
        if seconds and seconds % size == 0:
            return Statement(unit, count=seconds // size)
    return Statement("seconds", count=seconds)


@overload
def label(of: Document | SurveyTally) -> Label: ...
@overload
def label(of: Mechanism | Tally) -> MechanismLabel: ...
def label(of: Any) -> Label | MechanismLabel:
    """The privacy label of a survey, a mechanism, or a tally of either: facts, and sentences for the person asked.

    >>> import deniable as dn
    >>> print(label(dn.RandomizedResponse(["yes", "no"], 1.0)).sentences[1])
    What is sent is at most 2.72 times likelier from your answer than from any other.
    """
    if isinstance(of, Document):
        return Label(of)
    if isinstance(of, SurveyTally):
        return Label(of.document)
    if isinstance(of, Mechanism):
        return MechanismLabel(of)
    if isinstance(of, Tally):
        return MechanismLabel(from_spec_bytes(of.spec_bytes))
    raise ParameterError(f"of must be a survey, a mechanism or a tally of one, got {type(of).__name__}")
