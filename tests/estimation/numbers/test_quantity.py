"""Quantities: other units, and how much more one is than another."""

from __future__ import annotations

import math

import numpy as np
import pytest

import deniable as dn
from deniable.estimation.numbers.mean import MeanEvidence
from deniable.estimation.numbers.quantity import Quantity
from deniable.theory.numbers.points import worth_of

MISSED = 0.055
"""The goal: intervals at 95% miss in at most so many of the cases."""


LEVELS, PEOPLE = 16, 500
COIN = dn.RandomizedResponse(2, 1.0).channel().probabilities


def mean(shares: tuple[float, ...], rng: np.random.Generator) -> Quantity:
    """What 500 people tell of their mean, these shares of whom are at either end of the scale -1 to 1."""
    people = rng.multinomial(PEOPLE, np.full(LEVELS, 1 / LEVELS))
    found = MeanEvidence(rng.multinomial(people, np.array(shares) @ COIN), worth_of(COIN))
    return Quantity(found.value, found.stderr, found.interval)


@pytest.mark.parametrize(("before", "after"), [((0.5, 0.5), (0.5, 0.5)), ((0.9, 0.1), (0.7, 0.3)), ((1, 0), (0, 1))])
def test_differences_of_means_cover_the_truth(before: tuple[float, ...], after: tuple[float, ...]) -> None:
    """1,500 pairs of surveys of 500 people drawn anew: no more misses than 5.5%, but for chance once in 10^6."""
    truth, rng, misses, repeats = 2 * (after[1] - before[1]), np.random.default_rng(7), 0, 1500
    for _ in range(repeats):
        first, second = mean(before, rng), mean(after, rng)
        low, high = second.minus(first).interval(0.95)
        misses += not low <= truth <= high
    assert misses <= repeats * MISSED + 4.75 * math.sqrt(repeats * MISSED)


def test_half_of_the_width_would_not_cover() -> None:
    """The planted fault: intervals at 65% miss in more cases than that."""
    rng, misses, repeats = np.random.default_rng(7), 0, 300
    for _ in range(repeats):
        low, high = mean((0.5, 0.5), rng).minus(mean((0.5, 0.5), rng)).interval(0.65)
        misses += not low <= 0 <= high
    assert misses > repeats * MISSED + 4.75 * math.sqrt(repeats * MISSED)


def test_a_difference_of_what_is_not_known_is_as_far_as_both_may_reach() -> None:
    unknown = Quantity.normal(math.nan, math.inf, 0.0, 1.0)
    found = Quantity.normal(0.25, 0.0, 0.0, 1.0).minus(unknown)
    assert math.isnan(found.value)
    assert found.interval() == (-0.75, 0.25)


def test_errors_add_as_squares_and_units_are_kept() -> None:
    one, other = Quantity.normal(3.0, 0.3), Quantity.normal(1.0, 0.4)
    found = one.scaled(0.0, 60.0).minus(other.scaled(0.0, 60.0))
    assert [found.value, found.stderr] == pytest.approx([120, 30])
    low, high = found.interval(0.95)
    assert (high - low) / 2 == pytest.approx(1.959964 * 30, rel=1e-6)
