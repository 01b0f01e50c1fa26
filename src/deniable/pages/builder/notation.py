"""How people write numbers, days and moments: read from what they type, None where it is none, and said again."""

from __future__ import annotations

import datetime
import math
import re
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

from deniable.pages.moments import day
from deniable.protocol.fields import TIME
from deniable.protocol.say import Statement

THOUSANDS: Final = re.compile(r"[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?")
DOTTED: Final = re.compile(r"[1-9][0-9]{0,2}(\.[0-9]{3})+")
""""5.000", as 5,000 is written where a comma stands before the decimals."""
DECIMAL: Final = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,9})?")
ISO: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
POINTED: Final = re.compile(r"(?P<day>[0-9]{1,2})\.\s?(?P<month>[0-9]{1,2})\.\s?(?P<year>[0-9]{4})")
""""31.12.2026", as many people write a day; with slashes nobody knows which of two numbers is the month."""
USUAL: Final = "UTC"
CLOCK: Final = re.compile(r"(?P<date>.*[0-9])[T ,]\s*(?P<hour>[0-9]{1,2})[:.](?P<minute>[0-9]{2})")


def plain(written: str) -> str:
    """A number as programs write it: commas part thousands where they can, and are decimal points elsewhere.

    >>> plain("5,000"), plain("1,5"), plain("0,125"), plain("12 500"), plain("\N{MINUS SIGN}2,000.5")
    ('5000', '1.5', '0.125', '12500', '-2000.5')
    """
    number = "".join(written.split()).replace("\N{MINUS SIGN}", "-")
    sign, digits = ("-", number[1:]) if number.startswith("-") else ("", number)
    return sign + (digits.replace(",", "") if THOUSANDS.fullmatch(digits) else digits.replace(",", "."))


def decimal_of(written: str) -> Decimal | None:
    """A number of so many digits as a survey may have, exactly.

    >>> decimal_of("120,50"), decimal_of("a few")
    (Decimal('120.50'), None)
    """
    number = plain(written)
    return Decimal(number) if DECIMAL.fullmatch(number) else None


def number_of(written: str, limits: tuple[float, float]) -> float | None:
    """A number within limits."""
    decimal = decimal_of(written)
    number = math.nan if decimal is None else float(decimal)
    return number if limits[0] <= number <= limits[1] else None


def whole_of(written: str, limits: tuple[int, int]) -> int | None:
    """A number without decimals, so that dots before three digits part thousands as well.

    >>> whole_of("5.000", (1, 10**9)), whole_of("1,5", (1, 10**9)), whole_of("0", (1, 10**9))
    (5000, None, None)
    """
    digits = "".join(written.split())
    number = number_of(digits.replace(".", "") if DOTTED.fullmatch(digits) else digits, limits)
    return int(number) if number is not None and number == int(number) else None


def date_of(written: str) -> str | None:
    """A day as a survey writes it.

    >>> date_of("1.2.2026"), date_of("2026-02-31")
    ('2026-02-01', None)
    """
    if pointed := POINTED.fullmatch(written.strip()):
        written = f"{pointed['year']}-{int(pointed['month']):02}-{int(pointed['day']):02}"
    try:
        return datetime.date.fromisoformat(written).isoformat() if ISO.fullmatch(written) else None
    except ValueError:
        return None


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
    parts = CLOCK.fullmatch(written.strip())
    date = date_of(parts["date"]) if parts else None
    if not parts or date is None or zone is None:
        return None
    try:
        time = datetime.time(int(parts["hour"]), int(parts["minute"]), tzinfo=zone)
    except ValueError:
        return None
    return datetime.datetime.combine(datetime.date.fromisoformat(date), time)


def saved_at(seconds: float, zone: datetime.tzinfo = datetime.UTC) -> Statement:
    """When something was saved, from the seconds since 1970, by the clock of whoever reads.

    >>> english(saved_at(0.0)), english(saved_at(0.0, ZoneInfo("Europe/Berlin")))
    ('1 January, 0:00 UTC', '1 January, 1:00')
    """
    moment = datetime.datetime.fromtimestamp(seconds, zone)
    month, time = Statement(f"month_{moment.month}"), f"{moment.hour}:{moment.minute:02}"
    local = Statement("day_month_time", day=moment.day, month=month, time=time)
    return Statement("utc", moment=local) if zone is datetime.UTC else local


def document_time(moment: datetime.datetime) -> str:
    """A moment as a survey's document has it."""
    return moment.astimezone(datetime.UTC).strftime(TIME)


def in_words(moment: datetime.datetime) -> Statement:
    """A moment as people say it, by the clock on their wall.

    >>> english(in_words(moment_of("2026-12-01T08:00", ZoneInfo("Europe/Berlin"))))
    '1 December 2026, 8:00'
    """
    return Statement("date_time", date=day(moment), time=f"{moment.hour}:{moment.minute:02}")


def beside_utc(moment: datetime.datetime) -> Statement:
    """A moment with the universal time that whoever runs servers thinks in, and with its day where that is another.

    >>> english(beside_utc(moment_of("2026-12-01T08:00", ZoneInfo("Europe/Berlin"))))
    '1 December 2026, 8:00 (7:00 UTC)'
    >>> english(beside_utc(moment_of("2026-12-01T00:30", ZoneInfo("Europe/Berlin"))))
    '1 December 2026, 0:30 (30 November 2026, 23:30 UTC)'
    """
    utc = moment.astimezone(datetime.UTC)
    if not moment.utcoffset():
        return in_words(moment)
    clock = f"{utc.hour}:{utc.minute:02}" if utc.date() == moment.date() else in_words(utc)
    return Statement("with_utc", moment=in_words(moment), utc=Statement("utc", moment=clock))
