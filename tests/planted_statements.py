"""Statements with one number changed: to promise more than is so, or less than could be said."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from deniable.audit.truth import Belief, Truth
from deniable.protocol.say import READABLE, Statement, factor

LEVELS, SHARES, COUNTS = ("level", "far", "charge"), ("own", "other"), ("asked", "count", "length", "cap", "share")
THOUSANDTH = 1e-3
"""What levels are changed by, of their own, and beliefs, of 1: what these are rounded outwards to."""
ROUNDED: tuple[Callable[[Fraction], int], ...] = (math.floor, math.ceil)
Change = Callable[[str, Any], list[Any]]


def falser(statement: Statement) -> list[Statement]:
    """The same statement with each of its numbers promising more than is so, also those of statements in it."""

    def change(place: str, value: Any) -> list[Any]:
        if place in LEVELS:
            return [value * (1 - THOUSANDTH), *printed_beside(value, -1)] if value else []
        if place in ("least", "most"):
            inwards = THOUSANDTH if place == "least" else -THOUSANDTH
            return [round(value + inwards, 3), value + inwards / 2, value + inwards / 1000]
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
            return [round(value + (-THOUSANDTH if place == "least" else THOUSANDTH), 3)]
        return []

    return _each_changed(statement, change, weakened)


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

    Two are where a whole number of thousandths lies between what is realised and what is stated.
    """
    found = [each for each in (truth or {}).values() if isinstance(each, Belief)]
    return all(rounded(each.share * 1000) == rounded(each.stated * 1000) for each in found for rounded in ROUNDED)


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
