"""The terms of a survey in words: who asks, how often, until when, and what is kept; and its technical facts."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator

from deniable.protocol.surveys.fields import read_time
from deniable.surveys.document import Document
from deniable.surveys.label import Label
from deniable.surveys.sayings import factor

DAY = 86400
HOUR = 3600
READERS = (
    "Whoever this server's operator or the survey's author lets in, also by a link: they see results over all people "
    "together. Those who audit may also export the reports, each of which is already mixed with chance."
)
Row = tuple[str, str]


def terms_of(document: Document) -> tuple[Row, ...]:
    """Who asks, what for, when and how long: for everybody."""
    asker = " · ".join(filter(None, (document.owner, document.contact))) or "not said"
    kept = f"Each report for {span(document.keep)} after its period was closed; sums over all people for good."
    return (
        ("Asked by", asker),
        ("Purpose", document.purpose or "not said"),
        ("Asked", how_often(document)),
        ("When", when(document)),
        ("Who reads", READERS),
        ("Shown", f"No result before a period has {document.minimum:,} answers."),
        ("Kept", kept),
    )


def facts_of(label: Label) -> tuple[Row, ...]:
    """The technical facts, as their documents have them."""
    document = label.document
    return (
        *_promise(label),
        ("Mechanism", "; ".join(_mechanisms(label))),
        ("Topic", f"{document.topic}: on all surveys about it together, one device spends at most {document.cap:g}"),
        ("Costs a device", f"{document.promise.charge:g}"),
        ("Chance from", "the device's own system"),
    )


def _promise(label: Label) -> Iterator[Row]:
    """The levels that hold of whole answers, with what they hold of."""
    rounds, level = label.rounds, label.level
    if rounds is not None:
        yield "One round", f"{rounds.each:g}-LDP"
        yield "All rounds, answers unchanged", f"{rounds.unchanged:g}-LDP"
        yield "A life of rounds", f"level {rounds.life:g}, between answers that change and come back at the same times"
    elif level == math.inf:
        yield "Guarantee", "in part, question by question"
    else:
        yield "Guarantee of a whole answer", f"{level:g}-LDP, delta 0"
        yield "Odds", f"at most {factor(level)} : 1"


def when(document: Document) -> str:
    """From when to when it is asked."""
    opens = "from the start" if document.opens is None else f"from {moment(document.opens)}"
    return f"{opens} until {'it is closed by hand' if document.closes is None else moment(document.closes)}"


def moment(written: str) -> str:
    """A moment of a document as people write it.

    >>> moment("2026-08-03T10:00:00Z")
    '3 August 2026, 10:00 UTC'
    """
    return moment_of(read_time(written))


def moment_of(time: datetime.datetime) -> str:
    """A moment as people write it."""
    return f"{day(time)}, {time:%H:%M} UTC"


def day(time: datetime.date) -> str:
    """A day in words."""
    return f"{time.day} {time:%B %Y}"


def how_often(document: Document) -> str:
    """How often one person is asked."""
    if document.repeat == "once":
        return "each browser or device once" + (
            "" if document.period == "once" else f", counted by the {document.period}"
        )
    return f"each browser or device every {document.period}"


def span(seconds: int) -> str:
    """A stretch of time in words.

    >>> span(90 * 86400), span(7200), span(60)
    ('90 days', '2 hours', '60 seconds')
    """
    for size, unit in ((DAY, "day"), (HOUR, "hour")):
        if seconds and seconds % size == 0:
            return f"{seconds // size} {unit}{'' if seconds == size else 's'}"
    return f"{seconds} seconds"


def _mechanisms(label: Label) -> Iterator[str]:
    """Each mechanism once, with what it promises and how long its report is."""
    seen = dict.fromkeys(
        f"{part.report.mechanism}, {part.report.promised}, {_bits(part.report.bits)}, of {' and '.join(part.questions)}"
        for arm in label.parts for part in arm
    )  # fmt: skip
    yield from seen


def _bits(count: int) -> str:
    return f"{count} bit{'' if count == 1 else 's'}"
