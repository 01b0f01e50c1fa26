"""What people type into fields, read as a number, a date or a moment; None where it is none."""

from __future__ import annotations

import datetime
import math
import re
from decimal import Decimal
from typing import Final

from starlette.datastructures import FormData

from deniable.protocol.fields import MOST_WORDS
from deniable.protocol.say import Statement

Faults = dict[str, Statement]
"""What is wrong, by the name of the field."""
THOUSANDS: Final = re.compile(r"[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?")
DOTTED: Final = re.compile(r"[1-9][0-9]{0,2}(\.[0-9]{3})+")
""""5.000", as 5,000 is written where a comma stands before the decimals."""
DECIMAL: Final = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,9})?")
ISO: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
POINTED: Final = re.compile(r"(?P<day>[0-9]{1,2})\.\s?(?P<month>[0-9]{1,2})\.\s?(?P<year>[0-9]{4})")
""""31.12.2026", as many people write a day; with slashes nobody knows which of two numbers is the month."""


def words(form: FormData, name: str, usual: str = "") -> str:
    """What is written in a field; as before where the form has no such field."""
    return str(form.get(name, usual)).strip()[:MOST_WORDS]


def plain(written: str) -> str:
    """A number as programs write it: commas part thousands where they can, and are decimal points elsewhere.

    >>> plain("5,000"), plain("1,5"), plain("0,125"), plain("12 500"), plain("\N{MINUS SIGN}2,000.5")
    ('5000', '1.5', '0.125', '12500', '-2000.5')
    """
    close = "".join(written.split()).replace("\N{MINUS SIGN}", "-")
    sign, digits = ("-", close[1:]) if close.startswith("-") else ("", close)
    return sign + (digits.replace(",", "") if THOUSANDS.fullmatch(digits) else digits.replace(",", "."))


def decimal_of(written: str) -> Decimal | None:
    """A number of so many digits as a survey may have, exactly.

    >>> decimal_of("120,50"), decimal_of("a few")
    (Decimal('120.50'), None)
    """
    found = plain(written)
    return Decimal(found) if DECIMAL.fullmatch(found) else None


def number_of(written: str, limits: tuple[float, float]) -> float | None:
    """A number within limits."""
    found = decimal_of(written)
    number = math.nan if found is None else float(found)
    return number if limits[0] <= number <= limits[1] else None


def whole_of(written: str, limits: tuple[int, int]) -> int | None:
    """A number without decimals, so that dots before three digits part thousands as well.

    >>> whole_of("5.000", (1, 10**9)), whole_of("1,5", (1, 10**9)), whole_of("0", (1, 10**9))
    (5000, None, None)
    """
    close = "".join(written.split())
    found = number_of(close.replace(".", "") if DOTTED.fullmatch(close) else close, limits)
    return int(found) if found is not None and found == int(found) else None


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
