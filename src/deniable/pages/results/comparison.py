"""One question in two closed results: two periods, or two surveys that ask the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from deniable.arrays import Vector
from deniable.estimation.difference import Difference
from deniable.estimation.estimate import Estimate
from deniable.estimation.table import printable
from deniable.pages.results.rows import UNKNOWN
from deniable.pages.words import how_often, outward, points, signed

RARE: Final = 0.05
"""How often chance alone may make a difference that is called one."""


@dataclass(frozen=True)
class Change:
    """A label: both shares and their difference, in points."""

    label: str
    first: str
    second: str
    difference: str
    words: str


@dataclass(frozen=True)
class Comparison:
    """What the second result has more or less of than the first."""

    sentence: str
    test: str
    rows: tuple[Change, ...]


def compared(first: Estimate, second: Estimate) -> Comparison:
    """The second result minus the first. The intervals hold for all labels at once: nobody chose one beforehand."""
    found = first.difference(second)
    mirrored = len(found.labels) == 2 and first.adds_up
    bounds = found.interval(1 - RARE / (1 if mirrored else len(found.labels)))
    shares = zip(found.labels, first.unbiased, second.unbiased, found.values, found.stderr, bounds, strict=True)
    return Comparison(_sentence(found), str(found.test), tuple(_change(*each) for each in shares))


def _sentence(found: Difference) -> str:
    if not np.isfinite(found.stderr).any():
        return "Nothing can be said: neither result tells its answers apart."
    chance = found.test.p_value
    if chance >= RARE:
        return "No difference can be seen. There may be one that is too small for this many people."
    return f"The two differ. Were they alike, chance alone would make a difference this clear {how_often(chance)}."


def _change(label: Any, before: float, after: float, value: float, error: float, bounds: Vector) -> Change:
    if not np.isfinite([before, after, value, error, *bounds]).all():
        return Change(printable(label), "", "", "", UNKNOWN)
    words = _words(*outward(*bounds.tolist()))
    return Change(printable(label), points(before), points(after), signed(value), words)


def _words(low: float, high: float) -> str:
    """What an interval of a difference says.

    >>> _words(0.012, 0.05), _words(-0.05, -0.012)
    ('more, by 1.2 to 5.0 points', 'fewer, by 1.2 to 5.0 points')
    """
    if low > 0:
        return f"more, by {points(low)} to {points(high)} points"
    if high < 0:
        return f"fewer, by {points(-high)} to {points(-low)} points"
    return f"cannot be told apart ({signed(low)} to {signed(high)} points)"
