"""When answers of a period are taken: its door follows from the document, the time, and a closing by hand."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from deniable.intake.refusals import CLOSED, UNKNOWN, Refusal, Refused, too_early
from deniable.protocol.errors import ParameterError
from deniable.protocol.fields import TIME, read_time
from deniable.protocol.surveys.document import DAY
from deniable.protocol.surveys.periods import bounds_of, period_at
from deniable.surveys.document import Document

MOST_KNOWN = 4096
"""Of so many periods it is remembered when they begin and end: each transaction of uploads asks again."""


class Span(NamedTuple):
    """When a period begins and ends, in seconds since 1970; infinite where the survey says nothing."""

    begins: float
    ends: float


@dataclass(frozen=True, slots=True)
class Doors:
    """The doors of a survey's periods; ``ended`` is when it was closed by hand, if it was."""

    document: Document
    ended: float | None = None

    def span(self, period: str) -> Span:
        """The bounds of a period, which a closing by hand cuts off; refused if the survey has none of this name."""
        span = _span(self.document, period)
        return span if self.ended is None else Span(span.begins, min(span.ends, self.ended))

    def shuts(self, period: str) -> float:
        """The first moment at which nothing more is taken for a period."""
        return self.span(period).ends + self.document.grace

    def discards(self, period: str) -> float:
        """The first moment at which the answers of a period need not be kept."""
        return self.shuts(period) + self.document.keep

    def opens(self, period: str) -> float:
        """The first moment at which answers are taken for a period."""
        return self.span(period).begins - self.document.skew

    def refusal(self, period: str, now: float) -> Refusal | None:
        """Why answers for a period are not taken now; None if they are."""
        begins, ends = self.span(period)
        if self._is_late(begins):
            return CLOSED
        opens = begins - self.document.skew
        if now < opens:
            return too_early(opens - now)
        return None if now < ends + self.document.grace else CLOSED

    def open_periods(self, now: float) -> list[str]:
        """The periods whose doors are open, the oldest first."""
        first, last = now - self.document.grace, now + self.document.skew
        moments = [*np.arange(first, last, DAY).tolist(), last]
        days = [datetime.datetime.fromtimestamp(moment, datetime.UTC) for moment in moments]
        periods = dict.fromkeys(period_at(self.document, day) for day in days)
        return [period for period in periods if self._is_open(period, now)]

    def _is_open(self, period: str, now: float) -> bool:
        try:
            return self.refusal(period, now) is None
        except Refused:
            return False

    def following(self, period: str) -> str | None:
        """The period after one; None if the survey is over by then."""
        ends = self.span(period).ends
        if ends >= self.ends:
            return None
        after = period_at(self.document, datetime.datetime.fromtimestamp(ends, datetime.UTC))
        return None if after == period or self._is_late(self.span(after).begins) else after

    def _is_late(self, begins: float) -> bool:
        """Whether a period was to begin after the closing by hand: nothing new is taken for it."""
        return self.ended is not None and begins >= self.ended

    @property
    def begins(self) -> float:
        """When the survey opens; minus infinity if it did from the start."""
        opens = self.document.opens
        return -math.inf if opens is None else read_time(opens).timestamp()

    @property
    def announced(self) -> float:
        """When people were told that it ends; infinity if nobody was."""
        closes = self.document.closes
        return math.inf if closes is None else read_time(closes).timestamp()

    @property
    def is_cut(self) -> bool:
        """Whether it was closed by hand before the end that people were told."""
        return self.ended is not None and self.ended < self.announced < math.inf

    @property
    def ends(self) -> float:
        """When the survey ends; after that only answers that were on their way are taken, while grace lasts."""
        return min(self.announced, math.inf if self.ended is None else self.ended)

    @property
    def discards_all(self) -> float:
        """The first moment at which no answers need be kept; infinity if nobody knows yet when the survey ends."""
        return self.ends + self.document.grace + self.document.keep

    def is_over(self, now: float) -> bool:
        """Whether no period will ever be open again."""
        return now >= self.ends + self.document.grace


def until(moment: float) -> str:
    """Until when answers are taken, in the words of messages.

    >>> until(0.0), until(math.inf)
    ('until 1970-01-01T00:00:00Z', 'until it is closed')
    """
    last = None if math.isinf(moment) else datetime.datetime.fromtimestamp(moment, datetime.UTC)
    return f"until {'it is closed' if last is None else last.strftime(TIME)}"


@lru_cache(MOST_KNOWN)
def _span(document: Document, period: str) -> Span:
    """The bounds of a period, whenever the survey is closed."""
    try:
        first, last = bounds_of(document, period)
    except ParameterError:
        raise Refused(UNKNOWN) from None
    begins = -math.inf if first is None else first.timestamp()
    return Span(begins, math.inf if last is None else last.timestamp())
