"""The privacy label of a survey: what follows from the document for the person asked, as facts and as sentences."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..canonical import Spec
from ..labels import write_label
from ..mechanisms.mechanism import Mechanism
from ..privacy.levels import in_json
from ..say import Statement, english
from ..values import Domain
from .device_document import DeviceDocument, DevicePart
from .document import Document
from .label_statements import LabelStatements
from .statements import beliefs

MOST_LISTED = 4096
"""The most labels times reports of a table of probabilities."""
TERMS = ("digest", "title", "purpose", "owner", "contact", "topic", "cap", "period", "repeat")
"""The fields of a document that its label repeats as they are."""


def facts(document: DeviceDocument) -> Spec:
    """The label as numbers: what is promised, how far beliefs can move, what is sent, and what each arm reports."""
    label = LabelStatements(document)
    (least, most), rounds, promise = document.sent_bytes, document.rounds, document.promise
    arms = [{"weight": arm.weight, "parts": list(map(_part, arm.parts))} for arm in document.arms]
    return {
        **{name: getattr(document, name) for name in TERMS},
        **used(document),
        "survey": document.name,
        "level": in_json(promise.level),
        "charge": promise.charge,
        "rounds": None if rounds is None else asdict(rounds),
        "beliefs": [moved._asdict() for moved in beliefs(promise.level)],
        "bytes": {"least": least, "most": most},
        "arms": arms,
        "unprotected": list(map(english, label.unprotected)),
        "sentences": list(map(english, label.every)),
    }


def sentences(document: DeviceDocument) -> tuple[str, ...]:
    """The label in plain sentences, for the person asked: none says more than is proven."""
    return tuple(map(english, statements(document)))


def statements(document: DeviceDocument) -> tuple[Statement, ...]:
    """The label as statements, which ``say`` says in every language."""
    return LabelStatements(document).every


def used(document: Document[Any]) -> Spec:
    """Of the terms that most documents are without those that this one has; of translations their languages."""
    terms = {
        "population": document.population,
        "languages": list(document.languages),
        "kiosk": document.kiosk,
        "lan": document.lan,
        "carrier": document.carrier,
        "responsible": document.responsible,
        "crowd": document.crowd and document.crowd.to_json(),
    }
    return {name: value for name, value in terms.items() if value}


def _part(part: DevicePart) -> Spec:
    """The facts of one report. ``own`` and ``other``: how often it fits an answer of its sender's, and another one.

    ``odds``: a truthful outcome is above/below times likelier, where the mechanism has one pair of odds; as text,
    for they need up to 64 bits.
    """
    m = part.mechanism
    own, other = (None, None) if m.support is None else map(float, m.support)
    odds = None if m.odds is None else {"above": str(m.odds.above), "below": str(m.odds.below)}
    return {
        "questions": list(part.names), "mechanism": m.name, "guarantee": str(m.guarantee),
        "level": in_json(m.guarantee.plain), "bits": m.layout.bits, "own": own, "other": other, "odds": odds,
        "chances": _chances(m), "rounds": None if part.rounds is None else asdict(part.rounds),
    }  # fmt: skip


def _chances(m: Mechanism) -> list[Spec] | None:
    """The probability of each report from each label, as stored bytes in hexadecimal; None if there are too many."""
    if not isinstance(m.domain, Domain) or len(m.domain) * m.layout.outputs > MOST_LISTED:
        return None
    rows = ((label, m.chances(label)) for label in m.domain)
    return [
        {"value": write_label(label), "reports": {m.layout.stored(report).hex(): float(p) for report, p in row}}
        for label, row in rows
    ]
