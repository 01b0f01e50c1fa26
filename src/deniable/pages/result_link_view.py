"""Links to results as their author reads them: for whom, until when, when last opened."""

from __future__ import annotations

import datetime
from typing import Final, NamedTuple

from deniable.collector.clock import day_of
from deniable.collector.storage.visits import BY_HAND, RESTORED, ResultLinkRow
from deniable.estimation.words import quoted
from deniable.pages.label_terms import day
from deniable.sentence import Sentence, listed, sentence
from deniable.surveys.survey import Survey

ASKED: Final = sentence("Everybody who was asked")


class LinkView(NamedTuple):
    """A link that is good now."""

    id: str
    title: str
    made: str
    """When and by whom."""
    ends: str
    opened: str
    is_locked: bool
    """Whether it has a password."""
    sees: str
    """What it opens."""


def link_view(row: ResultLinkRow, survey: Survey, now: float, zone: datetime.tzinfo, asked: bytes) -> LinkView:
    """A link in words; ``asked`` is the hash of the one for everybody who was asked."""
    last = _day_in(row.until, zone)
    days = (last - _day_in(now, zone)).days
    opened = _words(datetime.date.fromisoformat(row.opened)) if row.opened else sentence("never")
    made = sentence("made on {day} by {token}", day=_words(datetime.date.fromisoformat(row.day)), token=row.name)
    when = sentence("today") if row.opened == day_of(now) else opened
    return LinkView(
        row.hash.hex(), _title(row, asked), made, _ends(last, days), when, bool(row.salt), _sees(row, survey)
    )


def _ends(last: datetime.date, days: int) -> Sentence:
    """On which day, and how soon that is."""
    if days == 0:
        return sentence("{day}, tonight", day=_words(last))
    if days == 1:
        return sentence("{day}, tomorrow", day=_words(last))
    return sentence("{day}, in {days} days", day=_words(last), days=days)


def _sees(row: ResultLinkRow, survey: Survey) -> Sentence:
    """What whoever follows it may see; never the answers."""
    if row.only is None:
        return sentence("the whole result: every question, over time, together, and downloads of the numbers")
    named = [quoted(each.wording or each.name) for each in survey.questions if each.name in row.only]
    if not named:
        return sentence("questions of an earlier version")
    return sentence(
        "{count} questions of {all}: {names}", one="one question of {all}: {names}",
        count=len(named), all=len(survey.questions), names=listed(named),
    )  # fmt: skip


def ended_in_words(row: ResultLinkRow, now: float, zone: datetime.tzinfo, asked: bytes) -> Sentence:
    """A link that is good no longer."""
    title, day = _title(row, asked), _words(_day_in(row.until, zone))
    if row.until > now:
        return sentence("“{title}”, ended with the token of {token}", title=title, token=row.name)
    if row.ended == BY_HAND:
        return sentence("“{title}”, ended by hand on {day}", title=title, day=day)
    if row.ended == RESTORED:
        return sentence("“{title}”, ended as the server was restored from a backup, on {day}", title=title, day=day)
    return sentence("“{title}”, ended on {day}", title=title, day=day)


def _title(row: ResultLinkRow, asked: bytes) -> str:
    return ASKED if row.hash == asked else row.title or sentence("Whoever has the link")


def _day_in(moment: float, zone: datetime.tzinfo) -> datetime.date:
    return datetime.datetime.fromtimestamp(moment, zone).date()


def _words(date: datetime.date) -> Sentence:
    return sentence("{day}", day=day(date))
