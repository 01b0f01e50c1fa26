"""A number's result in plain values: the mean and quantiles, the histogram, and the share of a range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_saying import bounds_by_error, bounds_in_words, value_of
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.words import joined, with_unit
from deniable.pages.results.histogram import QUARTERS, Histogram, histogram
from deniable.pages.results.rows import LEVELS, Chart, share_chart
from deniable.protocol.errors import ParameterError
from deniable.protocol.grid import DECIMAL, written
from deniable.protocol.say import Phrase, Statement

QUANTILES: Final = {**QUARTERS, 0.9: Statement("n9_in_10")}
"""Of so many people it is told at or below which number they are."""
SAME: Final = Statement("the_same")


@dataclass(frozen=True)
class Fact:
    """One number that is told: what it is, and between which numbers it lies."""

    name: Phrase
    estimate: Phrase
    words: Phrase


@dataclass(frozen=True)
class RangeShare:
    """The share of people between two numbers that a reader asked for; ``fault`` says why there is none."""

    low: str
    high: str
    chart: Chart | None = None
    fault: Phrase = ""


@dataclass(frozen=True)
class NumbersView:
    """All that is shown of a number."""

    quantiles: Sequence[Fact]
    facts: Sequence[Fact]
    """The mean, and how far people differ."""
    about: Phrase
    histogram: Histogram | None
    asked: RangeShare | None


def numbers_view(found: Distribution, asked: tuple[str, str] | None) -> NumbersView:
    """What is shown of a number; ``asked`` is a range that a reader typed."""
    low, high = (found.shown(found.scale.value(place)) for place in (0, found.scale.steps))
    about = [Statement("asked_from_to_less_counts", low=low, high=high)]
    if found.scale.step != 1:
        second = found.shown(found.scale.value(1))
        about += [Statement("each_answer_counts_as_the_nearest", low=low, second=second)]
    if found.told.ranges is None:
        return NumbersView((), tuple(_facts(found)), joined(about), None, None)
    if found.told.width > 1:
        width = with_unit(written(found.told.width * found.scale.step), found.counted_in)
        about += [Statement("numbers_are_told_apart_by", width=width)]
    quantiles = tuple(_fact(found, name, found.quantile(share)) for share, name in QUANTILES.items())
    share = None if asked is None else _share(found, *asked)
    return NumbersView(quantiles, tuple(_facts(found)), joined(about), histogram(found), share)


def _facts(found: Distribution) -> Iterator[Fact]:
    yield _fact(found, Statement("mean"), found.mean)
    if found.told.mean is not None and found.told.squares is not None:
        value, low, high = bounds_by_error(found.spread)
        span = Statement("to_first_last", first=low, last=high)
        yield Fact(Statement("standard_deviation"), with_unit(value, found.unit), span)


def _fact(found: Distribution, name: Phrase, quantity: Quantity) -> Fact:
    least, most = bounds_in_words(found, quantity)
    first = least.values["number"] if isinstance(least, Statement) else least
    span = SAME if least == most else Statement("to_first_last", first=first, last=most)
    return Fact(name, value_of(found, quantity), span)


def _share(found: Distribution, low: str, high: str) -> RangeShare:
    """The share of a range, or what is wrong with it."""
    try:
        bounds = [_read(found, each.strip().replace(",", ".")) for each in (low, high)]
        told = found.share(*bounds)
    except ParameterError:
        if found.scale.dated:
            return RangeShare(low, high, fault=Statement("give_two_dates_the_earlier"))
        return RangeShare(low, high, fault=Statement("give_two_numbers_the_smaller"))
    label = Statement("to_first_last", first=low.strip(), last=with_unit(high.strip(), found.unit))
    return RangeShare(low, high, share_chart(label, told.value, [told.interval(level) for level in LEVELS]))


def _read(found: Distribution, text: str) -> object:
    if found.scale.dated or not DECIMAL.fullmatch(text):
        return text
    return float(text)
