"""Days and moments in words."""

from __future__ import annotations

import datetime

from deniable.protocol.fields import read_time
from deniable.protocol.say import Statement


def moment(written: str) -> Statement:
    """A moment of a document as people write it.

    >>> from deniable.protocol.say import english
    >>> english(moment("2026-08-03T10:00:00Z"))
    '3 August 2026, 10:00 UTC'
    """
    return moment_of(read_time(written))


def moment_of(time: datetime.datetime) -> Statement:
    """A moment as people write it."""
    return Statement("moment", date=day(time), time=f"{time:%H:%M}")


def day(date: datetime.date) -> Statement:
    """A day in words."""
    return Statement("date", day=date.day, month=Statement(f"month_{date.month}"), year=f"{date.year}")
