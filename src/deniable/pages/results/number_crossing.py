"""A number set beside another answer: its mean in each group, or how two numbers go together."""

from __future__ import annotations

import math
from dataclasses import dataclass

from deniable.estimation.numbers.association import Association
from deniable.estimation.numbers.by_group import MeansByGroup
from deniable.estimation.saying import LEVEL
from deniable.estimation.table import printable
from deniable.estimation.words import MINUS
from deniable.surveys.numbers import Number
from deniable.surveys.results import Results


@dataclass(frozen=True)
class Beside:
    """A sentence, and a row for each group or each measure: its name, the estimate, and what can be said."""

    sentence: str
    heading: str
    rows: tuple[tuple[str, str, str], ...]


def beside(results: Results, first: str, second: str) -> Beside | None:
    """What is shown of two questions of which one at least is a number; None of two others."""
    document = results.document
    pair = [name for name in (first, second) if isinstance(document.question(name), Number)]
    if len(pair) == 2:
        return _together(results.association(first, second))
    if len(pair) == 1:
        [number] = pair
        return _by_group(results.means(number, by=second if number == first else first))
    return None


def _by_group(means: MeansByGroup) -> Beside:
    rows = []
    for group in means.groups:
        mean = means.mean(group)
        if math.isnan(mean.value):
            rows.append((printable(group), "", "too few people to say anything"))
            continue
        low, high = mean.interval(LEVEL)
        shown = [_written(number, high - low) for number in (mean.value, low, high)]
        unit = f" {means.unit}" if means.unit else ""
        rows.append((printable(group), shown[0] + unit, f"between {shown[1]} and {shown[2]}{unit}"))
    number, groups = means.names[1], means.names[0]
    sentence = f"The mean of {number} among the people who gave each answer to {groups}."
    return Beside(f"{sentence} Groups whose intervals overlap may well have the same mean.", groups, tuple(rows))


def _together(found: Association) -> Beside:
    first, second = found.names
    rows = []
    if found.slope is not None:
        low, high = found.slope.interval(LEVEL)
        shown = [_written(number, high - low) for number in (found.slope.value, low, high)]
        rows.append((f"{second} for each unit more of {first}", shown[0], f"between {shown[1]} and {shown[2]}"))
    if found.correlation is not None:
        low, high = found.correlation.interval(LEVEL)
        rows.append(("correlation, from -1 to 1".replace("-", MINUS), *_bounds(found.correlation.value, low, high)))
    low, high = found.covariance.interval(LEVEL)
    rows.append(("covariance", *_bounds(found.covariance.value, low, high)))
    way = "rise together" if low > 0 else "go against each other" if high < 0 else ""
    sentence = f"{first} and {second} {way}." if way else f"No connection between {first} and {second} can be seen."
    return Beside(sentence, "measure", tuple(rows))


def _bounds(value: float, low: float, high: float) -> tuple[str, str]:
    shown = [_written(number, high - low) for number in (value, low, high)]
    return shown[0], f"between {shown[1]} and {shown[2]}"


def _written(number: float, width: float) -> str:
    """A number with as many decimals as an interval of this width leaves of use."""
    digits = max(0, math.ceil(-math.log10(max(width, 1e-12) / 10)))
    text = f"{abs(number):,.{digits}f}"
    return f"{MINUS}{text}" if number < 0 and float(text.replace(",", "")) else text
