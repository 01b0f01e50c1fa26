"""Shares, numbers and times in words: what pages and summaries say."""

from __future__ import annotations

import datetime
import math
from typing import Final

CLOSE: Final = 9
"""Digits to which a share counts as a whole number of hundredths, so that 0.07 is 7 in 100 and not 8."""
MOST_BASE: Final = 1_000_000
MINUS: Final = "\N{MINUS SIGN}"
NOTHING_KNOWN: Final = "anything from 0 to 100"


def share_in_words(low: float, high: float, base: int | None = None) -> str:
    """An interval of a share, rounded outward so that it never says more than it knows; in so many people if told.

    >>> share_in_words(0.371, 0.436), share_in_words(-0.02, 0.0312), share_in_words(0.962, 1.0)
    ('between 37 and 44 in 100', 'at most 4 in 100', 'at least 96 in 100')
    >>> share_in_words(0.0011, 0.0032), share_in_words(-0.2, 1.1)
    ('between 1 and 4 in 1,000', 'anything from 0 to 100')
    """
    base = base or base_of(high)
    least, most = math.floor(round(low * base, CLOSE)), math.ceil(round(high * base, CLOSE))
    if least <= 0 and most >= base:
        return NOTHING_KNOWN
    if least <= 0:
        return f"at most {max(most, 1):,} in {base:,}"
    if most >= base:
        return f"at least {least:,} in {base:,}"
    return f"{least:,} in {base:,}" if least == most else f"between {least:,} and {most:,} in {base:,}"


def points(value: float, digits: int = 1) -> str:
    """A share in points of a hundred, with a true minus.

    >>> points(0.407), points(-0.0123) == MINUS + "1.2", points(-0.0001)
    ('40.7', True, '0.0')
    """
    written = f"{abs(100 * value):.{digits}f}"
    return f"{MINUS}{written}" if value < 0 and float(written) else written


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage, with a true minus.

    >>> percent(0.407), percent(-0.0123) == MINUS + "1.2%"
    ('40.7%', True)
    """
    return f"{points(share, digits)}%"


def rounded(number: float, digits: int = 3) -> str:
    """A number above zero to so many digits that count, written out.

    >>> rounded(0.01234), rounded(2.3456), rounded(54321.0), rounded(12.0), rounded(0.0)
    ('0.0123', '2.35', '54,300', '12', '0')
    """
    if not number:
        return "0"
    decimals = digits - 1 - math.floor(math.log10(abs(number)))
    kept = round(number, decimals)
    return f"{kept:,.0f}" if kept == int(kept) else f"{kept:,.{max(decimals, 0)}f}"


def signed(value: float, digits: int = 1) -> str:
    """A difference in points, with its sign.

    >>> signed(0.152), signed(0)
    ('+15.2', '0.0')
    """
    written = points(value, digits)
    return f"+{written}" if value > 0 and float(written) else written


def outward(low: float, high: float, steps: int = 1000) -> tuple[float, float]:
    """Bounds moved outward to whole steps, of a tenth of a point unless told.

    >>> outward(0.0234, 0.0507), outward(-0.0001, 0.07)
    ((0.023, 0.051), (-0.001, 0.07))
    """
    return math.floor(round(low * steps, CLOSE)) / steps, math.ceil(round(high * steps, CLOSE)) / steps


def listed(words: list[str]) -> str:
    """Several things as people list them.

    >>> listed(["bus"]), listed(["bus", "bike"]), listed(["car", "bus", "bike"])
    ('bus', 'bus and bike', 'car, bus and bike')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def how_often(chance: float) -> str:
    """How often chance alone does something.

    >>> how_often(0.012), how_often(0.00002)
    ('in 12 of 1,000 surveys', 'less than once in 1,000 surveys')
    """
    return (
        "less than once in 1,000 surveys" if chance < 0.001 else f"in {max(1, round(1000 * chance)):,} of 1,000 surveys"
    )


def people(number: int) -> str:
    """So many people.

    >>> people(1), people(6812)
    ('1 person', '6,812 people')
    """
    return f"{number:,} {'person' if number == 1 else 'people'}"


def amount(number: int, noun: str) -> str:
    """So many of something whose plural ends in s.

    >>> amount(1, "report"), amount(10_000, "report")
    ('1 report', '10,000 reports')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def answers(number: int) -> str:
    """So many answers."""
    return f"{number:,} {'answer' if number == 1 else 'answers'}"


def day_of(moment: datetime.datetime) -> str:
    """A day as it is written out.

    >>> day_of(datetime.datetime(2026, 11, 3))
    '3 November 2026'
    """
    return f"{moment.day} {moment:%B %Y}"


def base_of(high: float) -> int:
    """In how many people a share is said: in 100, or where all of it is below two of them in 1,000 and so on."""
    base = 100
    while 0 < high * base < 2 and base < MOST_BASE:
        base *= 10
    return base
