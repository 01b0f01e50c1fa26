"""A census: a survey is meant for so many people and no others, and some or all of them answered.

An unbiased estimate from reports varies with the answers of the people who told, and the share that it is about varies
with those of all N. What both have in common is p(1 - p)/N, whoever told and however reports are weighed. So the
variance about the share among the N people is that about people who are drawn without end, less p(1 - p)/N. If all N
told, what remains is the protection's own.

Every interval of a census follows the rule of ``narrowed_bounds``: narrow first, cut last, take nothing off beyond an
end.
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
"""From each mean that there may be to the variance among people whose values have it; 0 at the ends and beyond."""


class Census(NamedTuple):
    """How many people a survey is meant for, and how many of them answered it.

    >>> english(Census(120, 120).who(120)), english(Census(120, 120).who(40))
    ('as many answers to this question as people asked', '40 of 120, drawn by lot')
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
            return Statement("more_answers_than_people", answered=self.answered, people=self.population)
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


def variance_among(variance: float, spread: float, size: float) -> float:
    """The variance of an estimate about the mean of ``size`` people, whose own values have the variance ``spread``.

    >>> round(variance_among(0.01, 0.25, 100), 6), variance_among(0.01, 0.25, math.inf)
    (0.0075, 0.01)
    """
    return max(variance - spread / size, 0.0)


def narrowed_bounds(
    means: Vector, bounds: Matrix, z: float, spread: Spread, size: float, least: float | Vector = 0
) -> Matrix:
    """Bounds [means, 2] around estimated means that are about so many people, from bounds about people without end.

    These reach z deviations or more. In squares a bound reaches less far by z deviations of the mean of so many people;
    of their spreads at the estimate and at the bound the smaller one counts. At an end and beyond nobody differs, so
    that nothing is taken off: if everybody is at an end, bounds hold exactly as often as those of a sample. Bounds may
    be cut at an end, and not before it. None ends closer than by the ``least`` error, which is the protection's.

    >>> drawn = np.array([[0.1, 0.5], [-0.1, 0.3]])
    >>> narrowed_bounds(np.array([0.3, 0.1]), drawn, 1.96, spread_of_shares, 100).round(2).tolist()
    [[0.11, 0.48], [-0.1, 0.29]]
    """
    if math.isinf(size):
        return bounds
    middle = means[:, None]
    squares, common = (bounds - middle) ** 2, np.minimum(spread(middle), spread(bounds))
    protection = np.minimum(squares, np.reshape(z * np.asarray(least), (-1, 1)) ** 2)
    squared = np.maximum(squares - z * z / size * common, protection)
    return np.asarray(middle + np.copysign(np.sqrt(squared), bounds - middle), np.float64)


def spread_of_shares(shares: Matrix) -> Matrix:
    """The variance among people of whom such shares hold a label: p(1 - p)."""
    p = np.clip(shares, 0, 1)
    return np.asarray(p * (1 - p), np.float64)


def spread_of_values(values: Matrix, shares: Vector) -> Spread:
    """The variance among people who have these shares of a row's values, as a function of their mean.

    For another mean as many of them as it takes move to the least value or to the largest.

    >>> spread = spread_of_values(np.array([[1.0, 2.0, 3.0]]), np.array([0.0, 0.5, 0.5]))
    >>> spread(np.array([[1.0, 2.5, 2.75, 3.5]])).tolist()
    [[0.0, 0.25, 0.1875, 0.0]]
    """
    low, high = values.min(axis=1, keepdims=True), values.max(axis=1, keepdims=True)
    mean, square = (values @ shares)[:, None], (values**2 @ shares)[:, None]

    def spread(means: Matrix) -> Matrix:
        inside = np.clip(means, low, high)
        end = np.where(inside > mean, high, low)
        moved = np.divide(inside - mean, end - mean, out=np.zeros_like(inside), where=end != mean)
        return np.asarray(np.maximum(square + moved * (end**2 - square) - inside**2, 0), np.float64)

    return spread
