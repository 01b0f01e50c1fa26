"""The privacy label of a survey: what follows from the document for the person asked, as facts and as sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from deniable_client.canonical import Spec
from deniable_client.labels import write_label
from deniable_client.mechanisms.mechanism import Mechanism
from deniable_client.privacy.guarantees import Blocks, Guarantee, HighLow
from deniable_client.privacy.informed import UnderPrior
from deniable_client.surveys.answers import width_of
from deniable_client.surveys.arms import Part
from deniable_client.surveys.document import REMEMBERED, Document
from deniable_client.surveys.promise import up
from deniable_client.values import Domain

MOST_LISTED = 4096
"""The most labels times reports of a table of probabilities."""
BELIEFS = (0.01, 0.1, 0.5)
"""What somebody may have believed of an answer before, for which the label says what they may believe after."""


def facts(document: Document) -> Spec:
    """The label as numbers: what is promised, how far beliefs can move, what is sent, and what each arm reports."""
    least, most = sent_bytes(document)
    promise = document.promise
    arms = [{"weight": arm.weight, "parts": [_part(part) for part in arm.parts]} for arm in document.arms]
    return {
        **{
            name: getattr(document, name) for name in ("digest", "title", "purpose", "owner", "contact", "topic", "cap")
        },
        **{name: getattr(document, name) for name in ("period", "repeat")},
        "survey": document.name,
        "level": _word(promise.level),
        "charge": promise.charge,
        "beliefs": [dict(zip(("before", "least", "most"), moved)) for moved in beliefs(promise.level)],
        "bytes": {"least": least, "most": most},
        "arms": arms,
        "unprotected": list(unprotected(document)),
        "sentences": list(sentences(document)),
    }


def sentences(document: Document) -> tuple[str, ...]:
    """The label in plain sentences, for the person asked: none says more than is proven."""
    return (*_drawn(document), *_promised(document), *_sent(document), *_again(document), *unprotected(document))


def unprotected(document: Document) -> tuple[str, ...]:
    """What the promise does not cover, in sentences."""
    about = ((name, guarantee) for name in document.by_name for guarantee in document.promise.about(name))
    lines = [line for name, guarantee in about for line in _open(name, guarantee)]
    return (*lines, "That you took part, and when, is not hidden by the randomness.")


def beliefs(level: float) -> list[tuple[float, float, float]]:
    """How far one answer can move a belief: before, at least and at most after; by Bayes, at a level of plain LDP.

    >>> beliefs(0.0)[1]
    (0.1, 0.1, 0.1)
    """
    if level == math.inf:
        return []
    odds = math.exp(min(level, 700.0))
    return [(b, b / (b + (1 - b) * odds), b * odds / (b * odds + 1 - b)) for b in BELIEFS]


def sent_bytes(document: Document) -> tuple[int, int]:
    """The least and the most bytes that an answer takes."""
    sizes = [width_of(document, number) for number in range(len(document.arms))]
    return min(sizes), max(sizes)


def _part(part: Part) -> Spec:
    """The facts of one report. ``own`` and ``other``: how often it fits an answer of its sender's, and another one.

    ``odds``: a truthful outcome is above/below times likelier, where the mechanism has one pair of odds; as text,
    for they need up to 64 bits.
    """
    m = part.mechanism
    own, other = (None, None) if m.support is None else map(float, m.support)
    odds = None if m.odds is None else {"above": str(m.odds.above), "below": str(m.odds.below)}
    told = {"mechanism": m.name, "guarantee": str(m.guarantee), "level": _word(m.guarantee.plain)}
    fits = {"bits": m.layout.bits, "own": own, "other": other}
    return {"questions": list(part.names), **told, **fits, "odds": odds, "chances": _chances(m)}


def _chances(m: Mechanism) -> list[Spec] | None:
    """The probability of each report from each label, as stored bytes in hexadecimal; None if there are too many."""
    if not isinstance(m.domain, Domain) or len(m.domain) * m.layout.outputs > MOST_LISTED:
        return None
    rows = ((label, m.chances(label)) for label in m.domain)
    return [
        {"value": write_label(label), "reports": {m.layout.stored(report).hex(): float(p) for report, p in row}}
        for label, row in rows
    ]


def _word(level: float) -> Any:
    return "inf" if level == math.inf else level


def _drawn(document: Document) -> Iterator[str]:
    if len(document.arms) > 1:
        yield (
            f"Your device draws by lot what it reports on, one of {len(document.arms)} choices, before it looks at "
            "your answers; all else that you answer never leaves it."
        )


def _promised(document: Document) -> Iterator[str]:
    level = document.promise.level
    if level == math.inf:
        yield (
            "Your answers are changed at random on your own device before anything is sent. What is protected, and "
            "what is not, differs by question."
        )
        return
    yield (
        "Your answers are changed at random on your own device before anything is sent. Whatever is sent could "
        f"come from any answers: it is at most {up(math.exp(min(level, 700.0)))} times likelier from yours than from "
        "anybody else's."
    )
    for before, least, most in beliefs(level):
        yield (
            f"Somebody who was {before:.0%} sure of one of your answers can be at most "
            f"{math.ceil(most * 1000) / 1000:.1%} sure, and is at least "
            f"{math.floor(least * 1000) / 1000:.1%} sure, after seeing what you send."
        )


def _sent(document: Document) -> Iterator[str]:
    least, most = sent_bytes(document)
    yield f"What is sent about your answers takes {least if least == most else f'{least} to {most}'} bytes."


def _again(document: Document) -> Iterator[str]:
    if document.repeat == "fresh":
        yield (
            f"You are asked again every {document.period}, and what all your answers tell together adds up: your "
            f"device stops once it reaches the limit of {document.cap:g} for the topic {document.topic!r}."
        )
    if document.repeat == REMEMBERED:
        yield (
            f"You are asked again every {document.period}. Your device drew all that it will ever send about each "
            "answer when you agreed, and keeps it in this browser or app, whose storage shows it to anybody who can "
            "open it."
        )
        yield (
            "Anybody who keeps all that your device sends can tell when your answer changed, and when an old one came "
            "back."
        )


def _open(name: str, guarantee: Guarantee) -> Iterator[str]:
    """What a guarantee leaves open of the answer to one question."""
    if isinstance(guarantee, HighLow):
        yield (
            f"Of {name!r} only {len(guarantee.places)} answers are protected; who gives one of the other "
            f"{len(guarantee.domain) - len(guarantee.places)} may be seen to have given none of those."
        )
    elif isinstance(guarantee, Blocks):
        yield f"Of {name!r} it is not hidden in which of {len(guarantee.places)} groups of answers yours is."
    elif isinstance(guarantee, UnderPrior):
        yield f"The promise about {name!r} is relative to how people were known to answer before."
    elif guarantee.plain == math.inf:
        yield f"Of {name!r} some pairs of answers can be told apart with certainty."
