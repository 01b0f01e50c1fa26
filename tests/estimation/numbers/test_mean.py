"""Means: golden values, exact and normal coverage, merged levels, few people, and the spread."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from deniable.arrays import Counts, Indices, Vector
from deniable.errors import ParameterError
from deniable.estimation.numbers.mean import MeanEvidence, Spread, spread
from deniable.theory.numbers.points import Points, best_points

RUNS = 1500
LEAST = int(stats.binom.ppf(1e-4, RUNS, 0.945))
"""Fewer intervals than this hold with a chance of one in ten thousand if each holds at 94.5%."""


def reported(channel: Points, levels: int, places: Indices, steps: int, rng: np.random.Generator) -> Counts:
    """The counts [L, J] of what people at these places report."""
    points, outputs = channel.rows.shape
    level = rng.integers(levels, size=len(places))
    below, rest = np.divmod(places * (points - 1), steps)
    at = below + (rest * levels > rng.integers(steps, size=len(places)) + level * steps)
    output = (rng.random(len(places))[:, None] > np.cumsum(channel.chances, axis=1)[at][:, :-1]).sum(axis=1)
    return np.bincount(level * outputs + output, minlength=levels * outputs).reshape(levels, outputs)


def evidences(channel: Points, levels: int, places: Indices, steps: int, runs: int) -> list[MeanEvidence]:
    """What several surveys of the same people found."""
    rng = np.random.default_rng(len(places))
    return [MeanEvidence(reported(channel, levels, places, steps, rng), channel.values) for _ in range(runs)]


def test_golden() -> None:
    counts = np.array([[6, 24], [7, 13], [15, 10], [19, 6]])
    found = MeanEvidence(counts, np.array([-2.0, 2.0]))
    assert found.value == pytest.approx(0.09, abs=1e-12)
    assert found.stderr == pytest.approx(0.187326, abs=5e-7)
    low, high = found.interval(0.95)
    exact = stats.binomtest(53, 100).proportion_ci(0.95, "exact")
    assert [low, high] == pytest.approx([2 * (2 * exact.low - 1), 2 * (2 * exact.high - 1)], rel=1e-6)


def test_levels_with_few_people_are_merged_in_pairs() -> None:
    """Of three levels the last stays alone, and counts as one of three."""
    counts = np.array([[19, 0], [0, 21], [15, 15]])
    values = np.array([-2.0, 2.0])
    assert MeanEvidence(counts, values).value == pytest.approx((2 * 0.1 + 0) / 3)
    everybody = MeanEvidence(np.array([[19, 0], [0, 9], [1, 1]]), values)
    assert everybody.value == pytest.approx(-2 / 3)


@pytest.mark.parametrize(("epsilon", "points", "levels"), [(1.0, 2, 16), (2.0, 5, 7), (3.0, 9, 6)])
def test_the_mean_is_unbiased_and_its_error_within_two_percent(epsilon: float, points: int, levels: int) -> None:
    """Skewed people, drawn once for each survey; a planted error of 5% would be seen."""
    rng, steps, n = np.random.default_rng(points), 120, 3000
    channel = best_points(Fraction(math.exp(epsilon)), points)
    shares = stats.binom.pmf(np.arange(steps + 1), steps, 0.2)
    found = [
        MeanEvidence(reported(channel, levels, rng.choice(steps + 1, n, p=shares), steps, rng), channel.values)
        for _ in range(RUNS)
    ]
    values = np.array([each.value for each in found])
    said = float(np.mean([each.stderr for each in found]))
    theory = math.sqrt(channel.report(levels).population(shares) / n)
    truth = 2 * float(shares @ np.arange(steps + 1)) / steps - 1
    assert abs(values.mean() - truth) < stats.norm.isf(5e-5) * theory / math.sqrt(RUNS)
    assert said == pytest.approx(theory, rel=0.02)
    slack = stats.norm.isf(5e-5) / math.sqrt(2 * RUNS)
    assert values.std() == pytest.approx(theory, rel=slack)
    assert values.std() != pytest.approx(theory * 1.15, rel=slack)


@pytest.mark.parametrize(("epsilon", "points", "levels"), [(1.0, 2, 16), (2.0, 5, 7), (3.0, 9, 6)])
@pytest.mark.parametrize("n", [3, 30, 499, 500])
def test_intervals_hold(epsilon: float, points: int, levels: int, n: int) -> None:
    """Also where all people are at one end, or half at either."""
    steps = 10
    for places in (np.full(n, steps), np.arange(n) % 2 * steps, np.arange(n) % (steps + 1)):
        found = evidences(best_points(Fraction(math.exp(epsilon)), points), levels, places, steps, RUNS // 3)
        truth = 2 * float(places.mean()) / steps - 1
        ends = np.array([each.interval(0.95) for each in found])
        least = stats.binom.ppf(1e-4, len(found), 0.945)
        held = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
        assert held.sum() >= least
        shrunk = ends.mean(axis=1) + (ends - ends.mean(axis=1)[:, None]).T * 0.1
        if n >= 30 and abs(truth) < 0.9:
            assert ((shrunk[0] <= truth) & (truth <= shrunk[1])).sum() < least
        assert (np.abs(ends) <= 1).all()


def test_the_bound_for_many_outputs_by_its_definition() -> None:
    """The divergence of the share from either end is log(2/alpha)/n."""
    counts, values = np.array([[10, 20, 30]]), np.array([-1.5, 0.0, 1.5])
    low, high = MeanEvidence(counts, values).interval(0.9)
    share = (0.5 + 1.5) / 3
    for end in (low, high):
        q = (end + 1.5) / 3
        divergence = share * math.log(share / q) + (1 - share) * math.log((1 - share) / (1 - q))
        assert divergence == pytest.approx(math.log(20) / 60, rel=1e-9)
    assert low < 0.5 < high


@pytest.mark.parametrize("outputs", [2, 5])
def test_nobody_and_one_person(outputs: int) -> None:
    values: Vector = np.linspace(-2, 2, outputs)
    nobody = MeanEvidence(np.zeros((16, outputs), np.int64), values)
    assert math.isnan(nobody.value)
    assert nobody.stderr == math.inf
    assert nobody.interval(0.95) == (-1, 1)
    counts = np.zeros((16, outputs), np.int64)
    counts[3, 0] = 1
    one = MeanEvidence(counts, values)
    assert (one.value, one.stderr) == (-2, math.inf)
    low, high = one.interval(0.95)
    assert low == -1
    assert high > 0.9
    counts[9, 0] = 1
    assert MeanEvidence(counts, values).stderr == pytest.approx(2 / math.sqrt(2))


def test_counts_have_a_column_for_each_output() -> None:
    with pytest.raises(ParameterError, match="counts must be rows of 2 outputs"):
        MeanEvidence(np.zeros((16, 3), np.int64), np.array([-1.0, 1.0]))


def test_the_spread_is_unbiased_with_its_error() -> None:
    """Squares of the distance to 30 on a scale to 100; without the correction it would be off by the mean's error."""
    rng, steps, about, n = np.random.default_rng(2), 100, 30, 2000
    channel = best_points(Fraction(3), 2)
    far = max(about, steps - about) ** 2
    found = []
    for _ in range(RUNS):
        places = rng.binomial(steps, 0.4, 2 * n)
        mean = MeanEvidence(reported(channel, 16, places[:n], steps, rng), channel.values)
        squares = MeanEvidence(reported(channel, 16, (places[n:] - about) ** 2, far, rng), channel.values)
        found.append(spread(mean, squares, steps, about))
    values, errors = np.array([(each.value, each.stderr) for each in found]).T
    assert abs(values.mean() - 24) < stats.norm.isf(5e-5) * values.std() / math.sqrt(RUNS)
    assert values.std() == pytest.approx(errors.mean(), rel=stats.norm.isf(5e-5) / math.sqrt(2 * RUNS))
    held = [each.interval(0.95)[0] <= 24 <= each.interval(0.95)[1] for each in found]
    assert sum(held) >= LEAST


def test_a_spread_of_too_few() -> None:
    nobody = MeanEvidence(np.zeros((1, 2), np.int64), np.array([-2.0, 2.0]))
    found = spread(nobody, nobody, 10, 5)
    assert math.isnan(found.value)
    assert math.isnan(found.deviation)
    assert found.interval(0.95) == (0, math.inf)
    assert Spread(-1.0, 0.25).deviation == 0
    assert Spread(4.0, 0.25).deviation == 2
