"""What is said of a number, in sentences."""

from __future__ import annotations

from typing import Final

from deniable.estimation.numbers.number_reading import Distributed
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.saying import LEVEL, MEAN_UNKNOWN
from deniable.estimation.words import counted, joined, outward_by, precise
from deniable.protocol.say import Phrase, Statement

USELESS: Final = 0.5
"""If the mean may lie anywhere in so much of the range, nothing can be said."""


def number_sentence(estimate: Distributed, is_open: bool = False) -> Statement:
    """What can be said: where the mean lies, and between which numbers half of the people are."""
    if is_unknown(estimate):
        return MEAN_UNKNOWN
    mean = between(estimate, estimate.mean)
    if estimate.reports.ranges is None:
        return Statement("so_far_the_mean_is", mean=mean) if is_open else Statement("the_mean_is", mean=mean)
    least, most = bounds_in_words(estimate, estimate.quantile(0.5))
    half = least if least == most else Statement("a_number_between_and", least=least, most=most)
    first = Statement("so_far_the_mean_is", mean=mean) if is_open else Statement("the_mean_is", mean=mean)
    return joined([first, Statement("half_of_the_people_are", half=half)])


def is_unknown(estimate: Distributed) -> bool:
    """Whether the mean may be almost anywhere."""
    low, high = estimate.mean.interval(LEVEL)
    return bool(high - low > USELESS * (estimate.scale.value(estimate.scale.steps) - estimate.scale.value(0)))


def in_words(quantity: Quantity, unit: str = "") -> tuple[Phrase, Statement]:
    """The estimate and the interval of a number that lies on no scale, such as a spread or a slope."""
    value, low, high = bounds_by_error(quantity)
    statement = Statement("between_and", least=low, most=counted(high, unit))
    return counted(value, unit), statement


def bounds_by_error(quantity: Quantity) -> tuple[str, str, str]:
    """A number that lies on no scale and its bounds, with the decimals that its standard error leaves of use."""
    value, low, high = (precise(number, quantity.error) for number in (quantity.value, *quantity.interval(LEVEL)))
    return value, low, high


def change_in_units(estimate: Distributed, more: Quantity, level: float) -> Statement:
    """What the interval of a difference says, rounded outward, in units of the scale or in days."""
    way, span = way_and_amount(estimate, more, level)
    if not way:
        return Statement("cannot_be_told_apart", span=span)
    if estimate.scale.dated:
        return Statement("later_by", span=span) if way > 0 else Statement("earlier_by", span=span)
    return Statement("more_by", span=span) if way > 0 else Statement("less_by", span=span)


def moved_in_units(estimate: Distributed, more: Quantity, level: float) -> Statement:
    """What the interval of a change over time says, in units of the scale or in days."""
    way, span = way_and_amount(estimate, more, level)
    if not way:
        return Statement("no_change_seen", span=span)
    if estimate.scale.dated:
        later = Statement("became_later_by", span=span)
        return later if way > 0 else Statement("became_earlier_by", span=span)
    return Statement("rose_by", reach=span) if way > 0 else Statement("fell_by", reach=span)


def way_and_amount(estimate: Distributed, more: Quantity, level: float) -> tuple[int, Phrase]:
    """``way_and_span``, with the unit."""
    way, span = way_and_span(more, level)
    return way, counted(span, estimate.counted_in)


def way_and_span(more: Quantity, level: float) -> tuple[int, Statement]:
    """Whether a difference is surely above 0 (1), surely below (-1) or neither (0); how far from 0, rounded outward."""
    low, high = more.interval(level)
    if high > low:
        low, high = outward_by(low, high, more.error)
    way = 1 if low > 0 else -1 if high < 0 else 0
    near, far = (-high, -low) if way < 0 else (low, high)
    return way, Statement("to_first_last", first=precise(near, more.error), last=precise(far, more.error))


def value_of(estimate: Distributed, quantity: Quantity) -> Phrase:
    """A quantity's estimate, as precisely as is of use; quantiles stay as they are."""
    return estimate.shown(quantity.value, 0.0 if quantity.on_scale else quantity.error)


def between(estimate: Distributed, quantity: Quantity) -> Phrase:
    """A quantity's interval in words."""
    least, most = bounds_in_words(estimate, quantity)
    return least if least == most else Statement("between_and", least=least, most=most)


def bounds_in_words(estimate: Distributed, quantity: Quantity) -> tuple[Phrase, Phrase]:
    """The bounds of a quantity in words, rounded outward; quantiles are numbers of the scale and stay as they are."""
    (low, high), error = quantity.interval(LEVEL), 0.0
    if not quantity.on_scale and not estimate.scale.dated and high > low:
        error = quantity.error
        low, high = outward_by(low, high, error)
    return estimate.shown(low, error), estimate.shown(high, error)
