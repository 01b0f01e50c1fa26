"""Shares, numbers and times in words: what pages and summaries say."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Sequence
from typing import Final

from deniable.protocol.say import Figure, Phrase, Statement

CLOSE: Final = 9
"""Digits to which a share counts as a whole number of hundredths, so that 0.07 is 7 in 100 and not 8."""
NEARLY: Final = 1e-9
"""By how much the logarithm of a power of ten may be too small."""
MOST_BASE: Final = 1_000_000
UNEVEN: Final = 0.1
"""Sides of an interval that differ by more than such a part of the longer one are told each."""
MINUS: Final = "\N{MINUS SIGN}"


def share_in_words(low: float, high: float, base: int | None = None) -> Statement:
    """An interval of a share, rounded outward so that it never says more than it knows; of ``base`` people if given.

    >>> tuple(english(share_in_words(*each)) for each in ((0.371, 0.436), (-0.02, 0.0312), (0.962, 1.0)))
    ('between 37 and 44 in 100', 'at most 4 in 100', 'at least 96 in 100')
    >>> english(share_in_words(0.0011, 0.0032)), english(share_in_words(-0.2, 1.1))
    ('between 1 and 4 in 1,000', 'anything from 0 to 100')
    """
    base = base or base_of(high)
    least, most = _between(low, high, base)
    if says_all(low, high, base):
        return Statement("anything_from_0_to_100")
    if least <= 0:
        return Statement("at_most_in", most=max(most, 1), base=base)
    if most >= base:
        return Statement("at_least_in", least=least, base=base)
    if least == most:
        return Statement("in", share=least, base=base)
    return Statement("between_and_in", least=least, most=most, base=base)


def says_all(low: float, high: float, base: int | None = None) -> bool:
    """Whether an interval of a share, as it is rounded, goes from none to all and so says nothing.

    >>> says_all(-0.2, 1.1), says_all(0.0, 0.993), says_all(0.02, 0.98)
    (True, True, False)
    """
    base = base or base_of(high)
    least, most = _between(low, high, base)
    return least <= 0 and most >= base


def _between(low: float, high: float, base: int) -> tuple[int, int]:
    """Bounds of a share in so many people, rounded outward."""
    return math.floor(round(low * base, CLOSE)), math.ceil(round(high * base, CLOSE))


def gap_in_words(low: float, high: float) -> Statement:
    """A difference above 0 in points of a hundred, rounded outward.

    >>> english(gap_in_words(0.226, 0.463)), english(gap_in_words(0.004, 0.03))
    ('22 to 47', 'less than 3')
    """
    least, most = (round(100 * end) for end in outward(low, high, 100))
    if least == 0:
        return Statement("less_than", most=most)
    return Statement("to_first_last", first=least, last=most)


def points(value: float, digits: int = 1) -> Figure:
    """A share in points of a hundred, with a true minus.

    >>> points(0.407), points(-0.0123) == MINUS + "1.2", points(-0.0001)
    ('40.7', True, '0.0')
    """
    written = f"{abs(100 * value):.{digits}f}"
    return Figure(f"{MINUS}{written}" if value < 0 and float(written) else written)


def as_typed(share: float) -> Figure:
    """A share that somebody typed in hundredths, without decimals where it had none.

    >>> as_typed(0.1), as_typed(0.125)
    ('10', '12.5')
    """
    return points(share, 0 if abs(100 * share - round(100 * share)) < NEARLY else 1)


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage, with a true minus.

    >>> percent(0.407), percent(-0.0123) == MINUS + "1.2%"
    ('40.7%', True)
    """
    return f"{points(share, digits)}%"


def rounded(number: float, digits: int = 3) -> Figure:
    """A number above zero to so many digits that count, written out.

    >>> rounded(0.01234), rounded(2.3456), rounded(54321.0), rounded(12.0), rounded(0.0)
    ('0.0123', '2.35', '54,300', '12', '0')
    """
    if not number:
        return Figure("0")
    last = digits - 1 - magnitude(number)
    near = round(number, last)
    return Figure(f"{near:,.0f}" if near == int(near) else f"{near:,.{max(last, 0)}f}")


def magnitude(number: float) -> int:
    """The power of ten of a number's first digit.

    >>> magnitude(0.001), magnitude(4.2), magnitude(-99.9), magnitude(100)
    (-3, 0, 1, 2)
    """
    return math.floor(math.log10(abs(number)) + NEARLY)


def decimals(error: float) -> int:
    """How many decimals of a number are of use whose standard error is ``error``: two digits of the error are kept.

    This is the one rule for tables, sentences and pages. A 95% interval reaches two standard errors to either side.

    >>> decimals(1.0), decimals(0.034), decimals(12.0), decimals(math.inf)
    (1, 3, 0, 0)
    """
    return max(0, 1 - magnitude(error)) if 0 < error < math.inf else 0


def precise(number: float, error: float) -> Figure:
    """A number with the decimals that its standard error leaves of use, and a true minus.

    >>> precise(1234.5678, 0.2), precise(-0.01, 1.0)
    ('1,234.57', '0.0')
    """
    return fixed(number, decimals(error))


