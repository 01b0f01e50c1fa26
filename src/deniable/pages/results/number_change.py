"""A number in two results or period after period: its mean and quantiles, in the units of its scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from deniable.collector.storage.rows import RELEASED, Standing
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_saying import between
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.saying import ALIKE, RARE
from deniable.estimation.words import MINUS
from deniable.pages.results.changes import Change, Comparison, Measurement, Moment, Timeline
from deniable.pages.results.rows import LEVELS, MOST_TICKS, Axis, Span
from deniable.protocol.scale import written

MEAN, MEDIAN = "Mean", "Median"
TOLD: Final[dict[str, Callable[[Distribution], Quantity]]] = {
    MEAN: lambda found: found.mean,
    "A quarter are at or below": lambda found: found.quantile(0.25),
    MEDIAN: lambda found: found.median,
    "Three quarters are at or below": lambda found: found.quantile(0.75),
}
"""What is compared; all but the mean need ranges."""
NICE: Final = (1.0, 2.0, 5.0, 10.0)


def numbers_compared(first: Distribution, second: Distribution) -> Comparison:
    """The second result minus the first; intervals hold for all rows at once."""
    told = _both(first, second)
    level = 1 - RARE / len(told)
    rows = [_change(first, name, before, after, level) for name, before, after in told]
    differ = [low > 0 or high < 0 for low, high in (after.minus(before).interval(level) for _, before, after in told)]
    said = "The two differ. Were they alike, at most 1 in 20 such comparisons would say so." if any(differ) else ALIKE
    return Comparison(said, "", tuple(rows), ("Number", "This result", "The other", "Difference"))


def numbers_change(first: Distribution, second: Distribution) -> dict[str, Any]:
    """The same in plain values, with the interval of each row by itself."""
    rows = [(name, after.minus(before)) for name, before, after in _both(first, second)]
    told = [
        {"name": name, "value": more.value, "stderr": more.stderr, "interval": more.interval()} for name, more in rows
    ]
    return {"unit": _unit(first), "differences": told}


def number_line(read: Sequence[tuple[Standing, Distribution | None]], place: int) -> Timeline:
    """The mean, or the median, in each period."""
    known = [found for _, found in read if found is not None]
    names = tuple(name for name in (MEAN, MEDIAN) if name == MEAN or known[-1].told.ranges is not None)
    name = names[min(place, len(names) - 1)]
    told = [None if found is None else TOLD[name](found) for _, found in read]
    axis = _axis(known[-1], [each.interval(LEVELS[0]) for each in told if each is not None])
    moments = tuple(_moment(*each, quantity, axis) for each, quantity in zip(read, told, strict=True))
    closed = [
        (standing.period, quantity)
        for (standing, _), quantity in zip(read, told, strict=True)
        if quantity is not None and standing.state == RELEASED
    ]
    return Timeline(
        name, names, axis, moments, _changed(known[-1], name, closed), _unit(known[-1]), f"True {name.lower()}"
    )


def _both(first: Distribution, second: Distribution) -> list[tuple[str, Quantity, Quantity]]:
    ranged = first.told.ranges is not None and second.told.ranges is not None
    return [(name, of(first), of(second)) for name, of in TOLD.items() if ranged or name == MEAN]


def _change(of: Distribution, name: str, before: Quantity, after: Quantity, level: float) -> Change:
    more = after.minus(before)
    first, second = (of.shown(each.value, each.stderr / 2 if name == MEAN else 0) for each in (before, after))
    told = _amount(of, more.value, more.stderr if name == MEAN else 0)
    return Change(name, first, second, told, _words(of, *more.interval(level)))


def _words(of: Distribution, low: float, high: float) -> str:
    """What an interval of a difference says."""
    fine = 10.0 ** math.floor(math.log10(max(high - low, 1e-9) / 10))
    low, high = math.floor(round(low / fine, 6)) * fine, math.ceil(round(high / fine, 6)) * fine
    more, fewer = ("later", "earlier") if of.scale.dated else ("more", "less")
    if low > 0:
        return f"{more}, by {_amount(of, low, fine * 10, '')} to {_amount(of, high, fine * 10)}"
    if high < 0:
        return f"{fewer}, by {_amount(of, -high, fine * 10, '')} to {_amount(of, -low, fine * 10)}"
    return f"cannot be told apart ({_amount(of, low, fine * 10, '')} to {_amount(of, high, fine * 10)})"


def _amount(of: Distribution, number: float, error: float, unit: str | None = None) -> str:
    """A difference in units or days, with as many decimals as its error leaves of use; with none, those of a step."""
    steps = written(of.scale.step).partition(".")[2]
    digits = max(0, math.ceil(-math.log10(error)) + 1) if 0 < error < math.inf else len(steps)
    shown = f"{abs(number):,.{digits}f}"
    sign = MINUS if number < 0 and float(shown.replace(",", "")) else ""
    return f"{sign}{shown} {_unit(of) if unit is None else unit}".rstrip()


def _unit(of: Distribution) -> str:
    return "days" if of.scale.dated else of.unit


def _axis(of: Distribution, bounds: Sequence[tuple[float, float]]) -> Axis:
    """An axis from round numbers with room for all bounds."""
    low, high = min(low for low, _ in bounds), max(high for _, high in bounds)
    rough = max(high - low, float(of.scale.step)) / (MOST_TICKS - 1)
    power = 10.0 ** math.floor(math.log10(rough))
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
    shown = found.shown(told.value, told.stderr / 2)
    measured = Measurement(told.value, *told.interval(LEVELS[0]), between(found, told))
    return Moment(standing.period, found.n, is_open, shown, measured, axis.place(told.value), bands)


def _changed(of: Distribution, name: str, closed: Sequence[tuple[str, Quantity]]) -> str:
    """What is known of the change from the first to the last closed period."""
    if len(closed) < 2:
        return "Changes are shown once two periods are closed."
    (begun, first), (ended, last) = closed[0], closed[-1]
    words = _words(of, *last.minus(first).interval())
    return f"The {name.lower()} of {ended} beside that of {begun}: {words}."
