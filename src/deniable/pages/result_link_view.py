"""Links to results as their author reads them: for whom, until when, when last opened."""

from __future__ import annotations

import datetime
from typing import Final, NamedTuple

from deniable.collector.clock import day_of
from deniable.collector.storage.visits import BY_HAND, RESTORED, ResultLinkRow
from deniable.pages.label_terms import day
from deniable.protocol.say import english
from deniable.surveys.survey import Survey

ASKED: Final = "Everybody who was asked"
ENDED: Final = {BY_HAND: "ended by hand on", RESTORED: "ended as the server was restored from a backup, on"}
"""How a link ended; others did when their time was over, or with the token of whoever made them."""


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
    ends = f"{_words(last)}, {'tonight' if days == 0 else 'tomorrow' if days == 1 else f'in {days:,} days'}"
    opened = _words(datetime.date.fromisoformat(row.opened)) if row.opened else "never"
    made = f"made on {_words(datetime.date.fromisoformat(row.day))} by {row.name}"
    when = "today" if row.opened == day_of(now) else opened
    return LinkView(row.hash.hex(), _title(row, asked), made, ends, when, bool(row.salt), _sees(row, survey))


def _sees(row: ResultLinkRow, survey: Survey) -> str:
    """What whoever follows it may see; never the answers."""
    if row.only is None:
        return "the whole result: every question, over time, together, and downloads of the numbers"
    named = [f"“{each.wording or each.name}”" for each in survey.questions if each.name in row.only]
    if not named:
        return "questions of an earlier version"
    count = "one question" if len(named) == 1 else f"{len(named)} questions"
    return f"{count} of {len(survey.questions)}: {', '.join(named)}"


def ended_in_words(row: ResultLinkRow, now: float, zone: datetime.tzinfo, asked: bytes) -> str:
    """A link that is good no longer."""
    if row.until > now:
        return f"“{_title(row, asked)}”, ended with the token of {row.name}"
    return f"“{_title(row, asked)}”, {ENDED.get(row.ended, 'ended on')} {_words(_day_in(row.until, zone))}"


def _title(row: ResultLinkRow, asked: bytes) -> str:
    return ASKED if row.hash == asked else row.title or "Whoever has the link"


def _day_in(moment: float, zone: datetime.tzinfo) -> datetime.date:
    return datetime.datetime.fromtimestamp(moment, zone).date()


def _words(date: datetime.date) -> str:
    return english(day(date))
