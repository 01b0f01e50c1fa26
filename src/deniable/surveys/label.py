"""The privacy label of a survey: what follows from the document for the person asked, as numbers and as sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from deniable.estimation.table import Table, sentences_html, sentences_text
from deniable.protocol.privacy.distance import Distance
from deniable.protocol.privacy.each_item import EachItem
from deniable.protocol.surveys.question import Question
from deniable.surveys.answer_bytes import answer_bytes
from deniable.surveys.arms import Part
from deniable.surveys.document import Document
from deniable.surveys.facts import ReportFacts, of_hundred
from deniable.surveys.rounds import ABOUT, RoundLevels, shown_changes
from deniable.surveys.sayings import SEEN, TAKING_PART, Belief, Said, factor, left_open, said

CHANGED = (
    "Your own device mixes your answers with chance before anything is sent: what it sends may fit your answers, or "
    "others."
)


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
        arms = [RoundLevels.of([part.mechanism for part in arm.parts]) for arm in self.document.arms]
        kept = [levels for levels in arms if levels is not None]
        return RoundLevels.dearest(kept) if kept else None

    @property
    def beliefs(self) -> tuple[Belief, ...]:
        """How far an answer moves a belief; none where no level of plain LDP is promised."""
        return Said("", self.level).beliefs

    @property
    def parts(self) -> tuple[tuple[PartFacts, ...], ...]:
        """The facts of each part of each arm."""
        return tuple(tuple(map(_facts, arm.parts)) for arm in self.document.arms)

    @property
    def sent_bytes(self) -> tuple[int, int]:
        """The least and the most bytes that an answer takes."""
        sizes = [answer_bytes(self.document, number) for number in range(len(self.document.arms))]
        return min(sizes), max(sizes)

    @property
    def unprotected(self) -> tuple[str, ...]:
        """What the promise does not cover, in sentences."""
        questions = [line for question in self.document.questions for line in _open_of(self.document, question)]
        mechanisms = [part.mechanism for arm in self.document.arms for part in arm.parts]
        linked = () if self.rounds is None else shown_changes(mechanisms)
        return (*questions, *linked, TAKING_PART)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The label in plain sentences, for the person asked: none says more than is proven."""
        return (*_drawn(self.document), *self._promised(), *self._sent(), *_again(self.document), *self.unprotected)

    def _promised(self) -> Iterator[str]:
        yield CHANGED
        if self.rounds is not None:
            yield from self.rounds.sentences("your answers", ABOUT)
            return
        if self.level < math.inf:
            once = f" in one {self.document.period}" if self.document.repeat == "fresh" else ""
            whole = (
                f"Whatever is sent{once} could have come from any other answers too: it is at most "
                f"{factor(self.level)} times likelier from yours than from anybody else's."
            )
            yield from Said(whole, self.level, about=ABOUT, seen=f"{SEEN}{once}").sentences
        else:
            yield "What is protected, and what is not, differs by question."
        yield from self._by_question()

    def _by_question(self) -> Iterator[str]:
        """Of each question that no level of whole answers covers, or that is protected by labels or by distance."""
        for question in self.document.questions:
            found = self.document.promise.about(question.name)
            if len(found) == 1 and (self.level == math.inf or isinstance(found[0], Distance | EachItem)):
                promise = said(found[0]).promise
                yield f"About {question.name!r}, all your other answers being the same: {promise}"

    def _sent(self) -> Iterator[str]:
        least, most = self.sent_bytes
        unit = "byte" if most == 1 else "bytes"
        yield f"What is sent about your answers takes {least if least == most else f'{least} to {most}'} {unit}."

    def to_dict(self) -> dict[str, Any]:
        """The label as plain values for JSON."""
        d, (least, most) = self.document, self.sent_bytes
        arms = [
            {"weight": arm.weight, "parts": [{"questions": list(p.questions), **p.report.to_dict()} for p in parts]}
            for arm, parts in zip(d.arms, self.parts, strict=True)
        ]
        beliefs = [{"before": b.before, "least": b.least, "most": b.most} for b in self.beliefs]
        about = {"survey": d.name, "digest": d.digest, "title": d.title, "purpose": d.purpose, "owner": d.owner}
        terms = {"contact": d.contact, "topic": d.topic, "cap": d.cap, "period": d.period, "repeat": d.repeat}
        rounds = None if self.rounds is None else self.rounds.to_dict()
        sizes = {"least": least, "most": most}
        return {
            **about, **terms, "promise": d.promise.to_dict(), "rounds": rounds, "beliefs": beliefs, "bytes": sizes,
            "arms": arms, "unprotected": list(self.unprotected), "sentences": list(self.sentences),
        }  # fmt: skip

    def table(self) -> Table:
        """A row for each kind of report; parts of different arms that are alike are one."""
        people: dict[tuple[str, ...], int] = {}
        for arm, parts in zip(self.document.arms, self.parts, strict=True):
            for part in parts:
                report = part.report
                told = (report.promised, f"{report.bits}", of_hundred(report.own), of_hundred(report.other))
                key = (" and ".join(part.questions), *told)
                people[key] = people.get(key, 0) + arm.weight
        total = self.document.total_weight
        rows = [(name, f"{100 * n / total:.3g} of 100", *told) for (name, *told), n in people.items()]
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


def _facts(part: Part) -> PartFacts:
    return PartFacts(part.names, ReportFacts.of(part.mechanism))


def _drawn(document: Document) -> Iterator[str]:
    if len(document.arms) > 1:
        yield (
            f"Your device reports on one of {len(document.arms)} parts of this survey only, drawn by lot before it "
            "looks at your answers; all else that you answer never leaves it."
        )


def _again(document: Document) -> Iterator[str]:
    if document.repeat == "fresh":
        yield (
            f"You are asked again every {document.period}, and what all your answers tell together adds up: your "
            f"device stops once it reaches the limit of {document.cap:g} for the topic {document.topic!r}."
        )
    if document.repeat == "remembered":
        yield (
            f"You are asked again every {document.period}. Your device drew all that it will ever send about each "
            "answer when you agreed, and keeps it in this browser or app, whose storage shows it to anybody who can "
            "open it."
        )


def _open_of(document: Document, question: Question) -> list[str]:
    """Sentences on what is not protected of the answer to one question."""
    found = document.promise.about(question.name)
    return [line for guarantee in found for line in left_open(guarantee, repr(question.name))]
