"""A number in two results or period after period: its mean and quantiles, in the units of its scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from deniable.collector.storage.rows import RELEASED, Standing
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_difference import MEAN, MEDIAN, QUANTITIES, NumberDifference
from deniable.estimation.numbers.number_saying import between, change_in_units, value_of
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.words import magnitude
from deniable.pages.results.changes import Change, Comparison, Measurement, Moment, Timeline
from deniable.pages.results.rows import LEVELS, MOST_TICKS, Axis, Span

NICE: Final = (1.0, 2.0, 5.0, 10.0)


def numbers_compared(found: NumberDifference, titles: tuple[str, str]) -> Comparison:
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
    return Comparison(found.verdict, "", rows, titles, "Number", "")


def numbers_change(found: NumberDifference) -> dict[str, Any]:
    """The same in plain values, with the interval of each row by itself."""
    told = [
        {"name": name, "value": more.value, "stderr": more.stderr, "interval": more.interval()}
        for name, _, _, more in found.quantities
    ]
    return {"unit": found.unit, "differences": told}


def number_line(read: Sequence[tuple[Standing, Distribution | None]], place: int) -> Timeline:
    """The mean, or the median, in each period."""
    known = [found for _, found in read if found is not None]
    names = tuple(name for name in (MEAN, MEDIAN) if name == MEAN or known[-1].told.ranges is not None)
    name = names[min(place, len(names) - 1)]
    told = [None if found is None else QUANTITIES[name](found) for _, found in read]
    axis = _axis(known[-1], [each.interval(LEVELS[0]) for each in told if each is not None])
    moments = tuple(_moment(*each, quantity, axis) for each, quantity in zip(read, told, strict=True))
    closed = [
        (standing.period, quantity)
        for (standing, _), quantity in zip(read, told, strict=True)
        if quantity is not None and standing.state == RELEASED
    ]
    changed = _changed(known[-1], name, closed)
    return Timeline(name, names, axis, moments, changed, known[-1].counted_in, f"True {name.lower()}")


def _axis(of: Distribution, bounds: Sequence[tuple[float, float]]) -> Axis:
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


def _moment(standing: Standing, found: Distribution | None, told: Quantity | None, axis: Axis) -> Moment:
    is_open = standing.is_open
    if found is None or told is None:
        return Moment(standing.period, 0, is_open, "", Measurement.nothing("too few answers"), None, ())
    spans = [[axis.place(bound) for bound in told.interval(level)] for level in LEVELS]
    bands = tuple(Span(low, round(high - low, 3)) for low, high in spans)
    shown = value_of(found, told)
    measured = Measurement(told.value, *told.interval(LEVELS[0]), between(found, told))
    return Moment(standing.period, found.n, is_open, shown, measured, axis.place(told.value), bands)


def _changed(of: Distribution, name: str, closed: Sequence[tuple[str, Quantity]]) -> str:
    """What is known of the change from the first to the last closed period."""
    if len(closed) < 2:
        return "Changes are shown once two periods are closed."
    (begun, first), (ended, last) = closed[0], closed[-1]
    words = change_in_units(of, last.minus(first), LEVELS[0])
    return f"The {name.lower()} of {ended} beside that of {begun}: {words}."
