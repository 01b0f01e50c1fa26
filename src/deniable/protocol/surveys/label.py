"""The privacy label of a survey: what follows from the document for the person asked, as facts and as sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ..canonical import Spec
from ..labels import write_label
from ..mechanisms.mechanism import Mechanism
from ..privacy.distance import Distance
from ..privacy.each_item import EachItem
from ..values import Domain
from .answers import width_of
from .arms import Part
from .document import REMEMBERED, Document
from .rounds import ABOUT, RoundLevels, shown_changes
from .sayings import SEEN, TAKING_PART, Said, beliefs, factor, left_open, promised

CHANGED = (
    "Your own device mixes your answers with chance before anything is sent: what it sends may fit your answers, or "
    "others."
)
MOST_LISTED = 4096
"""The most labels times reports of a table of probabilities."""


def facts(document: Document) -> Spec:
    """The label as numbers: what is promised, how far beliefs can move, what is sent, and what each arm reports."""
    least, most = sent_bytes(document)
    promise, rounds = document.promise, rounds_of(document)
    arms = [{"weight": arm.weight, "parts": [_part(part) for part in arm.parts]} for arm in document.arms]
    return {
        **{
            name: getattr(document, name) for name in ("digest", "title", "purpose", "owner", "contact", "topic", "cap")
        },
        **{name: getattr(document, name) for name in ("period", "repeat")},
        "survey": document.name,
        "level": _word(promise.level),
        "charge": promise.charge,
        "rounds": None if rounds is None else asdict(rounds),
        "beliefs": [dict(zip(("before", "least", "most"), moved, strict=True)) for moved in beliefs(promise.level)],
        "bytes": {"least": least, "most": most},
        "arms": arms,
        "unprotected": list(unprotected(document)),
        "sentences": list(sentences(document)),
    }


def sentences(document: Document) -> tuple[str, ...]:
    """The label in plain sentences, for the person asked: none says more than is proven."""
    return (*_drawn(document), *_promised(document), *_sent(document), *_again(document), *unprotected(document))


def rounds_of(document: Document) -> RoundLevels | None:
    """The levels of remembered reports; None of a survey that remembers nothing."""
    arms = (RoundLevels.of([part.mechanism for part in arm.parts]) for arm in document.arms)
    kept = [levels for levels in arms if levels is not None]
    return RoundLevels.dearest(kept) if kept else None


def unprotected(document: Document) -> tuple[str, ...]:
    """What the promise does not cover, in sentences."""
    about = ((name, guarantee) for name in document.by_name for guarantee in document.promise.about(name))
    lines = [line for name, guarantee in about for line in left_open(guarantee, repr(name))]
    mechanisms = [part.mechanism for arm in document.arms for part in arm.parts]
    linked = () if rounds_of(document) is None else shown_changes(mechanisms)
    return (*lines, *linked, TAKING_PART)


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
    rounds = RoundLevels.of([m])
    told = {"mechanism": m.name, "guarantee": str(m.guarantee), "level": _word(m.guarantee.plain)}
    fits = {"bits": m.layout.bits, "own": own, "other": other}
    levels = None if rounds is None else asdict(rounds)
    more = {"odds": odds, "chances": _chances(m), "rounds": levels}
    return {"questions": list(part.names), **told, **fits, **more}


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
            f"Your device reports on one of {len(document.arms)} parts of this survey only, drawn by lot before it "
            "looks at your answers; all else that you answer never leaves it."
        )


def _promised(document: Document) -> Iterator[str]:
    level, rounds = document.promise.level, rounds_of(document)
    yield CHANGED
    if rounds is not None:
        yield from rounds.sentences
        return
    if level < math.inf:
        once = f" in one {document.period}" if document.repeat == "fresh" else ""
        whole = (
            f"Whatever is sent{once} could have come from any other answers too: it is at most {factor(level)} times "
            "likelier from yours than from anybody else's."
        )
        yield from Said(whole, level, ABOUT, seen=f"{SEEN}{once}").sentences
    else:
        yield "What is protected, and what is not, differs by question."
    yield from _by_question(document)


def _by_question(document: Document) -> Iterator[str]:
    """Of each question that no level of whole answers covers, or that is protected by labels or by distance."""
    for name in document.by_name:
        found = document.promise.about(name)
        if len(found) == 1 and (document.promise.level == math.inf or isinstance(found[0], (Distance, EachItem))):
            yield f"About {name!r}, all your other answers being the same: {promised(found[0])}"


def _sent(document: Document) -> Iterator[str]:
    least, most = sent_bytes(document)
    unit = "byte" if most == 1 else "bytes"
    yield f"What is sent about your answers takes {least if least == most else f'{least} to {most}'} {unit}."


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