def fixed(number: float, digits: int) -> Figure:
    """A number with so many decimals, and a true minus."""
    text = f"{abs(number):,.{digits}f}"
    return Figure(f"{MINUS}{text}" if number < 0 and float(text.replace(",", "")) else text)


def signed(value: float, digits: int = 1) -> Figure:
    """A difference in points, with its sign.

    >>> signed(0.152), signed(0)
    ('+15.2', '0.0')
    """
    written = points(value, digits)
    return Figure(f"+{written}") if value > 0 and float(written) else written


def outward(low: float, high: float, steps: float = 1000) -> tuple[float, float]:
    """Bounds moved outward to whole steps, of a tenth of a point unless told.

    >>> outward(0.0234, 0.0507), outward(-0.0001, 0.07)
    ((0.023, 0.051), (-0.001, 0.07))
    """
    return math.floor(round(low * steps, CLOSE)) / steps, math.ceil(round(high * steps, CLOSE)) / steps


def outward_by(low: float, high: float, error: float) -> tuple[float, float]:
    """Bounds moved outward to the last digit that is of use if the standard error is ``error``; see ``decimals``.

    >>> outward_by(41234.0, 45260.0, 1027.0), outward_by(0.12341, 0.12789, 0.0012), outward_by(1.5, math.inf, math.inf)
    ((41200.0, 45300.0), (0.1234, 0.1279), (1.5, inf))
    """
    if not 0 < error < math.inf:
        return low, high
    return outward(low, high, 10.0 ** (1 - magnitude(error)))


def give_or_take(value: float, low: float, high: float) -> Statement:
    """How far an interval of a share reaches, in points: to either side, where these differ by more than a tenth.

    >>> even, uneven = give_or_take(0.37, 0.32, 0.42), give_or_take(0.05, 0.01, 0.14)
    >>> english(even), english(uneven).replace(MINUS, "-")
    ('± 5.0', '-4.0 / +9.0')
    """
    below, above = value - low, high - value
    if abs(above - below) <= UNEVEN * max(below, above):
        return Statement("give_or_take", reach=points(max(below, above)))
    return Statement("less_or_more", less=points(below), more=points(above))


def with_unit(number: Phrase, unit: Phrase) -> Phrase:
    """A number that is written out already, with what it counts.

    >>> english(with_unit("1,203.5", "km")).replace("\N{NO-BREAK SPACE}", " "), english(with_unit("7", ""))
    ('1,203.5 km', '7')
    """
    written = Figure(number) if isinstance(number, str) else number
    return Statement("number_with_unit", number=written, unit=unit) if unit else written


def counted(number: Phrase, unit: Phrase) -> Phrase:
    """A number with what it counts, within a sentence, where a line may end between both."""
    return Statement("number_unit", number=number, unit=unit) if unit else number


def quoted(words: Phrase) -> Statement:
    """An answer or a question in the words of whoever wrote it, as it stands in a sentence."""
    return Statement("quoted", words=words)


def rounded_up(number: float) -> int:
    """A number of people to two digits that count, never fewer.

    >>> rounded_up(1203.0), rounded_up(99.5), rounded_up(7.2)
    (1300, 100, 8)
    """
    step = int(10 ** max(magnitude(number) - 1, 0))
    return math.ceil(round(number / step, CLOSE)) * step


def listed(things: Sequence[Phrase]) -> Statement:
    """Several things as people list them.

    >>> english(listed(["bus"])), english(listed(["bus", "bike"])), english(listed(["car", "bus", "bike"]))
    ('bus', 'bus and bike', 'car, bus and bike')
    """
    return Statement("all_of_these", all=tuple(things))


def in_a_row(things: Iterable[Phrase]) -> Statement:
    """Several things that are parted by commas.

    >>> english(in_a_row(["bread", "salt"]))
    'bread, salt'
    """
    return Statement("in_a_row", all=tuple(things))


def joined(sentences: Iterable[Phrase]) -> Statement:
    """Sentences one after the other.

    >>> english(joined(["It rains.", "Take a coat."]))
    'It rains. Take a coat.'
    """
    return Statement("sentences", all=tuple(sentences))


def how_often(chance: float) -> Statement:
    """How often chance alone does something.

    >>> english(how_often(0.012)), english(how_often(0.00002))
    ('in 12 of 1,000 surveys', 'less than once in 1,000 surveys')
    """
    if chance < 0.001:
        return Statement("less_than_once_in_1_000")
    return Statement("in_of_1_000_surveys", surveys=max(1, round(1000 * chance)))


def people(number: int) -> Statement:
    """So many people.

    >>> english(people(1)), english(people(6812))
    ('1 person', '6,812 people')
    """
    return Statement("people", count=number)


def amount(number: int, noun: str) -> str:
    """So many of something whose plural ends in s.

    >>> amount(1, "report"), amount(10_000, "report")
    ('1 report', '10,000 reports')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def answers(number: int) -> Statement:
    """So many answers."""
    return Statement("answers_count", count=number)


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
