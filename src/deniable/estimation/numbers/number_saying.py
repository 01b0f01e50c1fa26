"""What is said of a number, in sentences."""

from __future__ import annotations

from typing import Final

from deniable.estimation.numbers.number_reading import Distributed
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.saying import LEVEL, NOTHING
from deniable.estimation.words import outward_by, precise

USELESS: Final = 0.5
"""If the mean may lie anywhere in so much of the range, nothing can be said."""


def number_sentence(found: Distributed, is_open: bool = False) -> str:
    """What can be said: where the mean lies, and between which numbers half of the people are."""
    low, high = found.mean.interval(LEVEL)
    if high - low > USELESS * (found.scale.value(found.scale.steps) - found.scale.value(0)):
        return f"{NOTHING} the mean may be almost anywhere."
    far = "So far the mean is" if is_open else "The mean is"
    said = f"{far} {between(found, found.mean)}"
    if found.told.ranges is None:
        return f"{said}."
    return f"{said}, and half of the people are at or below a number {between(found, found.quantile(0.5))}."


def in_words(quantity: Quantity, unit: str = "") -> tuple[str, str]:
    """The estimate and the interval of a number that lies on no scale, such as a spread or a slope."""
    value, low, high = (precise(number, quantity.error) for number in (quantity.value, *quantity.interval(LEVEL)))
    return f"{value}{unit}", f"between {low} and {high}{unit}"


def change_in_units(found: Distributed, more: Quantity, level: float) -> str:
    """What the interval of a difference says, rounded outward, in units of the scale or in days."""
    low, high = more.interval(level)
    if high > low:
        low, high = outward_by(low, high, more.error)
    up, down = ("later", "earlier") if found.scale.dated else ("more", "less")
    if low <= 0 <= high:
        return f"cannot be told apart ({_span(low, high, more, found.counted_in)})"
    near, far = (low, high) if low > 0 else (-high, -low)
    return f"{up if low > 0 else down}, by {_span(near, far, more, found.counted_in)}"


def _span(low: float, high: float, more: Quantity, unit: str) -> str:
    return f"{precise(low, more.error)} to {precise(high, more.error)} {unit}".rstrip()


def value_of(found: Distributed, quantity: Quantity) -> str:
    """Its estimate, as precisely as is of use; quantiles stay as they are."""
    return found.shown(quantity.value, 0.0 if quantity.on_scale else quantity.error)


def between(found: Distributed, quantity: Quantity) -> str:
    """Its interval in words, rounded outward; quantiles are numbers of the scale and stay as they are."""
    (low, high), error = quantity.interval(LEVEL), 0.0
    if not quantity.on_scale and not found.scale.dated and high > low:
        error = quantity.error
        low, high = outward_by(low, high, error)
    least, most = found.shown(low, error), found.shown(high, error)
    return least if least == most else f"between {least} and {most}"
