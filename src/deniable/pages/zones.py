"""Moments as the author's clock shows them: a script of our pages says once, by a cookie, which time zone that is."""

from __future__ import annotations

import datetime
import zoneinfo
from typing import Final
from urllib.parse import unquote

from starlette.requests import Request

from deniable.pages.moments import day, moment_of
from deniable.protocol.say import Statement

COOKIE: Final = "deniable-zone"
UNIVERSAL: Final = ("UTC", "Etc/UTC")


def said_zone(request: Request) -> str:
    """The cookie as it came; empty at first."""
    return request.cookies.get(COOKIE, "")


def zone_of(request: Request) -> datetime.tzinfo:
    """The time zone of whoever asks; UTC if their browser has not said one that is known here."""
    named = unquote(said_zone(request))
    return datetime.UTC if named in UNIVERSAL else zone_named(named) or datetime.UTC


def zone_named(name: str) -> zoneinfo.ZoneInfo | None:
    """The time zone of a name.

    >>> zone_named("Europe/Berlin"), zone_named("Atlantis")
    (zoneinfo.ZoneInfo(key='Europe/Berlin'), None)
    """
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):  # no name, or the path of something else
        return None


def local_moment(time: datetime.datetime, zone: datetime.tzinfo) -> Statement:
    """A moment as the clocks of a place show it, with the name of the place.

    >>> from deniable.protocol.say import english
    >>> noon = datetime.datetime(2026, 12, 1, 12, 0, tzinfo=datetime.UTC)
    >>> english(local_moment(noon, zoneinfo.ZoneInfo("America/New_York"))), english(local_moment(noon, datetime.UTC))
    ('1 December 2026, 7:00 (New York time)', '1 December 2026, 12:00 UTC')
    """
    if not isinstance(zone, zoneinfo.ZoneInfo):
        return moment_of(time)
    local, place = time.astimezone(zone), zone.key.rpartition("/")[2].replace("_", " ")
    return Statement("hand_moment", date=day(local), time=f"{local.hour}:{local:%M}", place=place)
