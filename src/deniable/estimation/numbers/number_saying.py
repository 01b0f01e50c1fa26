"""What is said of a number, in sentences."""

from __future__ import annotations

import math
from typing import Final

from deniable.estimation.numbers.number_reading import Distributed
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.saying import LEVEL, NOTHING

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
    return f"{said}, and half of the people are at or below a number {between(found, found.quantile(0.5), exact=True)}."


def between(found: Distributed, quantity: Quantity, *, exact: bool = False) -> str:
    """Its interval in words, rounded outward; quantiles are numbers of the scale and stay as they are."""
    low, high = quantity.interval(LEVEL)
    error = 0.0
    if not exact and not found.scale.dated:
        fine = 10.0 ** math.floor(math.log10(max(high - low, 1e-9) / 10))
        low, high = math.floor(round(low / fine, 6)) * fine, math.ceil(round(high / fine, 6)) * fine
        error = 10 * fine  # which shows as many decimals as the bounds have
    least, most = found.shown(low, error), found.shown(high, error)
    return least if least == most else f"between {least} and {most}"
