"""The privacy label of a survey: what follows from the document for the person asked, as numbers and as sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.table import Table
from deniable.privacy.composition import local_level
from deniable.privacy.context import Blocks, HighLow
from deniable.privacy.guarantees import Guarantee
from deniable.privacy.informed import UnderPrior
from deniable.surveys.answer_bytes import answer_bytes
from deniable.surveys.arms import Part
from deniable.surveys.document import Document
from deniable.surveys.promise import up
from deniable.surveys.questions import Question

BELIEFS = (0.01, 0.1, 0.5)
"""What somebody may have believed of an answer before, for which the label says what they may believe after."""


@dataclass(frozen=True, slots=True)
class Belief:
    """How far one answer can move a belief: from ``before`` to somewhere between ``least`` and ``most``."""

    before: float
    least: float
    most: float

    @classmethod
    def at(cls, before: float, level: float) -> Belief:
        """By Bayes: the odds of a belief are multiplied by e^level at most, and divided by it at most.

        >>> Belief.at(0.1, 0.0)
        Belief(before=0.1, least=0.1, most=0.1)
        """
        odds = math.exp(min(level, 700.0))
        return cls(before, before / (before + (1 - before) * odds), before * odds / (before * odds + 1 - before))


@dataclass(frozen=True, slots=True)
class PartFacts:
    """What one report of an arm is: about which questions, of how many bits, and under which guarantee.

    Of 100 people with one answer ``own`` send a report that fits it; of 100 with another answer ``other`` do. None
    where reports do not fit answers one by one.
    """

    questions: tuple[str, ...]
    mechanism: str
    guarantee: str
    level: float
    bits: int
    own: float | None
    other: float | None


@dataclass(frozen=True, repr=False)
class Label:
    """A survey's privacy label. Printed it is the sentences, in a notebook also the table of questions."""

    document: Document

    @property
    def level(self) -> float:
        """The level of the whole answer; infinite where some question is protected only in part."""
        return self.document.promise.level

    @property
    def beliefs(self) -> tuple[Belief, ...]:
        """How far an answer moves a belief; none where no level of plain LDP is promised."""
        return tuple(Belief.at(before, self.level) for before in BELIEFS) if self.level < math.inf else ()

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
        return (*questions, "That you took part, and when, is not hidden by the randomness.")

    @property
    def sentences(self) -> tuple[str, ...]:
        """The label in plain sentences, for the person asked: none says more than is proven."""
        return (*_drawn(self.document), *self._promised(), *self._sent(), *_again(self.document), *self.unprotected)

    def _promised(self) -> Iterator[str]:
        if self.level < math.inf:
            odds = up(math.exp(min(self.level, 700.0)))
            yield (
                "Your answers are changed at random on your own device before anything is sent. Whatever is sent could "
                f"come from any answers: it is at most {odds} times likelier from yours than from anybody else's."
            )
            for belief in self.beliefs:
                yield (
                    f"Somebody who was {belief.before:.0%} sure of one of your answers can be at most "
                    f"{math.ceil(belief.most * 1000) / 1000:.1%} sure, and is at least "
                    f"{math.floor(belief.least * 1000) / 1000:.1%} sure, after seeing what you send."
                )
        else:
            yield (
                "Your answers are changed at random on your own device before anything is sent. What is protected, and "
                "what is not, differs by question."
            )

    def _sent(self) -> Iterator[str]:
        least, most = self.sent_bytes
        yield f"What is sent about your answers takes {least if least == most else f'{least} to {most}'} bytes."

    def to_dict(self) -> dict[str, Any]:
        """The label as plain values for JSON."""
        d, (least, most) = self.document, self.sent_bytes
        arms = [
            {"weight": arm.weight, "parts": [_as_dict(part) for part in parts]}
            for arm, parts in zip(d.arms, self.parts, strict=True)
        ]
        beliefs = [{"before": b.before, "least": b.least, "most": b.most} for b in self.beliefs]
        about = {"survey": d.name, "digest": d.digest, "title": d.title, "purpose": d.purpose, "owner": d.owner}
        terms = {"contact": d.contact, "topic": d.topic, "cap": d.cap, "period": d.period, "repeat": d.repeat}
        sizes = {"least": least, "most": most}
        return {
            **about, **terms, "promise": d.promise.to_dict(), "beliefs": beliefs, "bytes": sizes, "arms": arms,
            "unprotected": list(self.unprotected), "sentences": list(self.sentences),
        }  # fmt: skip

    def table(self) -> Table:
        """A row for each part of each arm."""
        total = self.document.total_weight
        rows = [
            (" and ".join(part.questions), f"{100 * arm.weight / total:.3g} of 100", part.guarantee, f"{part.bits}",
             _of_hundred(part.own), _of_hundred(part.other))
            for arm, parts in zip(self.document.arms, self.parts, strict=True) for part in parts
        ]  # fmt: skip
        headings = (
            "question", "people asked", "promised", "bits", "of 100 with an answer fit it", "of 100 others fit it",
        )  # fmt: skip
        return Table(f"Privacy label: {self.document.title or self.document.name}", headings, rows)

    def __str__(self) -> str:
        return "\n".join([str(self.table()), "", *(f"- {sentence}" for sentence in self.sentences)])

    def __repr__(self) -> str:
        return f"Label({self.document.name!r})"

    def _repr_html_(self) -> str:
        said = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.sentences)
        return f"{self.table()._repr_html_()}<ul>{said}</ul>"


def _facts(part: Part) -> PartFacts:
    law, guarantee = part.mechanism.law, part.mechanism.guarantee
    fits = (law.support.g, law.support.h) if isinstance(law, SupportLaw) else (None, None)
    bits, level = part.mechanism.report_bits, local_level(guarantee)
    return PartFacts(part.names, part.mechanism.name, str(guarantee), level, bits, *fits)


def _as_dict(part: PartFacts) -> dict[str, Any]:
    level: float | str = "inf" if part.level == math.inf else part.level
    told = {"mechanism": part.mechanism, "guarantee": part.guarantee, "level": level, "bits": part.bits}
    return {"questions": list(part.questions), **told, "own": part.own, "other": part.other}


def _of_hundred(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.3g}"


def _drawn(document: Document) -> Iterator[str]:
    if len(document.arms) > 1:
        yield (
            f"Your device draws by lot what it reports on, one of {len(document.arms)} choices, before it looks at "
            "your answers; all else that you answer never leaves it."
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
        yield (
            "Anybody who keeps all that your device sends can tell when your answer changed, and when an old one came "
            "back."
        )


def _open_of(document: Document, question: Question) -> list[str]:
    """Sentences on what is not protected of the answer to one question."""
    return [line for guarantee in document.promise.about(question.name) for line in _open(question.name, guarantee)]


def _open(name: str, guarantee: Guarantee) -> Iterator[str]:
    if isinstance(guarantee, HighLow):
        others = len(guarantee.domain) - len(guarantee.sensitive)
        yield (
            f"Of {name!r} only {len(guarantee.sensitive)} answers are protected; who gives one of the other {others} "
            "may be seen to have given none of those."
        )
    elif isinstance(guarantee, Blocks):
        yield f"Of {name!r} it is not hidden in which of {len(guarantee.blocks)} groups of answers yours is."
    elif isinstance(guarantee, UnderPrior):
        yield f"The promise about {name!r} is relative to how people were known to answer before."
    elif local_level(guarantee) == math.inf:
        yield f"Of {name!r} some pairs of answers can be told apart with certainty."
