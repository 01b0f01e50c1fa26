"""The collector's clock, and what to do when it jumps: a period that is closed too early would lose answers."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from typing import NamedTuple

Clock = Callable[[], float]
"""Gives the seconds since 1970."""
DAY, BEHIND = 86400.0, 3600.0
"""So far ahead of what was believed, and so far behind it, a clock is believed."""
system: Clock = time.time


def day_of(moment: float) -> str:
    """The day of a moment, in UTC, as it is written down."""
    return datetime.datetime.fromtimestamp(moment, datetime.UTC).strftime("%Y-%m-%d")


class Watch(NamedTuple):
    """What is remembered of time: the last moment that was believed, and since when the clock says something else.

    It is doubted if it is a day ahead of that moment, or an hour behind it: then nothing is closed, and nothing is
    refused for good. ``seen`` is when a clock that is doubted was last looked at.
    """

    believed: float
    doubted: float | None = None
    seen: float | None = None

    def at(self, now: float) -> Watch:
        """After another look at the clock; a jump that lasts a day is believed."""
        if self.believed - BEHIND <= now <= self.believed + DAY:
            return Watch(max(self.believed, now))
        since = self._since(now)
        return Watch(now) if now >= since + DAY else Watch(self.believed, since, now)

    def _since(self, now: float) -> float:
        """Since when the clock has gone on without another jump."""
        if self.doubted is None or self.seen is None or not self.doubted <= now <= self.seen + DAY:
            return now
        return self.doubted

    def confirmed(self, now: float) -> Watch:
        """After an operator said that the clock is right."""
        return Watch(now if self.is_behind else max(self.believed, now))

    @property
    def is_behind(self) -> bool:
        """Whether it is doubted because it was set back."""
        return self.seen is not None and self.seen < self.believed

    def moments(self, now: float) -> tuple[float, ...]:
        """When it may be: what the clock says and, if that was set back, what was believed before."""
        return (now, self.believed) if self.is_behind else (now,)

    @property
    def is_doubted(self) -> bool:
        """Whether closing waits, and what seems closed is only put off."""
        return self.doubted is not None
