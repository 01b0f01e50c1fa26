"""A number's result: the mean and quantiles, the histogram, the share of a range; two compared, and many over time."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_difference import HEADINGS, MEAN, QUANTITIES, NumberDifference
from deniable.estimation.numbers.number_saying import (
    between,
    bounds_by_error,
    bounds_in_words,
    value_of,
    way_and_amount,
)
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.saying import LEVEL
from deniable.estimation.words import counted, joined, outward_by, precise, rounded, with_unit
from deniable.pages.results.comparison import Change, Comparison, than_in
from deniable.pages.results.histogram import QUARTERS, Fact, NumbersView, RangeShare, histogram, round_up
from deniable.pages.results.result_kind import Measurement, ResultKind, Section
from deniable.pages.results.rows import LEVELS, MOST_TICKS, Axis, Chart, Span, chart, share_chart
from deniable.pages.results.selection import Selection
from deniable.protocol.errors import ParameterError
from deniable.protocol.number_scale import DECIMAL, written
from deniable.protocol.say import Figure, Phrase, Statement

QUANTILES: Final = {**QUARTERS, 0.9: Statement("n9_in_10")}
"""The shares of people of whom it is said at or below which number they are."""
SAME: Final = Statement("the_same")


class NumberResult(ResultKind[Distribution]):
    """A number: its bins stay in the order of the scale, and are not compared two by two."""

    def finding(self, estimate: Distribution, is_open: bool) -> Statement:
        return estimate.statement(is_open)

    def section(self, estimate: Distribution, wanted: Selection, typed: tuple[str, str] | None, axis: Axis) -> Section:
        """Facts and the histogram; its rows have units."""
        bins = _bins(estimate)
        if bins is not None:
            rows = tuple(replace(row, label=with_unit(row.label, estimate.unit)) for row in bins.rows)
            bins = replace(bins, rows=rows)
        return Section(bins, numbers=numbers_view(estimate, typed), unit=estimate.unit)

    def rehearsal(self, estimate: Distribution, most: int) -> Section:
        return Section(_bins(estimate), numbers=numbers_view(estimate, None))

    def headline(self, estimate: Distribution) -> tuple[tuple[Span, ...], float | None]:
        """Nothing: it is no share."""
        return (), None

    def half_width(self, estimate: Distribution) -> Phrase:
        """How far the interval of the mean reaches."""
        (low, high), mean = estimate.mean.interval(LEVEL), estimate.mean.value
        return with_unit(rounded(max(high - mean, mean - low), 2), estimate.counted_in)

    def comparison(
        self, first: Distribution, second: Distribution, titles: tuple[str, str], are_weeks: bool = False
    ) -> Comparison:
        """The mean and quantiles of both, in the units of the scale."""
        difference = _difference(first, second)
        rows = tuple(
            Change(
                each.name, value_of(first, each.first), value_of(second, each.second),
                difference.amount(each.difference), difference.words(each.difference, difference.at_once),
            )
            for each in difference.quantities
        )  # fmt: skip
        finding = _finding(difference, than_in(titles, are_weeks), difference.at_once) or difference.verdict
        return Comparison(finding, difference.verdict, None, rows, titles, of_number=True)

    def sure_difference(
        self, first: Distribution, second: Distribution, titles: tuple[str, str], chance: float
    ) -> Statement | None:
        """The mean."""
        return _finding(_difference(first, second), than_in(titles), 1 - chance)

    def change(self, first: Distribution, second: Distribution) -> dict[str, Any]:
        difference = _difference(first, second)
        differences = [
            {"name": name, "value": more.value, "stderr": more.stderr, "interval": more.interval()}
            for name, _, _, more in difference.quantities
        ]
        return {"unit": difference.unit, "differences": differences}

    def followed(self, estimate: Distribution) -> Sequence[Hashable]:
        """The mean, and quantiles where there are ranges."""
        return [name for name in QUANTITIES if name == MEAN or estimate.reports.ranges is not None]

    def name(self, label: Hashable) -> Phrase:
        return HEADINGS[str(label)]

    def measurements(self, estimate: Distribution, labels: Sequence[Hashable]) -> Mapping[Hashable, Measurement]:
        """Each quantity, named by a label, with its own interval."""
        quantities = {label: QUANTITIES[str(label)](estimate) for label in labels}
        return {
            label: Measurement(each.value, *each.interval(LEVEL), between(estimate, each), value_of(estimate, each))
            for label, each in quantities.items()
        }

    def axis(self, estimate: Distribution, bounds: Sequence[tuple[float, float]]) -> Axis:
        low, high = min(low for low, _ in bounds), max(high for _, high in bounds)
        rough = max(high - low, float(estimate.scale.step)) / (MOST_TICKS - 1)
        step = round_up(rough, (1, 2, 5, 10))
        first, last = math.floor(low / step), math.ceil(high / step)
        last = max(last, first + 1)
        axis = Axis(first * step, last * step, (), 0.0)
        ticks = [
            (Figure(estimate.written(number * step, step)), axis.place(number * step))
            for number in range(first, last + 1)
        ]
        return Axis(axis.low, axis.high, tuple(ticks), axis.place(0))

    def unit(self, estimate: Distribution) -> Phrase:
        """None of dates."""
        return "" if estimate.scale.dated else estimate.unit

    def give_or_take(self, estimate: Distribution, half: float) -> Phrase:
        """In its unit, of dates in days."""
        return counted(precise(outward_by(0, half, half)[1], half), estimate.counted_in)


def _difference(first: Distribution, second: Distribution) -> NumberDifference:
    """The second minus the first, of other people; of distributions it is one of numbers."""
    return cast("NumberDifference", first.difference(second))


def _bins(estimate: Distribution) -> Chart | None:
    """The bins of the histogram, if it has any."""
    bins = range(len(estimate.labels))
    return chart(estimate, bins) if bins else None


def _finding(difference: NumberDifference, where: Statement, level: float) -> Statement | None:
    """By how much the mean surely differs; None if it does not."""
    way, span = way_and_amount(difference.first, difference.quantities[0].difference, level)
    if not way:
        return None
    if difference.first.scale.dated:
        return Statement("the_mean_is_later_by" if way > 0 else "the_mean_is_earlier_by", where=where, span=span)
    return Statement("the_mean_is_higher_by" if way > 0 else "the_mean_is_lower_by", where=where, span=span)


def numbers_view(estimate: Distribution, asked: tuple[str, str] | None) -> NumbersView:
    """What is shown of a number; ``asked`` is a range that a reader typed."""
    low, high = (estimate.shown(estimate.scale.value(place)) for place in (0, estimate.scale.steps))
    about = [Statement("asked_from_to_less_counts", low=low, high=high)]
    if estimate.scale.step != 1:
        second = estimate.shown(estimate.scale.value(1))
        about += [Statement("each_answer_counts_as_the_nearest", low=low, second=second)]
    if estimate.reports.ranges is None:
        return NumbersView((), tuple(_facts(estimate)), joined(about), None, None)
    if estimate.reports.width > 1:
        width = with_unit(written(estimate.reports.width * estimate.scale.step), estimate.counted_in)
        about += [Statement("numbers_are_told_apart_by", width=width)]
    quantiles = tuple(_fact(estimate, name, estimate.quantile(share)) for share, name in QUANTILES.items())
    share = None if asked is None else _range_share(estimate, *asked)
    return NumbersView(quantiles, tuple(_facts(estimate)), joined(about), histogram(estimate), share)


def _facts(estimate: Distribution) -> Iterator[Fact]:
    """The mean, and how far people differ where that was asked for."""
    yield _fact(estimate, Statement("mean"), estimate.mean)
    if estimate.reports.mean is not None and estimate.reports.squares is not None:
        value, low, high = bounds_by_error(estimate.spread)
        span = Statement("to_first_last", first=low, last=high)
        yield Fact(Statement("standard_deviation"), with_unit(value, estimate.unit), span)


def _fact(estimate: Distribution, name: Phrase, quantity: Quantity) -> Fact:
    """A quantity with the ends of its interval in words, of which the second alone has the unit."""
    least, most = bounds_in_words(estimate, quantity)
    first = least.values["number"] if isinstance(least, Statement) else least
    span = SAME if least == most else Statement("to_first_last", first=first, last=most)
    return Fact(name, value_of(estimate, quantity), span)


def _range_share(estimate: Distribution, low: str, high: str) -> RangeShare:
    """The share of the people in a range that a reader typed, or what is wrong with it."""
    try:
        bounds = [_typed_bound(estimate, each.strip().replace(",", ".")) for each in (low, high)]
        quantity = estimate.share(*bounds)
    except ParameterError:
        if estimate.scale.dated:
            return RangeShare(low, high, fault=Statement("give_two_dates_the_earlier"))
        return RangeShare(low, high, fault=Statement("give_two_numbers_the_smaller"))
    label = Statement("to_first_last", first=low.strip(), last=with_unit(high.strip(), estimate.unit))
    return RangeShare(low, high, share_chart(label, quantity.value, [quantity.interval(level) for level in LEVELS]))


def _typed_bound(estimate: Distribution, text: str) -> object:
    """A number that a reader typed; a date, and what is no number, as it stands: the estimate judges it."""
    if estimate.scale.dated or not DECIMAL.fullmatch(text):
        return text
    return float(text)
