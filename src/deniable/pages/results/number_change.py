"""A number in two results, and the axis of its periods: its mean and quantiles, in the units of its scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_difference import NumberDifference
from deniable.estimation.numbers.number_saying import value_of, way_and_span
from deniable.estimation.words import magnitude
from deniable.pages.results.changes import Change, Comparison
from deniable.pages.results.rows import MOST_TICKS, Axis

NICE: Final = (1.0, 2.0, 5.0, 10.0)


def numbers_compared(found: NumberDifference, titles: tuple[str, str], where: str) -> Comparison:
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
    mean = found.quantities[0].more
    way, span = way_and_span(mean, found.at_once)
    up, down = ("later", "earlier") if found.first.scale.dated else ("higher", "lower")
    finding = (
        f"The mean is {up if way > 0 else down} {where}, by {span} {found.unit}".rstrip() + "."
        if way
        else found.verdict
    )
    return Comparison(finding, found.verdict, "", rows, titles, "Number", "")


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
    ticks = [
        (of.shown(number * step, step).split("\N{NO-BREAK SPACE}")[0], axis.place(number * step))
        for number in range(first, last + 1)
    ]
    return Axis(axis.low, axis.high, tuple(ticks), axis.place(0))
