"""Statements with one number changed: to promise more than is so, or less than could be said."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from deniable.audit.truth import BeliefBound, Truth
from deniable.protocol.say import READABLE, Statement, factor

LEVELS, SHARES, COUNTS = ("level", "far", "charge"), ("own", "other"), ("asked", "count", "length", "cap", "share")
THOUSANDTH = 1e-3
"""What levels are changed by, of their own, and beliefs, of 1."""
Change = Callable[[str, Any], list[Any]]


def falser(statement: Statement) -> list[Statement]:
    """The same statement with each of its numbers promising more than is so, also those of statements in it."""

    def change(place: str, value: Any) -> list[Any]:
        if place in LEVELS:
            return [value * (1 - THOUSANDTH), *printed_beside(value, -1)] if value else []
        if place in ("least", "most"):
            inwards = 1 if place == "least" else -1
            return [unit_beside(value, inwards), *(value + inwards * each for each in (THOUSANDTH, 5e-4, 1e-6))]
        if place == "before":  # which is printed as a whole percentage
            return [value + THOUSANDTH]
        if place in SHARES:
            return [value + last_digit(value)]
        # that many steps is where it is told how far they are, not what is so
        return [value + 1] if place in COUNTS and not (place == "count" and "far" in statement.values) else []

    return _each_changed(statement, change, falser)


def weakened(statement: Statement) -> list[Statement]:
    """The same statement with each level and each belief promising less than could be."""

    def change(place: str, value: Any) -> list[Any]:
        if place in LEVELS:
            return [value * (1 + THOUSANDTH), *printed_beside(value, 1)] if value else []
        if place in ("least", "most") and isinstance(value, float):  # not numbers of bytes
            return [unit_beside(value, -1 if place == "least" else 1)]
        return []

    return _each_changed(statement, change, weakened)


def unit_beside(share: float, way: int) -> float:
    """A share with one more or less of the last digit that is printed, or of a finer one where it would be 0 or 1."""
    digits = max(len(f"{share:.15f}".rstrip("0").partition(".")[2]), 2)
    found = [round(share + way * 10.0**-each, each) for each in (digits, digits + 1)]
    return next((each for each in found if 0 < each < 1), share + way * THOUSANDTH)


def printed_beside(level: float, steps: int) -> list[float]:
    """The level whose factor is printed so many of its last digit beside that of another; none of a power."""
    if level > READABLE:
        return []
    printed = float(factor(level))
    beside = math.log(printed + steps * last_digit(printed)) - 1e-9
    return [beside] if beside > 0 else []


def last_digit(number: float) -> float:
    """What one more of the last of three digits adds to a number."""
    return float(10.0 ** (math.floor(math.log10(number)) - 2)) if number else 1.0


def is_alone(truth: Truth | None) -> bool:
    """Whether no other value is right in the place of a belief.

    Two are where one that is printed lies between what is realised and what is stated.
    """
    found = [each for each in (truth or {}).values() if isinstance(each, BeliefBound)]
    return all(each._outwards(each.share) == each._outwards(each.loosest) for each in found)


def _each_changed(
    statement: Statement, change: Change, inner: Callable[[Statement], list[Statement]]
) -> list[Statement]:
    changed: list[tuple[str, Any]] = []
    for place, value in statement.values.items():
        if isinstance(value, Statement):
            changed += [(place, other) for other in inner(value)]
        elif not isinstance(value, str):
            changed += [(place, other) for other in change(place, value)]
    return [Statement(statement.key, **{**statement.values, place: value}) for place, value in changed]
