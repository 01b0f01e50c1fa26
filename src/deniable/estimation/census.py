"""A census: a survey is meant for so many people and no others, and some or all of them answered.

An unbiased estimate from reports varies with the answers of the people who told, and the share that it is about varies
with those of all N. What both have in common is p(1 - p)/N, whoever told and however reports are weighed. So the
variance about the share among the N people is that about people who are drawn without end, less p(1 - p)/N. If all N
told, what remains is the protection's own.

Every interval of a census follows one rule, ``nearer``: narrow first, cut last, and take nothing off beyond an end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.protocol.say import Statement

FEW: Final = 40
"""If fewer told, nothing is taken off bounds that are not exact: how far people differ is then known too badly."""
SAMPLE_ERROR_NOTE: Final = Statement("census_kept", few=FEW)
Spread = Callable[[Matrix], Matrix]
"""From means to how far people spread, as a variance, whose values have such a mean; 0 at the ends and beyond."""


class Census(NamedTuple):
    """How many people a survey is meant for, and how many of them answered it.

    >>> english(Census(120, 120).who(120)), english(Census(120, 120).who(40))
    ('all of them answered this question', '40 of 120, drawn by lot')
    >>> english(Census(120, 84).who(84))
    '84 of 120, taken as if the others were like them'
    """

    population: int
    answered: int

    @property
    def too_many(self) -> bool:
        """Whether there are more answers than people, so that it is not known who answered."""
        return self.answered > self.population

    @property
    def size(self) -> float:
        """Among how many people shares are estimated: without end where there are more answers than people."""
        return math.inf if self.too_many else self.population

    def is_all(self, told: int) -> bool:
        """Whether everybody for whom it is meant told of a question."""
        return told >= self.population and not self.too_many

    def who(self, told: int) -> Statement:
        """How many of the people told of a question, and what is supposed of the others."""
        if self.too_many:
            return Statement(
                "more_answers_than_people",
                answered=self.answered, people=self.population,
            )  # fmt: skip
        if self.is_all(told):
            return Statement("all_of_them_answered_this_question")
        if self.answered == self.population:
            return Statement("of_drawn_by_lot", told=told, people=self.population)
        return Statement("of_taken_as_if_the_others", told=told, people=self.population)


def size_of(census: Census | None) -> float:
    """Among how many people shares are estimated: without end where that is not known."""
    return math.inf if census is None else census.size


def size_if_many(told: int, size: float) -> float:
    """Among how many people bounds that are not exact are: without end where few told."""
    return math.inf if told < FEW else size


def among(variance: float, spread: float, size: float) -> float:
    """The variance of an estimate about the mean of so many people, whose own values spread by ``spread``.

    >>> round(among(0.01, 0.25, 100), 6), among(0.01, 0.25, math.inf)
    (0.0075, 0.01)
    """
    return max(variance - spread / size, 0.0)


def nearer(found: Vector, bounds: Matrix, z: float, spread: Spread, size: float, least: float | Vector = 0) -> Matrix:
    """Bounds [means, 2] around what was found that are about so many people, from bounds about people without end.

    These reach z deviations or more. In squares a bound reaches less far by z deviations of the mean of so many people;
    of their spreads at the value found and at the bound the smaller one counts. At an end and beyond nobody differs, so
    that nothing is taken off: if everybody is at an end, bounds hold exactly as often as those of a sample. Bounds may
    be cut at an end, and not before it. None comes nearer than by the ``least`` error, which is the protection's own.

    >>> drawn = np.array([[0.1, 0.5], [-0.1, 0.3]])
    >>> nearer(np.array([0.3, 0.1]), drawn, 1.96, of_shares, 100).round(2).tolist()
    [[0.11, 0.48], [-0.1, 0.29]]
    """
    if math.isinf(size):
        return bounds
    middle = found[:, None]
    squares, common = (bounds - middle) ** 2, np.minimum(spread(middle), spread(bounds))
    own = np.minimum(squares, np.reshape(z * np.asarray(least), (-1, 1)) ** 2)
    left = np.maximum(squares - z * z / size * common, own)
    return np.asarray(middle + np.copysign(np.sqrt(left), bounds - middle), np.float64)


def of_shares(shares: Matrix) -> Matrix:
    """How far people spread of whom such shares hold a label."""
    p = np.clip(shares, 0, 1)
    return np.asarray(p * (1 - p), np.float64)


def of_values(values: Matrix, shares: Vector) -> Spread:
    """How far people spread who have these shares of a row's values.

    For another mean as many of them as it takes move to the least value or to the largest.

    >>> of_values(np.array([[1.0, 2.0, 3.0]]), np.array([0.0, 0.5, 0.5]))(np.array([[1.0, 2.5, 2.75, 3.5]])).tolist()
    [[0.0, 0.25, 0.1875, 0.0]]
    """
    low, high = values.min(axis=1, keepdims=True), values.max(axis=1, keepdims=True)
    at, square = (values @ shares)[:, None], (values**2 @ shares)[:, None]

    def spread(means: Matrix) -> Matrix:
        inside = np.clip(means, low, high)
        end = np.where(inside > at, high, low)
        moved = np.divide(inside - at, end - at, out=np.zeros_like(inside), where=end != at)
        return np.asarray(np.maximum(square + moved * (end**2 - square) - inside**2, 0), np.float64)

    return spread
