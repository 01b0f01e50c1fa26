"""Numbers of few people: shares of ranges, means by group, and how two numbers go together, with rare large numbers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.estimation.numbers.quantity import Quantity
from deniable.protocol.questions.question import Question

FALSE_ALARM = 1e-7
ASKED = ("mean", "spread")


def surveys(survey: dn.Survey, table: dict[str, list[Any]], shares: list[float], people: int, runs: int) -> list[Any]:
    """Results of surveys of people with these answers."""
    generator = np.random.default_rng([people, runs])
    held = (generator.multinomial(people, shares) for _ in range(runs))
    return [survey.estimate(survey.draw_tally(table, each, generator)) for each in held]


def misses(found: list[Quantity], truth: float) -> int:
    """How many 95% intervals do not hold the truth."""
    bounds = [each.interval() for each in found]
    return sum(not low - 1e-9 <= truth <= high + 1e-9 for low, high in bounds)


def some(*sides: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Each combination under `make soak`, else every other one: any two values of different sides meet in one."""
    board = list(itertools.product(*map(range, map(len, sides))))
    kept = by_length([places for places in board if sum(places) % 2 == 0], board)
    return [tuple(side[place] for side, place in zip(sides, places, strict=True)) for places in kept]


def most(runs: int) -> float:
    """Misses beyond this number have a probability of one in ten million if 5% miss."""
    return float(stats.binom.isf(FALSE_ALARM, runs, 0.05))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("shares", "epsilon", "people"),
    some([[0.97, 0.0, 0.03], [0.5, 0.5, 0.0], [0.3, 0.4, 0.3]], [1.0, 4.0], [60, 240]),
)
def test_shares_of_ranges_hold_wherever_people_are_within_a_cell(
    shares: list[float], epsilon: float, people: int
) -> None:
    """Everybody may be at one end of a cell, where a share that is read between two cuts is far off."""
    survey = dn.Survey.plan("ranges", [dn.Number("x", 0, 30)], epsilon=epsilon, people=people)
    runs = by_length(25, 600)
    found = [each["x"] for each in surveys(survey, {"x": [0, 13, 30]}, shares, people, runs)]
    told = [each for each in found if each.reports.ranges is not None]
    assert len(told) > runs / 2
    truths = [(0, 0, shares[0]), (0, 13, shares[0] + shares[1]), (13, 13, shares[1]), (29, 30, shares[2])]
    for low, high, truth in truths:
        assert misses([each.share(low, high) for each in told], truth) <= most(len(told))


def test_a_share_between_cuts_has_bounds_of_all_that_may_lie_there() -> None:
    survey = dn.Survey.plan("ranges", [dn.Number("x", 0, 99)], epsilon=1.0, people=2000)
    (found,) = surveys(survey, {"x": [10, 60]}, [0.5, 0.5], 2000, 1)
    number, width = found["x"], found["x"].reports.width
    assert width > 2
    edge = 2 * width
    inside, outside = number.share(width, edge - 1), number.share(width - 1, edge)
    assert outside.interval()[0] == pytest.approx(inside.interval()[0])
    wider = number.share(0, 3 * width - 1)
    assert outside.interval()[1] == pytest.approx(wider.interval()[1])
    assert number.share(width + 1, edge - 2).interval()[0] == 0


@pytest.mark.soak
@pytest.mark.parametrize(
    ("crowd", "epsilon", "people"), some([(0.5, 0.03), (0.15, 0.5), (0.5, 0.0)], [1.0, 5.0], [50, 250])
)
def test_means_by_group_hold(crowd: tuple[float, float], epsilon: float, people: int) -> None:
    """Of people of whom so many are in the first group, and so many hold the larger number."""
    group, rare = crowd
    questions: list[Question] = [dn.OneOf("g", ["a", "b"]), dn.Number("x", 0, 40, want="mean")]
    survey = dn.Survey.plan("groups", questions, epsilon=epsilon, people=people, cross=[("g", "x")])
    runs = by_length(30, 1000)
    shares = [g * x for g in (1 - group, group) for x in (1 - rare, rare)]
    found = surveys(survey, {"g": ["a", "a", "b", "b"], "x": [0, 40, 0, 40]}, shares, people, runs)
    for name in "ab":
        assert misses([each.means("x", by="g").mean(name) for each in found], 40 * rare) <= most(runs)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("shares", "epsilon", "people"),
    some([[0.95, 0.0, 0.02, 0.03], [0.25] * 4, [0.5, 0.0, 0.0, 0.5]], [1.0, 4.0], [120, 400]),
)
def test_how_two_numbers_go_together_holds(shares: list[float], epsilon: float, people: int) -> None:
    """Where there is a spread at all; without one neither slope nor correlation is told."""
    numbers = [dn.Number(name, 0, 20, want=ASKED) for name in "xy"]
    survey = dn.Survey.plan("two", numbers, epsilon=epsilon, people=people, cross=[("x", "y")])
    x, y = (np.array(each) for each in zip(*itertools.product((0, 20), (0, 20)), strict=True))
    found = surveys(survey, {"x": x.tolist(), "y": y.tolist()}, shares, people, by_length(20, 500))
    p = np.array(shares)
    covariance = float(p @ (x * y) - (p @ x) * (p @ y))
    first, second = (float(p @ each**2 - (p @ each) ** 2) for each in (x, y))
    told = [each.association("x", "y") for each in found]
    assert misses([each.covariance for each in told], covariance) <= most(len(told))
    slopes = [each.slope for each in told if each.slope is not None]
    assert misses(slopes, covariance / first) <= most(len(slopes))
    correlations = [each.correlation for each in told if each.correlation is not None]
    assert misses(correlations, covariance / math.sqrt(first * second)) <= most(len(correlations))


@pytest.mark.parametrize("shares", [[0.4, 0.1, 0.1, 0.4], [0.1, 0.4, 0.4, 0.1], [0.25] * 4])
def test_bounds_of_a_slope_of_many_people_are_about_normal_ones(shares: list[float]) -> None:
    """Rising, falling and neither: those of the delta method."""
    numbers = [dn.Number(name, 0, 20, want=ASKED) for name in "xy"]
    survey = dn.Survey.plan("two", numbers, epsilon=2.0, people=200_000, cross=[("x", "y")])
    (found,) = surveys(survey, {"x": [0, 0, 20, 20], "y": [0, 20, 0, 20]}, shares, 200_000, 1)
    told = found.association("x", "y")
    assert told.slope is not None
    for quantity in (told.covariance, told.slope):
        check_about_normal(quantity)


def test_bounds_of_means_by_group_of_many_people_are_about_normal_ones() -> None:
    questions: list[Question] = [dn.OneOf("g", ["a", "b"]), dn.Number("x", 0, 40, want="mean")]
    survey = dn.Survey.plan("groups", questions, epsilon=2.0, people=60_000, cross=[("g", "x")])
    table: dict[str, list[Any]] = {"g": ["a", "a", "b", "b"], "x": [0, 40, 0, 40]}
    (found,) = surveys(survey, table, [0.35, 0.35, 0.15, 0.15], 60_000, 1)
    check_about_normal(found.means("x", by="g").mean("a"))


def check_about_normal(quantity: Quantity) -> None:
    """Within six hundredths of the length that the standard error says, around the value."""
    low, high = quantity.interval()
    assert high - low == pytest.approx(2 * stats.norm.isf(0.025) * quantity.stderr, rel=0.06)
    assert low < quantity.value < high
