"""The collector's clock, and what to do when it jumps: a period that is closed too early would lose answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

Clock = Callable[[], float]
"""Gives the seconds since 1970."""
DAY = 86400.0
system: Clock = time.time


class Watch(NamedTuple):
    """What is remembered of time: the last moment that was believed, and since when the clock says a day more.

    ``seen`` is when a clock that is doubted was last looked at.
    """

    believed: float
    doubted: float | None = None
    seen: float | None = None

    def at(self, now: float) -> Watch:
        """After another look at the clock; a jump that lasts a day is believed."""
        if now <= self.believed + DAY:
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
        return Watch(max(self.believed, now))

    @property
    def is_doubted(self) -> bool:
        """Whether closing waits, and what seems closed is only put off."""
        return self.doubted is not None
