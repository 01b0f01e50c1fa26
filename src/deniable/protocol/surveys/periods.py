"""Periods: the stretches of time whose answers are counted together; their names and bounds follow from a document."""

from __future__ import annotations

import datetime
import re
from typing import Protocol

from ..checks import shown
from ..errors import ParameterError
from ..fields import read_time

ONCE = "once"
NAMES = {"day": "[0-9]{4}-[0-9]{2}-[0-9]{2}", "week": "[0-9]{4}-W[0-9]{2}", "month": "[0-9]{4}-[0-9]{2}"}
LATE = 7 * 86400
"""Seconds after the last door of a survey until nothing more is drawn for it."""
Bounds = tuple[datetime.datetime | None, datetime.datetime | None]
"""When a period begins and ends; None where the survey says nothing."""


class Times(Protocol):
    """What a document says of its times."""

    @property
    def period(self) -> str:
        """How long its periods are."""
        ...

    @property
    def opens(self) -> str | None:
        """From when on one may answer."""
        ...

    @property
    def closes(self) -> str | None:
        """Until when."""
        ...

    @property
    def grace(self) -> int:
        """Seconds after a period's end in which its answers are still taken."""
        ...


def period_at(document: Times, now: datetime.datetime) -> str:
    """The name of the period that a moment belongs to: once, 2026-08-01, 2026-W31 (ISO 8601) or 2026-08, in UTC."""
    day = now.astimezone(datetime.UTC)
    if document.period == "day":
        return day.strftime("%Y-%m-%d")
    if document.period == "week":
        year, week, _ = day.isocalendar()
        return f"{year:04}-W{week:02}"
    return day.strftime("%Y-%m") if document.period == "month" else ONCE


def bounds_of(document: Times, name: str) -> Bounds:
    """When a period begins and ends: its first and its last moment, cut off where the survey opens and closes."""
    begins, ends = calendar_bounds(document, name)
    opens = None if document.opens is None else read_time(document.opens)
    closes = None if document.closes is None else read_time(document.closes)
    first = max((t for t in (begins, opens) if t is not None), default=None)
    last = min((t for t in (ends, closes) if t is not None), default=None)
    if first is not None and last is not None and first >= last:
        raise ParameterError(f"the period must lie within the survey's time, got {name!r}, which does not")
    return first, last


def count_of(document: Times) -> int:
    """How many periods a survey has that opens and closes.

    >>> from types import SimpleNamespace as Document
    >>> count_of(Document(period="month", opens="2026-11-30T23:59:59Z", closes="2027-01-01T00:00:01Z"))
    3
    """
    if document.opens is None or document.closes is None:
        raise ParameterError("periods are counted of a survey that opens and closes, got one that does not")
    first, last = read_time(document.opens), read_time(document.closes) - datetime.timedelta(seconds=1)
    if document.period == "month":
        return 12 * (last.year - first.year) + last.month - first.month + 1
    if document.period == ONCE:
        return 1
    days, end = first.toordinal(), last.toordinal()
    return end - days + 1 if document.period == "day" else (end - 1) // 7 - (days - 1) // 7 + 1


def check_not_over(document: Times, now: float) -> None:
    """Refuse to draw what no collector takes: a clock may be slow or fast by a week, but not by more."""
    if document.closes is not None and now > read_time(document.closes).timestamp() + document.grace + LATE:
        raise ParameterError(f"the survey must be open, got a time long after it closed at {document.closes}")


def calendar_bounds(document: Times, name: str) -> Bounds:
    """The calendar's bounds of a period, whose name has to be in the survey's own form."""
    if document.period == ONCE and name == ONCE:
        return None, None
    begins = _first_day(document.period, name)
    if begins is None:
        raise ParameterError(f"the period must be one of the survey's, each a {document.period}, got {shown(name)}")
    return begins, _end(document.period, begins)


def _first_day(period: str, name: str) -> datetime.datetime | None:
    """When the day, the week or the month of a name begins; None if there is no such one."""
    if not re.fullmatch(NAMES.get(period, ""), name):
        return None
    try:
        if period == "week":
            day = datetime.date.fromisocalendar(int(name[:4]), int(name[6:]), 1)
        else:
            day = datetime.date.fromisoformat(name if period == "day" else f"{name}-01")
        first = datetime.datetime(day.year, day.month, day.day, tzinfo=datetime.UTC)
        _end(period, first)
    except (ValueError, OverflowError):  # the calendar has no such day, or none after it
        return None
    return first


def _end(period: str, begins: datetime.datetime) -> datetime.datetime:
    """The first moment after a period."""
    if period == "month":
        return (begins + datetime.timedelta(days=32)).replace(day=1)
    return begins + datetime.timedelta(days=7 if period == "week" else 1)
