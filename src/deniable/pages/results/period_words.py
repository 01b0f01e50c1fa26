"""Periods as people call them: "week of 31 August", never 2026-W36; and the dates from which to which something is."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Final, NamedTuple

from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Phrase, Statement
from deniable.protocol.surveys.periods import ONCE, Times, bounds_of, calendar_bounds, period_at

LAST_MOMENT: Final = datetime.timedelta(seconds=1)
"""So long before its end a period still has its last day."""
MONTHS: Final = (
    Statement("jan"), Statement("feb"), Statement("mar"), Statement("apr"), Statement("may"), Statement("jun"),
    Statement("jul"), Statement("aug"), Statement("sep"), Statement("oct"), Statement("nov"), Statement("dec"),
)  # fmt: skip


class PeriodNoun(NamedTuple):
    """What a period of a survey is called: a week as a heading, one week, weeks, each week, week by week."""

    name: Statement
    one: Statement
    many: Statement
    each: Statement
    one_by_one: Statement


NOUNS: Final = {
    "day": PeriodNoun(
        Statement("day_heading"), Statement("one_day"), Statement("days_word"), Statement("each_day"),
        Statement("day_by_day"),
    ),
    "week": PeriodNoun(
        Statement("week"), Statement("one_week"), Statement("weeks"), Statement("each_week"), Statement("week_by_week")
    ),
    "month": PeriodNoun(
        Statement("month"), Statement("one_month"), Statement("months"), Statement("each_month"),
        Statement("month_by_month"),
    ),
    "once": PeriodNoun(
        Statement("period"), Statement("one_period"), Statement("periods_word"), Statement("each_period"),
        Statement("period_by_period"),
    ),
}  # fmt: skip


def period_words(times: Times, name: str, *, short: bool = False) -> Phrase:
    """A period in words, or as it stands if it is none of the survey's; empty where there is but one.

    In short a day goes without its year, for lists of periods that follow each other.

    >>> import deniable as dn
    >>> survey = dn.Survey.plan("ways", [dn.OneOf("way", ["car", "bus"])], 2.0, 500, period="week")
    >>> english(period_words(survey, "2026-W36"))
    'week of 31 August 2026'
    >>> english(period_words(survey, "2026-W36", short=True))
    'week of 31 Aug'
    """
    try:
        begins = _first_day(times, name)
    except ParameterError:  # whoever sends uploads names their periods, and may be wrong
        return name
    if begins is None:
        return ""
    if times.period == "month":
        return Statement("month_year", month=Statement(f"month_{begins.month}"), year=str(begins.year))
    day = _short_day(begins) if short else _day(begins, year=True)
    return day if times.period == "day" else Statement("week_of", day=day)


def short_dates(times: Times, names: Sequence[str]) -> list[Phrase]:
    """The first days of periods in a row, each month named once.

    >>> import deniable as dn
    >>> survey = dn.Survey.plan("ways", [dn.OneOf("way", ["car", "bus"])], 2.0, 500, period="week")
    >>> [english(each) for each in short_dates(survey, ["2026-W36", "2026-W37", "2026-W38"])]
    ['31 Aug', '7 Sep', '14']
    """
    dates: list[Phrase] = []
    month_before: Statement | None = None
    for name in names:
        begins = _first_day(times, name)
        if begins is None:
            dates.append("")
            continue
        current = MONTHS[begins.month - 1]
        if times.period == "month":
            january = Statement("month_year", month=current, year=str(begins.year))
            dates.append(january if begins.month == 1 else current)
        else:
            dates.append(Statement("day", day=begins.day) if current == month_before else _short_day(begins))
        month_before = current
    return dates


def dates_between(times: Times, first: str, last: str) -> Phrase:
    """From which day to which two periods reach, cut off where the survey opens and closes; empty if it does not say.

    >>> import deniable as dn
    >>> survey = dn.Survey.plan("ways", [dn.OneOf("way", ["car", "bus"])], 2.0, 500, period="week")
    >>> english(dates_between(survey, "2026-W36", "2026-W39")), english(dates_between(survey, "2026-W53", "2026-W53"))
    ('31 August to 27 September 2026', '28 December 2026 to 3 January 2027')
    >>> english(dates_between(survey, "2026-W37", "2026-W38"))
    '7 to 20 September 2026'
    """
    begins, ends = bounds_of(times, first)[0], bounds_of(times, last)[1]
    end = None if ends is None else ends - LAST_MOMENT
    if begins is None or end is None:
        if begins is not None:
            return Statement("from_day", day=_day(begins, year=True))
        return "" if end is None else Statement("until_day", day=_day(end, year=True))
    if begins.date() == end.date():
        return _day(begins, year=True)
    if (begins.year, begins.month) == (end.year, end.month):
        day = Statement("day", day=begins.day)
    else:
        day = _day(begins, year=begins.year != end.year)
    return Statement("to_first_last", first=day, last=_day(end, year=True))


def periods_between(times: Times, first: str, last: str) -> list[str]:
    """All periods from one to another, those that nobody answered too.

    >>> import deniable as dn
    >>> survey = dn.Survey.plan("ways", [dn.OneOf("way", ["car", "bus"])], 2.0, 500, period="week")
    >>> periods_between(survey, "2026-W52", "2027-W01")
    ['2026-W52', '2026-W53', '2027-W01']
    """
    names = [first]
    while names[-1] != last and (ends := calendar_bounds(times, names[-1])[1]) is not None:
        names.append(period_at(times, ends))
    return names


def _first_day(times: Times, name: str) -> datetime.datetime | None:
    """When a period begins; None of the one period of a survey that asks but once."""
    return None if name in ("", ONCE) else calendar_bounds(times, name)[0]


def _day(day: datetime.datetime, year: bool) -> Statement:
    month = Statement(f"month_{day.month}")
    if year:
        return Statement("day_month_year", day=day.day, month=month, year=str(day.year))
    return Statement("day_month", day=day.day, month=month)


def _short_day(day: datetime.datetime) -> Statement:
    return Statement("day_month", day=day.day, month=MONTHS[day.month - 1])
