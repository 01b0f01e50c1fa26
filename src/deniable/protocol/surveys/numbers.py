"""Questions answered by a number or a date: a scale of whole steps between two bounds, and places on it, exactly."""

from __future__ import annotations

import datetime
import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ..canonical import Spec
from ..errors import ParameterError
from .fields import check_words
from .question import Question

MOST_STEPS = 1 << 20
MOST_UNIT = 40
WANTS = ("mean", "quantiles", "histogram", "spread")
DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{0,8}[1-9])?")
"""How a document writes a number: in the one way that has no digit too many."""
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Number(Question):
    """A number, or a date, from ``low`` to ``high`` by whole steps; beyond them it counts as the bound."""

    kind = "number"

    def __init__(self, written: Spec) -> None:
        super().__init__(written)
        self._bounds = {field: written[field] for field in ("low", "high", "step")}
        (self.low, self.dated), (high, also), (self.step, never) = map(_bound, self._bounds.values())
        if self.dated != also or never or self.step <= 0 or (self.dated and self.step.denominator > 1):
            raise ParameterError("low and high must be two numbers or two dates, and step fit them, got others")
        steps = (high - self.low) / self.step
        if steps.denominator > 1 or not 1 <= steps <= MOST_STEPS:
            raise ParameterError(f"high must be low plus 1 to {MOST_STEPS} whole steps, got another")
        self.steps = int(steps)
        self.unit = check_words("unit", written["unit"])
        want = written["want"]
        if len(self.unit) > MOST_UNIT or not want or want != [each for each in WANTS if each in want]:
            raise ParameterError(f"unit must be short, and want some of {', '.join(WANTS)} in this order, got others")
        self.want = tuple(want)

    def check(self, answer: Any) -> None:
        """A finite number, or a date."""
        if _exact(answer, self.dated) is None:
            raise self._refuse("a date" if self.dated else "a finite number")

    def taken(self, answer: Any) -> int:
        """The place of a checked answer: the nearest step, the higher of two that are as near."""
        number = _exact(answer, self.dated)
        assert number is not None
        return min(max(math.floor((number - self.low) / self.step + Fraction(1, 2)), 0), self.steps)

    def to_json(self) -> Spec:
        """The question as a document holds it."""
        return {**super().to_json(), **self._bounds, "unit": self.unit, "want": list(self.want)}


def _bound(written: Any) -> tuple[Fraction, bool]:
    """A number of a document and whether it is a date, which counts as its day."""
    if isinstance(written, str) and DECIMAL.fullmatch(written) and written != "-0":
        return Fraction(written), False
    day = _day(written)
    if day is not None:
        return day, True
    raise ParameterError("a bound must be a number in the shortest way or a date, got another text")


def _exact(answer: Any, dated: bool) -> Fraction | None:
    """The number that people read, or the day of a date; None for anything else."""
    if dated:
        return _day(answer)
    if isinstance(answer, (int, Fraction)) and not isinstance(answer, bool):
        return Fraction(answer)
    if isinstance(answer, (float, Decimal)) and math.isfinite(answer):
        return Fraction(repr(answer) if isinstance(answer, float) else answer)
    return None


def _day(given: Any) -> Fraction | None:
    """The day of a date, which may be written as 2026-08-01; None for anything else."""
    if isinstance(given, datetime.date) and not isinstance(given, datetime.datetime):
        return Fraction(given.toordinal())
    if not isinstance(given, str) or not DATE.fullmatch(given):
        return None
    try:
        return Fraction(datetime.date.fromisoformat(given).toordinal())
    except ValueError:
        return None
