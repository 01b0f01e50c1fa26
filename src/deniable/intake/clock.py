"""The collector's clock, and what to do when it jumps: a period that is closed too early would lose answers."""

from __future__ import annotations

import datetime
import secrets
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

Clock = Callable[[], float]
"""Gives the seconds since 1970."""
DAY, HOUR = 86400.0, 3600.0
"""So long a doubted clock must go on as it does to be believed; and so far off it may be in all."""
BOOT = Path("/proc/sys/kernel/random/boot_id")
system: Clock = time.time


def day_of(moment: float) -> str:
    """The day of a moment, in UTC, as it is written down."""
    return datetime.datetime.fromtimestamp(moment, datetime.UTC).strftime("%Y-%m-%d")


def steady() -> float:
    """Seconds of a clock that never jumps; it goes on while the system sleeps, where there is such a clock."""
    for name in ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"):  # macOS's second one goes on too
        if hasattr(time, name):
            return time.clock_gettime(getattr(time, name))
    return time.monotonic()


@cache
def origin() -> str:
    """A name for the start of the steady clock: its times compare only where this is the same, until a restart."""
    try:
        return BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return secrets.token_hex(16)


class Watch(NamedTuple):
    """What is believed of time: the clock, as long as it does not run ahead of the ``steady`` one, which never jumps.

    It is doubted if it has gained more than an hour in all, however slowly, or is an hour behind what was believed.
    While it is, nothing is closed, and nothing is refused for good. A lead is how far it is ahead of the steady one.
    """

    believed: float
    """The last moment that was believed."""
    seen: float | None = None
    """What a clock that is doubted said when it was last looked at."""
    lead: float | None = None
    """Its lead when it was first believed; None if nobody has looked at both clocks."""
    doubted_lead: float | None = None
    """Its lead since it is doubted."""
    doubted_since: float | None = None
    """When the doubt began, by the steady clock."""
    origin: str = ""
    """Which steady clock was read: after a restart, and on another machine, it is another one (see ``origin``)."""
    confirmed: int = 0
    """How often an operator said that the clock is right."""

    def at(self, now: float, steady_now: float) -> Watch:
        """The watch after both clocks were read again; a jump that lasts a day is believed."""
        lead = now - steady_now
        gains = now > self.believed + DAY if self.lead is None else lead > self.lead + HOUR
        if now >= self.believed - HOUR and not gains:
            believed_lead = lead if self.lead is None else self.lead
            return Watch(max(self.believed, now), None, believed_lead, None, None, self.origin, self.confirmed)
        if self.doubted_lead is None or self.doubted_since is None or abs(lead - self.doubted_lead) > HOUR:
            return self._replace(seen=now, doubted_lead=lead, doubted_since=steady_now)
        if steady_now >= self.doubted_since + DAY:
            return Watch(now, None, lead, None, None, self.origin, self.confirmed)
        return self._replace(seen=now)

    def adopted(self, origin: str, steady_now: float) -> Watch:
        """The watch of another process, taken over by one whose steady clock has this origin; a doubt begins anew."""
        if self.origin == origin:
            return self
        lead = self.believed - steady_now if self.is_doubted else None
        return Watch(self.believed, None, lead, None, None, origin, self.confirmed)

    def confirmed_at(self, now: float, steady_now: float) -> Watch:
        """After an operator said that the clock is right."""
        believed = now if self.is_behind else max(self.believed, now)
        return Watch(believed, None, now - steady_now, None, None, self.origin, self.confirmed + 1)

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
        return self.doubted_lead is not None
