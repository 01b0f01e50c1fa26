"""A number in two results, and the axis of its periods: its mean and quantiles, in the units of its scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_difference import NumberDifference
from deniable.estimation.numbers.number_saying import value_of, way_and_amount
from deniable.estimation.words import magnitude
from deniable.pages.results.changes import Change, Comparison
from deniable.pages.results.rows import MOST_TICKS, Axis
from deniable.protocol.say import Figure, Statement

NICE: Final = (1.0, 2.0, 5.0, 10.0)


def numbers_compared(found: NumberDifference, titles: tuple[str, str], where: Statement) -> Comparison:
    """The second result minus the first; intervals hold for all rows at once."""
    rows = tuple(
        Change(
            each.name,
            value_of(found.first, each.first),
            value_of(found.second, each.second),
            found.amount(each.more),
            found.words(each.more, found.at_once),
        )
        for each in found.quantities
    )
    return Comparison(_finding(found, where) or found.verdict, found.verdict, None, rows, titles, of_number=True)


def _finding(found: NumberDifference, where: Statement) -> Statement | None:
    """By how much the mean surely differs; None if it does not."""
    way, span = way_and_amount(found.first, found.quantities[0].more, found.at_once)
    if not way:
        return None
    if found.first.scale.dated:
        later = Statement("the_mean_is_later_by", where=where, span=span)
        return later if way > 0 else Statement("the_mean_is_earlier_by", where=where, span=span)
    higher = Statement("the_mean_is_higher_by", where=where, span=span)
    return higher if way > 0 else Statement("the_mean_is_lower_by", where=where, span=span)


def numbers_change(found: NumberDifference) -> dict[str, Any]:
    """The same in plain values, with the interval of each row by itself."""
    told = [
        {"name": name, "value": more.value, "stderr": more.stderr, "interval": more.interval()}
        for name, _, _, more in found.quantities
    ]
    return {"unit": found.unit, "differences": told}


def axis_of_numbers(of: Distribution, bounds: Sequence[tuple[float, float]]) -> Axis:
    """An axis from round numbers with room for all bounds."""
    low, high = min(low for low, _ in bounds), max(high for _, high in bounds)
    rough = max(high - low, float(of.scale.step)) / (MOST_TICKS - 1)
    power = 10.0 ** magnitude(rough)
    step = next(nice for nice in NICE if nice * power >= rough * (1 - 1e-9)) * power
    first, last = math.floor(low / step), math.ceil(high / step)
    last = max(last, first + 1)
    axis = Axis(first * step, last * step, (), 0.0)
    ticks = [(Figure(of.written(number * step, step)), axis.place(number * step)) for number in range(first, last + 1)]
    return Axis(axis.low, axis.high, tuple(ticks), axis.place(0))
