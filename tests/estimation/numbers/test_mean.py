"""Means: golden values, exact and normal coverage, merged levels, and few people."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from tests.estimation.numbers.point_worlds import reported
from tests.lengths import by_length

from deniable.arrays import Indices, Vector
from deniable.estimation.numbers.mean import MeanEvidence
from deniable.protocol.errors import ParameterError
from deniable.theory.numbers.points import Points, best_points

RUNS = 1500
HELD = by_length(200, 2000)
LEAST = int(stats.binom.ppf(1e-4, RUNS, 0.945))
"""Fewer intervals than this hold with a chance of one in ten thousand if each holds at 94.5%."""


def evidences(channel: Points, levels: int, places: Indices, steps: int, runs: int) -> list[MeanEvidence]:
    """What several surveys of the same people found."""
    rng = np.random.default_rng(len(places))
    return [MeanEvidence(reported(channel, levels, places, steps, rng), channel.values) for _ in range(runs)]


def test_golden() -> None:
    counts = np.array([[6, 24], [7, 13], [15, 10], [19, 6]])
    found = MeanEvidence(counts, np.array([-2.0, 2.0]))
    assert found.value == pytest.approx(0.09, abs=1e-12)
    assert found.stderr == pytest.approx(0.187326, abs=5e-7)


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


def whole(shares: Vector, n: int) -> Indices:
    """Where so many people are who are spread like this as evenly as can be."""
    return np.asarray(np.searchsorted(np.cumsum(shares), (np.arange(n) + 0.5) / n), np.int64)


STEPS = 10
CROWDS = {
    "all at one end": np.eye(STEPS + 1)[STEPS],
    "nearly all at one end": np.append([0.96], np.eye(STEPS)[-1] * 0.04),
    "all off a grid point": np.eye(STEPS + 1)[3],
    "half at either end": (np.eye(STEPS + 1)[0] + np.eye(STEPS + 1)[STEPS]) / 2,
    "even": np.full(STEPS + 1, 1 / (STEPS + 1)),
}
DESIGNS = [(0.5, 2, 16), (1.0, 2, 16), (2.0, 5, 7), (3.0, 9, 6), (6.0, 9, 19)]
SURVEYED = [(n, *design) for n in (3, 10, 30, 100, 499, 500, 2000) for design in DESIGNS]
"""So many people by each design; every second one is of every number of people and of every design."""


@pytest.mark.soak
@pytest.mark.parametrize(("n", "epsilon", "points", "levels"), by_length(SURVEYED[::2], SURVEYED))
def test_intervals_hold(n: int, epsilon: float, points: int, levels: int) -> None:
    """Within a hundredth of 95%, for people who are drawn; the planted fifth as wide is caught."""
    channel, rng = best_points(Fraction(math.exp(epsilon)), points), np.random.default_rng(n)
    least = stats.binom.ppf(1e-6, HELD, 0.94)
    for shares in CROWDS.values():
        crowds = (rng.choice(STEPS + 1, n, p=shares) for _ in range(HELD))
        found = [MeanEvidence(reported(channel, levels, each, STEPS, rng), channel.values) for each in crowds]
        truth = 2 * float(shares @ np.arange(STEPS + 1)) / STEPS - 1
        ends = np.array([each.interval(0.95) for each in found])
        held = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
        assert held.sum() >= least
        middle, reach = ends.mean(axis=1), np.diff(ends)[:, 0] / 2
        assert n < 30 or abs(truth) == 1 or (np.abs(middle - truth) <= reach / 5).sum() < least
        assert (np.abs(ends) <= 1).all()


@pytest.mark.parametrize("level", [0.2, 0.5, 0.8, 0.99, 0.9999])
@pytest.mark.parametrize("epsilon", [1.0, 6.0])
def test_intervals_hold_at_any_level(epsilon: float, level: float) -> None:
    """Also where all people are at one end and reports hardly err: bounds must not leave the end."""
    points, levels = (2, 16) if epsilon == 1 else (9, 19)
    channel = best_points(Fraction(math.exp(epsilon)), points)
    for name in ("all at one end", "even"):
        found = evidences(channel, levels, whole(CROWDS[name], 60), STEPS, HELD)
        truth = 2 * float(CROWDS[name] @ np.arange(STEPS + 1)) / STEPS - 1
        held = [low - 1e-9 <= truth <= high + 1e-9 for low, high in (each.interval(level) for each in found)]
        assert sum(held) >= stats.binom.ppf(1e-6, HELD, level - 0.05 * (1 - level))


@pytest.mark.parametrize(("epsilon", "points", "levels"), DESIGNS[1:])
def test_intervals_narrow_with_people_without_a_jump(epsilon: float, points: int, levels: int) -> None:
    """Beside normal ones: from a tenth wider, with 60 people, to as wide, and at no number of people at once."""
    channel, crowd = best_points(Fraction(math.exp(epsilon)), points), CROWDS["even"]
    error, ratios = math.sqrt(channel.report(levels).population(crowd)), []
    for n in (60, 120, 240, 400, 499, 500, 800, 1600, 3200):
        found = evidences(channel, levels, whole(crowd, n), STEPS, 100)
        width = np.diff([each.interval(0.95) for each in found]).mean()
        ratios.append(width * math.sqrt(n) / (2 * stats.norm.isf(0.025) * error))
    assert ratios[0] < 1.1
    assert (np.abs(np.diff(ratios)) < 0.05).all()
    assert abs(ratios[4] - ratios[5]) < 0.01
    assert ratios[-1] == pytest.approx(1, abs=0.01)


def test_the_interval_by_its_definition() -> None:
    """Student's, of counts with one report more at either extreme: at 95% that is z^2/4 = 0.96 of one."""
    counts, values = np.array([[10, 20, 30]]), np.array([-1.5, 0.0, 1.5])
    low, high = MeanEvidence(counts, values).interval(0.95)
    more = stats.norm.isf(0.025) ** 2 / 4
    n, mean = 60 + 2 * more, 1.5 * 20 / (60 + 2 * more)
    variance = 1.5**2 * (40 + 2 * more) / n - mean**2
    reach = stats.t.isf(0.025, 59) * math.sqrt(variance / (n - 1))
    assert [low, high] == pytest.approx([mean - reach, mean + reach])


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
