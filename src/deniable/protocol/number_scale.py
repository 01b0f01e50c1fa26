"""Grids: numbers and dates in whole steps between two bounds, exactly: no answer is rounded twice.

A place is the number of steps from the low bound; a number between two steps goes to the nearer one, or to the higher
one if both are as near, and one beyond a bound to the bound.
"""

from __future__ import annotations

import datetime
import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from .checks import shown
from .errors import LabelError, ParameterError
from .python_values import python_value, stranger
from .say import Statement

MOST_STEPS: Final = 1 << 20
"""The most steps between the bounds: squares of places times a few levels are then exact in every language."""
PLACES: Final = 9
"""The most decimal places of a bound or a step."""
LARGEST: Final = 10**15
DECIMAL: Final = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{0,8}[1-9])?")
"""How a document writes a number: in the one way that has no digit too many."""
DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True, repr=False)
class NumberScale:
    """The numbers ``low``, ``low + step``, and so on, ``steps`` of them after the first; of ``dated`` scales days.

    >>> minutes = NumberScale.of(0, 120, 5)
    >>> minutes.steps, minutes.index(12.5), minutes.index(500), minutes.value(3)
    (24, 3, 24, 15.0)
    >>> NumberScale.of("1950-01-01", "2026-12-31").index(datetime.date(1950, 1, 31))
    30
    """

    low: Fraction
    step: Fraction
    steps: int
    dated: bool

    @classmethod
    def of(cls, low: Any, high: Any, step: Any = 1) -> NumberScale:
        """The scale between two numbers or two dates, both on it."""
        (least, dated), (most, high_dated) = _bound("low", low), _bound("high", high)
        width, step_dated = _bound("step", step)
        if dated != high_dated or step_dated:
            raise ParameterError(Statement("bounds_of_one_kind"))
        if width <= 0 or (dated and width.denominator > 1):
            raise ParameterError(Statement("step_of_whole_days" if dated else "step_above_0"))
        steps = (most - least) / width
        if steps.denominator > 1 or steps < 1:
            nearest = least + max(math.floor(steps), 1) * width
            raise ParameterError(
                Statement("high_by_whole_steps", nearest=written(nearest, dated), high=written(most, dated))
            )
        if steps > MOST_STEPS:
            raise ParameterError(Statement("steps_at_most", most=MOST_STEPS, got=int(steps)))
        return cls(least, width, int(steps), dated)

    @property
    def size(self) -> int:
        """How many places there are."""
        return self.steps + 1

    @property
    def high(self) -> Fraction:
        """The largest number."""
        return self.low + self.steps * self.step

    def value(self, place: float) -> float:
        """The number at a place, which may lie between two steps; of dates the day since the first of January 1."""
        return float(self.low) + place * float(self.step)

    def shown(self, place: float, digits: int | None = None) -> str:
        """The number at a place as people read it, with so many ``digits``: unless told, as many as a step has.

        >>> NumberScale.of(0, 1, "0.25").shown(3), NumberScale.of("2026-01-01", "2026-12-31").shown(31.2)
        ('0.75', '2026-02-01')
        """
        if self.dated:
            days = min(max(round(self.value(place)), 1), datetime.date.max.toordinal())
            return datetime.date.fromordinal(days).isoformat()
        if digits is None and float(place).is_integer():
            return written(self.low + int(place) * self.step)
        text = f"{self.value(place):,.{digits or 0}f}"
        return text.replace("-", "\N{MINUS SIGN}") if float(self.value(place)) else text

    def place_of(self, value: Any) -> float:
        """The place of a number that somebody asks about, between steps too; a ParameterError for anything else."""
        exact = _exact(value)
        if exact is None or exact[1] != self.dated:
            raise ParameterError(f"the value must be a {'date' if self.dated else 'finite number'}, got {shown(value)}")
        return float((exact[0] - self.low) / self.step)

    def to_json(self) -> dict[str, str]:
        """The bounds and the step as a document writes them."""
        return {
            "low": written(self.low, self.dated),
            "high": written(self.high, self.dated),
            "step": written(self.step),
        }

    # --- answers ----------------------------------------------------------------------------------------------------

    def __contains__(self, value: object) -> bool:
        exact = _exact(python_value(value))
        return exact is not None and exact[1] == self.dated and (self.dated or not isinstance(value, str))

    def index(self, value: Any) -> int:
        """The place of one answer."""
        if value not in self:
            raise LabelError(f"the value must be {self.wanted}, got {stranger(value)}")
        return self.place(python_value(value))

    @property
    def wanted(self) -> str:
        """What an answer must be, in words."""
        return "a date" if self.dated else "a finite number"

    def place(self, value: Any) -> int:
        """The place of a checked answer: the nearest step, the higher of two that are as near."""
        exact = _exact(value)
        assert exact is not None
        return min(max(math.floor((exact[0] - self.low) / self.step + Fraction(1, 2)), 0), self.steps)

    def __repr__(self) -> str:
        shown = self.to_json()
        return f"{shown['low']} to {shown['high']} by {shown['step']}"


def written(number: Fraction, dated: bool = False) -> str:
    """A number with few decimals, or the date of a day, as a document writes it.

    >>> written(Fraction(5, 2)), written(Fraction(-40)), written(Fraction(1), dated=True)
    ('2.5', '-40', '0001-01-01')
    """
    if dated:
        return datetime.date.fromordinal(int(number)).isoformat()
    whole, fraction = divmod(abs(number), 1)
    decimals = f"{int(fraction * 10**PLACES):0{PLACES}d}".rstrip("0")
    return f"{'-' if number < 0 else ''}{int(whole)}{'.' if decimals else ''}{decimals}"


def _bound(name: str, given: Any) -> tuple[Fraction, bool]:
    """A bound or a step, exactly, and whether it is a date."""
    exact = _exact(given)
    if exact is None:
        raise ParameterError(f"{name} must be a number or a date, got {type(given).__name__}")
    number, dated = exact
    if abs(number) >= LARGEST or (number * 10**PLACES).denominator > 1:
        raise ParameterError(Statement("digits_at_most", name=name, places=PLACES))
    return number, dated


def _exact(given: Any) -> tuple[Fraction, bool] | None:
    """A number as people write it, and whether it is a date's day; None for anything else."""
    value = python_value(given)
    if isinstance(value, bool | datetime.datetime):
        return None
    if isinstance(value, datetime.date):
        return Fraction(value.toordinal()), True
    if isinstance(value, str):
        return _read(value)
    if isinstance(value, int | Fraction):
        return Fraction(value), False
    if isinstance(value, float | Decimal) and math.isfinite(value):
        return Fraction(repr(float(value)) if isinstance(value, float) else value), False
    return None


def _read(text: str) -> tuple[Fraction, bool] | None:
    """The number or the date that a document writes."""
    if DECIMAL.fullmatch(text) and text != "-0":
        return Fraction(text), False
    try:
        return (Fraction(datetime.date.fromisoformat(text).toordinal()), True) if DATE.fullmatch(text) else None
    except ValueError:
        return None
