"""Days and times of the clock on the author's wall, in a time zone that has a name."""

from __future__ import annotations

import datetime
import re
from typing import Final
from zoneinfo import ZoneInfo

from deniable.pages.builder.fields import date_of
from deniable.pages.label_terms import day
from deniable.pages.zones import zone_named
from deniable.protocol.fields import TIME
from deniable.protocol.say import Statement

USUAL: Final = "UTC"
CLOCK: Final = re.compile(r"(?P<date>.*[0-9])[T ,]\s*(?P<hour>[0-9]{1,2})[:.](?P<minute>[0-9]{2})")


def zone_of(name: str) -> ZoneInfo | None:
    """The time zone of a draft, by its name; of none, the usual one."""
    return zone_named(name or USUAL)


def place_of(zone: ZoneInfo) -> Statement:
    """A time zone as people speak of it.

    >>> english(place_of(ZoneInfo("America/New_York"))), english(place_of(ZoneInfo("UTC")))
    ('New York time', 'universal time (UTC)')
    """
    if zone.key == USUAL:
        return Statement("universal_time_utc")
    return Statement("time", place=zone.key.rsplit("/", 1)[-1].replace("_", " "))


def moment_of(written: str, zone: ZoneInfo | None) -> datetime.datetime | None:
    """A moment as browsers and people write it, to the minute, by the clocks of a time zone.

    >>> moment_of("31.12.2026 8:00", ZoneInfo("Europe/Berlin")).isoformat()
    '2026-12-31T08:00:00+01:00'
    """
    found = CLOCK.fullmatch(written.strip())
    date = date_of(found["date"]) if found else None
    if not found or date is None or zone is None:
        return None
    try:
        time = datetime.time(int(found["hour"]), int(found["minute"]), tzinfo=zone)
    except ValueError:
        return None
    return datetime.datetime.combine(datetime.date.fromisoformat(date), time)


def saved_at(seconds: float, zone: datetime.tzinfo = datetime.UTC) -> Statement:
    """When something was saved, from the seconds since 1970, by the clock of whoever reads.

    >>> english(saved_at(0.0)), english(saved_at(0.0, ZoneInfo("Europe/Berlin")))
    ('1 January, 0:00 UTC', '1 January, 1:00')
    """
    moment = datetime.datetime.fromtimestamp(seconds, zone)
    told = Statement(
        "day_month_time",
        day=moment.day, month=Statement(f"month_{moment.month}"), time=f"{moment.hour}:{moment.minute:02}",
    )  # fmt: skip
    return Statement("utc", moment=told) if zone is datetime.UTC else told


def written(moment: datetime.datetime) -> str:
    """A moment as a survey's document has it."""
    return moment.astimezone(datetime.UTC).strftime(TIME)


def in_words(moment: datetime.datetime) -> Statement:
    """A moment as people say it, by the clock on their wall.

    >>> english(in_words(moment_of("2026-12-01T08:00", ZoneInfo("Europe/Berlin"))))
    '1 December 2026, 8:00'
    """
    return Statement("date_time", date=day(moment), time=f"{moment.hour}:{moment.minute:02}")


def beside_utc(moment: datetime.datetime) -> Statement:
    """The same with the time that whoever runs servers thinks in, and with its day where that is another.

    >>> english(beside_utc(moment_of("2026-12-01T08:00", ZoneInfo("Europe/Berlin"))))
    '1 December 2026, 8:00 (7:00 UTC)'
    >>> english(beside_utc(moment_of("2026-12-01T00:30", ZoneInfo("Europe/Berlin"))))
    '1 December 2026, 0:30 (30 November 2026, 23:30 UTC)'
    """
    there = moment.astimezone(datetime.UTC)
    if not moment.utcoffset():
        return in_words(moment)
    clock = f"{there.hour}:{there.minute:02}" if there.date() == moment.date() else in_words(there)
    return Statement("with_utc", moment=in_words(moment), utc=Statement("utc", moment=clock))
