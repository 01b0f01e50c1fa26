"""The spread: unbiased, bounds that hold for few people with rare large numbers, and are as short as can be of many."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from tests.estimation.numbers.point_worlds import reported
from tests.lengths import by_length

from deniable.arrays import Vector
from deniable.estimation.numbers.mean import MeanEvidence
from deniable.estimation.numbers.spread import NumberVariance, farthest
from deniable.theory.numbers.points import Points, best_points

FALSE_ALARM = 1e-7
RUNS = 1500


def spreads(
    channel: Points, shares: Mapping[int, float], steps: int, about: int, people: int, runs: int
) -> list[NumberVariance]:
    """What surveys find in which so many people report on the mean, and as many others on squares."""
    rng, found = np.random.default_rng([people, steps]), []
    numbers, held = np.array(list(shares)), np.array(list(shares.values()))
    far = max(about, steps - about) ** 2
    for _ in range(runs):
        places = rng.choice(numbers, (2, people), p=held)
        mean = MeanEvidence(reported(channel, 16, places[0], steps, rng), channel.values)
        squares = MeanEvidence(reported(channel, 16, (places[1] - about) ** 2, far, rng), channel.values)
        found.append(NumberVariance(mean, squares, steps, about))
    return found


def test_it_is_unbiased_with_its_error() -> None:
    """Squares of the distance to 30 on a scale to 100; without the correction it would be off by the mean's error."""
    shares = dict(enumerate(stats.binom.pmf(np.arange(101), 100, 0.4)))
    found = spreads(best_points(Fraction(3), 2), shares, 100, 30, 2000, RUNS)
    values, errors = np.array([(each.value, each.stderr) for each in found]).T
    assert abs(values.mean() - 24) < stats.norm.isf(5e-5) * values.std() / math.sqrt(RUNS)
    assert values.std() == pytest.approx(errors.mean(), rel=stats.norm.isf(5e-5) / math.sqrt(2 * RUNS))


@pytest.mark.soak
@pytest.mark.parametrize("people", [20, 80, 240])
@pytest.mark.parametrize(("odds", "points", "rare"), [(3, 2, 0.03), (20, 5, 0.03), (40, 9, 0.01)])
def test_bounds_hold_for_few_people_with_rare_large_numbers(odds: int, points: int, rare: float, people: int) -> None:
    """Misses are binomial, and beyond this bound with a probability of one in ten million if 5% miss."""
    runs = by_length(100, 1000)
    found = spreads(best_points(Fraction(odds), points), {0: 1 - rare, 40: rare}, 40, 10, people, runs)
    variance = 1600 * rare * (1 - rare)
    bounds = np.array([each.interval(0.95) for each in found])
    missed = int(((bounds[:, 0] > variance) | (bounds[:, 1] < variance)).sum())
    assert missed <= stats.binom.isf(FALSE_ALARM, runs, 0.05)
    assert (bounds[:, 1] <= 400).all()


@pytest.mark.parametrize(("odds", "points"), [(3, 2), (20, 5)])
def test_of_many_people_bounds_are_hardly_longer_than_normal_ones(odds: int, points: int) -> None:
    even = dict.fromkeys(range(41), 1 / 41)
    for each in spreads(best_points(Fraction(odds), points), even, 40, 20, 30_000, 5):
        low, high = each.interval(0.95)
        normal = 2 * stats.norm.isf(0.025) * each.stderr
        assert normal < high - low < 1.08 * normal
        assert low < each.value < high


@pytest.mark.parametrize("error", [0.1, 0.025, 0.0005])
def test_the_sum_of_two_deviates_is_exceeded_as_said_whatever_their_weights(error: float) -> None:
    """By adding up over the quantiles of the first; the worst weights are met within a hundredth."""
    first: Vector = np.maximum(stats.norm.ppf((np.arange(200_000) + 0.5) / 200_000), 0)
    limit, found = farthest(error), []
    for angle in np.linspace(0.01, math.pi / 2 - 0.01, 60).tolist():
        left = limit - math.sin(angle) * first
        found.append(float(np.where(left >= 0, stats.norm.sf(left / math.cos(angle)), 1.0).mean()))
    assert error * 0.99 < max(found) < error * 1.002


def test_of_too_few_nothing_is_known() -> None:
    nobody = MeanEvidence(np.zeros((1, 2), np.int64), np.array([-2.0, 2.0]))
    found = NumberVariance(nobody, nobody, 10, 5)
    assert math.isnan(found.value)
    assert math.isnan(found.deviation)
    assert found.interval(0.95) == (0, 25)


def test_a_variance_below_zero_has_no_deviation() -> None:
    mean = MeanEvidence(np.array([[10, 40]]), np.array([-2.0, 2.0]))
    squares = MeanEvidence(np.array([[40, 10]]), np.array([-2.0, 2.0]))
    found = NumberVariance(mean, squares, 10, 5)
    assert found.value < 0
    assert found.deviation == 0
    assert found.interval(0.95)[0] == 0
