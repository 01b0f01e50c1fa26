"""The terms of a survey in words: who asks, how often, until when, and what is kept; and its technical facts."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Iterator

from deniable.collector.closing import DISCARDING
from deniable.intake.doors import Doors
from deniable.mechanisms.repeat.linked import levels_of_rounds
from deniable.pages.moments import day, moment
from deniable.protocol.say import Language, Phrase, Statement, up
from deniable.protocol.surveys.protection import GRADES, Protection
from deniable.surveys.arms import Part
from deniable.surveys.document import Document
from deniable.surveys.label import Label, kept_for, span

LAST_DAY = datetime.datetime(9999, 12, 31, tzinfo=datetime.UTC).timestamp()
"""Later moments have no date."""
Row = tuple[str, str]
"""A term or a fact: what it is called, and what it is."""


def terms_of(document: Document, say: Language, purpose: str | None = None) -> tuple[Row, ...]:
    """Who is responsible, what for, when and how long: for everybody; ``purpose`` is the document's, translated."""
    stated = {name: (say(name), text) for name, text in (document.responsible or {}).items()}
    not_said = say("not_said")
    meant = () if document.population is None else ((say("meant"), say("meant_for", count=document.population)),)
    return (
        stated.get("controller", (say("controller"), not_said)),
        (say("by"), " · ".join(filter(None, (document.owner, document.contact))) or not_said),
        *([] if document.contact else [(say("contact"), not_said)]),
        stated.get("officer", (say("officer"), not_said)),
        stated.get("authority", (say("authority"), not_said)),
        (say("purpose"), purpose or document.purpose or not_said),
        *meant,
        stated.get("legal_basis", (say("legal_basis"), not_said)),
        stated.get("host", (say("host"), not_said)),
        (say("reads"), say("readers")),
        (say("asked_when"), say(how_often(document))),
        (say("when"), say(when(document))),
    )


def kept_of(document: Document, ended: float | None = None) -> tuple[Statement, ...]:
    """From how many answers on a result is shown, and how long what was sent is kept."""
    return Statement("minimum", count=document.minimum), keeping(document, ended)


def keeping(document: Document, ended: float | None = None) -> Statement:
    """When a collector deletes reports: by which day, if it is known when the survey ends or did; else how long after.

    Answers that were on their way are taken while grace lasts, and a collector looks only now and then for what to
    delete.
    """
    deleted = Doors(document, ended).discards_all + DISCARDING
    if deleted >= LAST_DAY:
        return kept_for(document)
    periods = "once" if document.period == "once" else "each"
    date = day(datetime.datetime.fromtimestamp(deleted, datetime.UTC))
    return Statement(f"keeping_{periods}_until", span=span(document.keep), date=date)


def facts_of(label: Label, say: Language) -> tuple[Row, ...]:
    """The technical facts, as their documents have them."""
    document = label.document
    reports = dict.fromkeys(say(reports_of(part)) for arm in document.arms for part in arm.parts)
    rows = (
        *_promise(label),
        ("topic", Statement("spends", topic=document.topic, cap=document.cap)),
        ("costs", Statement("cost", level=document.promise.charge)),
        ("chance", Statement("own_system")),
    )
    facts = [(say(name), say(fact)) for name, fact in rows]
    facts.insert(-3, (say("mechanism"), "; ".join(reports)))
    return tuple(facts)


def _promise(label: Label) -> Iterator[tuple[str, Statement]]:
    """The levels that hold of whole answers, with what they hold of."""
    rounds, level = label.rounds, label.level
    if rounds is not None:
        yield "one_round", Statement("ldp", level=rounds.each)
        yield "rounds_unchanged", Statement("ldp", level=rounds.unchanged)
        yield "life_of_rounds", Statement("life_level", level=rounds.life)
    elif level == math.inf:
        yield "guarantee", Statement("in_part")
    else:
        yield "whole_guarantee", Statement("pure", level=level)
        yield "odds", Statement("at_most_odds", level=level)


def when(document: Document) -> Statement:
    """From when to when a survey is asked."""
    first = Statement("from_start")
    if document.opens is not None:
        first = Statement("from_moment", moment=moment(document.opens))
    if document.closes is None:
        return Statement("until_closed", opens=first)
    return Statement("until", opens=first, closes=moment(document.closes))


def how_often(document: Document) -> Statement:
    """How often one person is asked."""
    if document.repeat != "once":
        return Statement("asked_every", every=Statement(f"every_{document.period}"))
    if document.period == "once":
        return Statement("asked_once")
    return Statement("asked_once_by", by=Statement(f"by_{document.period}"))


def reveals_of(document: Document, others: Iterable[Document] = ()) -> tuple[Statement, ...]:
    """What all surveys on the topic together may reveal about one device, where that may be more than this one does.

    A device keeps to the limit of the first survey on the topic that it answers: at most to the highest one. A kiosk
    begins anew for each person, so nothing is said of it.
    """
    surveys = [document, *(other for other in others if other.topic == document.topic)]
    limit = max(each.cap for each in surveys)
    is_only = document.topic == document.name and {each.digest for each in surveys} == {document.digest}
    if any(each.kiosk for each in surveys) or (is_only and limit <= document.promise.charge):
        return ()
    key = "topic_reveals" if all(each.promise.level < math.inf for each in surveys) else "topic_reveals_part"
    return (Statement(key, topic=document.topic, guess=Protection(limit).guess()),)


def grade_of(label: Label) -> Statement | None:
    """How strong the protection of whole answers is, among all grades; None where some answers have none."""
    protection = Protection.of(label.document)
    if protection.level == math.inf:
        return None
    return Statement("grades", grade=protection.name, **GRADES, level=protection.level)


def level_shown(level: float | str) -> str:
    """A level of a certificate as people read it, rounded up; a text if it is no number.

    >>> level_shown(0.9999999999996901), level_shown(2.0), level_shown("inf")
    ('1', '2', 'inf')
    """
    return up(level) if isinstance(level, float) and math.isfinite(level) else str(level)


def reports_of(part: Part) -> Statement:
    """A mechanism, with what it promises, how long its report is, and what it is of."""
    mechanism = part.mechanism
    rounds, promise = levels_of_rounds(mechanism), mechanism.guarantee.called
    if rounds is not None:
        promise = Statement("remembered_promise", promise=promise, life=rounds.life)
    questions: Phrase = part.names[0]
    for name in part.names[1:]:
        questions = Statement("pair", first=questions, second=name)
    return Statement(
        "reports", mechanism=mechanism.name, promise=promise, questions=questions, count=mechanism.report_bits
    )
