"""Whether a plan reaches the error that its author wants of every question, and if not, what would."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deniable.estimation.words import rounded
from deniable.planning.outlook import TWO_SIDED
from deniable.planning.reach import reach
from deniable.protocol.checks import check_positive
from deniable.protocol.errors import ParameterError
from deniable.surveys.expectation import Expectation


def largest_error(expected: Expectation) -> float:
    """Half of the 95% interval of the question that errs most, as a share."""
    return TWO_SIDED * max(error for row in expected.values() for error in row.deciding)


def check_reached(
    wanted: Any, people: int, level: float, expected: Expectation, expected_at: Callable[[float], Expectation]
) -> None:
    """Refuse a wanted error that a plan at a level does not reach; ``expected_at`` plans anew for another level."""
    aim, found = check_positive("wanted", wanted), largest_error(expected)
    if found > aim * (1 + 1e-9):
        known = reach(people, lambda other: largest_error(expected_at(other)), give_or_take, level)
        raise ParameterError(
            f"wanted must be an error that the survey reaches, {rounded(found, 2)} or more, got wanted={aim:g}; "
            f"in points of 100, {known}"
        )


def give_or_take(error: float) -> str:
    """An error in points of a hundred.

    >>> give_or_take(0.126)
    'give or take 13'
    """
    return f"give or take {rounded(100 * error, 2)}"
