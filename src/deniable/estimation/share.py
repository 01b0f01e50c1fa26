"""Shares beside their intervals: a label's as a row, what a reading must know of an estimate, and what is no share."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple, Protocol

import numpy as np

from deniable.arrays import Flags, Matrix, Vector
from deniable.estimation.evidence import Evidence
from deniable.estimation.table import printable
from deniable.estimation.words import MINUS, decimals, percent
from deniable.protocol.say import Statement
from deniable.theory.risk.variance import Target

ROUNDING = 1e-12
"""A share this near its interval is not outside it."""
UNLIKELY: Final = 1e-4
"""How often it is said of honest answers that they are none, at most."""
IMPOSSIBLE: Final = Statement("honest_answers_give_such")


class Comparable(Protocol):
    """What a difference needs of an estimate."""

    @property
    def labels(self) -> Sequence[Hashable]:
        """The labels, in the order of all arrays."""

    @property
    def evidence(self) -> Evidence:
        """What the intervals are worked out from."""

    @property
    def n(self) -> int:
        """How many people answered."""

    @property
    def spec_bytes(self) -> bytes:
        """What the reports came from."""


class Estimated(Comparable, Protocol):
    """What a reading needs of an estimate."""

    @property
    def frequencies(self) -> Vector:
        """The shares that are shown."""

    @property
    def unbiased(self) -> Vector:
        """The shares that the intervals belong to."""

    @property
    def counts(self) -> Vector:
        """How many people these are."""

    @property
    def stderr(self) -> Vector:
        """Their standard errors."""

    @property
    def population(self) -> int | None:
        """Among how many people shares are estimated, if that is known."""

    @property
    def decoder(self) -> str:
        """What made the shown shares of the unbiased ones."""

    @property
    def title(self) -> str:
        """The mechanism, in words."""

    @property
    def unlisted(self) -> tuple[float, float] | None:
        """The share of people outside the labels with its standard error, if there can be any."""

    @property
    def adds_up(self) -> bool:
        """Whether the true shares add up to 1."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What counts could not tell."""

    def interval(self, level: float = 0.95, simultaneous: bool = False, target: Target = "population") -> Matrix:
        """Bounds [d, 2] of the unbiased shares."""


def lies_outside(shares: Vector, bounds: Matrix) -> Flags:
    """Which shares lie outside their own intervals, but for rounding."""
    return np.asarray((shares < bounds[:, 0] - ROUNDING) | (shares > bounds[:, 1] + ROUNDING))


def unbiased_outside(shares: int) -> str:
    """Why so many unbiased shares lie outside their intervals."""
    return f"{these_outside(shares)}: intervals keep to shares from 0 to 1 that add up to 1, unbiased shares do not."


def these_outside(shares: int) -> str:
    """That so many shares lie outside their intervals."""
    return (
        "1 share lies outside its own interval" if shares == 1 else f"{shares:,} shares lie outside their own intervals"
    )


class Share(NamedTuple):
    """A label's share with its interval."""

    label: Hashable
    frequency: float
    low: float
    high: float

    @property
    def outside(self) -> bool:
        """Whether the decoder moved the share out of its interval, which belongs to the unbiased one."""
        return bool(lies_outside(np.array([self.frequency]), np.array([[self.low, self.high]]))[0])


class Row(NamedTuple):
    """All that a table shows of a label; ``outside`` as of a ``Share``."""

    label: Hashable
    frequency: float
    low: float
    high: float
    outside: bool
    people: float
    truth: float | None = None


def cells(row: Row, digits: int) -> list[str]:
    """A row in words, with as many decimals as are of use."""
    share, low, high = (percent(number, digits) for number in (row.frequency, row.low, row.high))
    people = f"{row.people:,.0f}".replace("-", MINUS)
    cells = [printable(row.label), starred(share, row.outside), f"{low} to {high}", people]
    return cells if row.truth is None else [*cells, percent(row.truth, digits)]


def starred(share: str, outside: bool) -> str:
    """A share as tables show it: with a star if it lies outside its own interval."""
    return f"* {share}" if outside else share


def digits_of(stderr: Vector) -> int:
    """How many decimals percentages have whose shares have such errors, by the typical one: from 1 to 7."""
    known = stderr[np.isfinite(stderr)]
    error = float(np.median(known)) if len(known) else 1.0
    return min(max(decimals(100 * error), 1), 7) if error > 0 else 2


def is_impossible(estimate: Estimated) -> bool:
    """Whether some share is surely no share, by intervals of all labels at once that are not cut off at 0 and 1."""
    if not len(estimate.labels):
        return False
    low, high = np.asarray(estimate.evidence.interval(UNLIKELY / len(estimate.labels))).T
    return bool(((high < 0) | (low > 1)).any())
