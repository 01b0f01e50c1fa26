"""Statements with one number changed: to promise more than is so, or less than could be said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deniable.protocol.say import Statement

LEVELS, COUNTS = ("level", "far"), ("count", "length", "cap", "own", "other", "share")
THOUSANDTH, BELIEF = 1e-3, 0.002  # beliefs are rounded outwards to thousandths


def falser(statement: Statement) -> list[Statement]:
    """The same statement with each of its numbers promising more than is so, also those of statements in it."""

    def change(place: str, value: Any) -> Any:
        if place in LEVELS:
            return value * (1 - THOUSANDTH) if value else None
        if place in ("least", "most"):
            return value + (BELIEF if place == "least" else -BELIEF)
        # that many steps is where it is told how far they are, not what is so
        return value + 1 if place in COUNTS and not (place == "count" and "far" in statement.values) else None

    return _each_changed(statement, change, falser)


def weakened(statement: Statement) -> list[Statement]:
    """The same statement with each level and each belief promising less than could be."""

    def change(place: str, value: Any) -> Any:
        if place in LEVELS:
            return value * (1 + THOUSANDTH) if value else None
        if place in ("least", "most") and isinstance(value, float):  # not numbers of bytes
            return value + (-BELIEF if place == "least" else BELIEF)
        return None

    return _each_changed(statement, change, weakened)


def _each_changed(
    statement: Statement, change: Callable[[str, Any], Any], inner: Callable[[Statement], list[Statement]]
) -> list[Statement]:
    changed: list[tuple[str, Any]] = []
    for place, value in statement.values.items():
        if isinstance(value, Statement):
            changed += [(place, other) for other in inner(value)]
        elif not isinstance(value, str) and (other := change(place, value)) is not None:
            changed.append((place, other))
    return [Statement(statement.key, **{**statement.values, place: value}) for place, value in changed]
