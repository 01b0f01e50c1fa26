"""The fields of a form, each read with a fault where it cannot stand."""

from __future__ import annotations

import re
from typing import Final

from starlette.datastructures import FormData

from deniable.protocol.fields import MOST_WORDS

Faults = dict[str, str]
"""What is wrong, by the name of the field."""
THOUSANDS: Final = re.compile(r"[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?")
DOTTED: Final = re.compile(r"[1-9][0-9]{0,2}(\.[0-9]{3})+")
""""5.000", as 5,000 is written where a comma stands before the decimals."""


def words(form: FormData, name: str) -> str:
    """What is written in a field."""
    return str(form.get(name, "")).strip()[:MOST_WORDS]


def at(form: FormData, name: str, place: int) -> str:
    """The same of a field that each question has."""
    values = form.getlist(name)
    return str(values[place]).strip() if place < len(values) else ""


def number(form: FormData, name: str, limits: tuple[float, float], usual: float, faults: Faults, solve: str) -> float:
    """A number within limits; what is worked out anyway is not read."""
    if name == solve:
        return usual
    low, high = limits
    try:
        found = float(plain(str(form.get(name, ""))))
    except ValueError:
        found = float("nan")
    if not low <= found <= high:
        faults[name] = f"Write a number from {low:g} to {high:,.12g}."
        return usual
    return found


def plain(written: str) -> str:
    """A number as programs write it: commas part thousands where they can, and are decimal points elsewhere.

    >>> plain("5,000"), plain("1,5"), plain("0,125"), plain("12 500"), plain("2,000.5")
    ('5000', '1.5', '0.125', '12500', '2000.5')
    """
    close = "".join(written.split())
    return close.replace(",", "") if THOUSANDS.fullmatch(close) else close.replace(",", ".")


def whole(form: FormData, name: str, limits: tuple[float, float], usual: int, faults: Faults, solve: str) -> int:
    """A number without decimals, so that dots before three digits part thousands as well."""
    written = str(form.get(name, "")).strip()
    parted = written.replace(".", "") if DOTTED.fullmatch(written) else written
    found = number(FormData({name: parted}), name, limits, usual, faults, solve)
    if found != int(found):
        faults[name] = "Write a whole number."
        return usual
    return int(found)
