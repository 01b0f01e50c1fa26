"""Days on the author's calendar, as short as they can be told apart."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass

from deniable.protocol.say import Statement


@dataclass(frozen=True)
class Calendar:
    """The calendar of whoever reads: a day of this year goes without its year."""

    zone: datetime.tzinfo
    now: float
    """Seconds since 1970."""

    def date(self, seconds: float) -> datetime.date:
        """The date of a moment."""
        return datetime.datetime.fromtimestamp(seconds, self.zone).date()

    def day(self, date: datetime.date) -> Statement:
        """A date in words.

        >>> english(Calendar(datetime.UTC, 0.0).day(datetime.date(1970, 10, 1)))
        '1 October'
        """
        month = Statement(f"month_{date.month}")
        if date.year == self.date(self.now).year:
            return Statement("day_month", day=date.day, month=month)
        return Statement("day_month_year", day=date.day, month=month, year=str(date.year))

    def span(self, first: datetime.date, ends: float) -> Statement:
        """From one day until a moment, or without an end.

        >>> english(Calendar(datetime.UTC, 0.0).span(datetime.date(1970, 10, 1), 30 * 86400 + 273 * 86400))
        '1 to 31 October'
        """
        if ends == math.inf:
            return Statement("from_day", day=self.day(first))
        last = self.date(ends)
        if first == last:
            return self.day(last)
        if (first.year, first.month) == (last.year, last.month):
            return Statement("to_first_last", first=Statement("day", day=first.day), last=self.day(last))
        return Statement("to_first_last", first=self.day(first), last=self.day(last))
