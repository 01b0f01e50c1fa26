"""Links to results as their author reads them: for whom, until when, when last opened."""

from __future__ import annotations

import datetime
from typing import Final, NamedTuple

from deniable.estimation.words import in_a_row, quoted
from deniable.intake.clock import day_of
from deniable.intake.storage.visits import BY_HAND, RESTORED, ResultLinkRow
from deniable.pages.moments import day
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.survey import Survey

ASKED: Final = Statement("everybody_who_was_asked")


class LinkView(NamedTuple):
    """A link that is good now."""

    id: str
    title: Phrase
    made: Phrase
    """When and by whom."""
    ends: Phrase
    opened: Phrase
    is_locked: bool
    """Whether it has a password."""
    sees: Phrase
    """What it opens."""


def link_view(row: ResultLinkRow, survey: Survey, now: float, zone: datetime.tzinfo, asked: bytes) -> LinkView:
    """A link in words; ``asked`` is the hash of the one for everybody who was asked."""
    last = _day_in(row.until, zone)
    days = (last - _day_in(now, zone)).days
    opened = _in_words(datetime.date.fromisoformat(row.opened)) if row.opened else Statement("never")
    statement = Statement("made_on_by", day=_in_words(datetime.date.fromisoformat(row.day)), token=row.name)
    when = Statement("today") if row.opened == day_of(now) else opened
    return LinkView(
        row.hash.hex(), _title(row, asked), statement, _ends(last, days), when, bool(row.salt), _sees(row, survey)
    )


def _ends(last: datetime.date, days: int) -> Statement:
    """On which day, and how soon that is."""
    if days == 0:
        return Statement("tonight", day=_in_words(last))
    if days == 1:
        return Statement("tomorrow", day=_in_words(last))
    return Statement("in_days", day=_in_words(last), days=days)


def _sees(row: ResultLinkRow, survey: Survey) -> Statement:
    """What whoever follows a link may see; never the answers."""
    if row.only is None:
        return Statement("the_whole_result_every")
    wordings = [quoted(each.wording or each.name) for each in survey.questions if each.name in row.only]
    if not wordings:
        return Statement("questions_of_an_earlier")
    return Statement("questions_of", count=len(wordings), all=len(survey.questions), names=in_a_row(wordings))


def ended_in_words(row: ResultLinkRow, now: float, zone: datetime.tzinfo, asked: bytes) -> Statement:
    """A link that is good no longer."""
    title, day = _title(row, asked), _in_words(_day_in(row.until, zone))
    if row.until > now:
        return Statement("ended_with_the_token_of", title=title, token=row.name)
    if row.ended == BY_HAND:
        return Statement("ended_by_hand_on", title=title, day=day)
    if row.ended == RESTORED:
        return Statement("ended_as_the_server_was_restored", title=title, day=day)
    return Statement("ended_on", title=title, day=day)


def _title(row: ResultLinkRow, asked: bytes) -> Phrase:
    return ASKED if row.hash == asked else row.title or Statement("whoever_has_the_link")


def _day_in(moment: float, zone: datetime.tzinfo) -> datetime.date:
    return datetime.datetime.fromtimestamp(moment, zone).date()


def _in_words(date: datetime.date) -> Statement:
    return Statement("day", day=day(date))
