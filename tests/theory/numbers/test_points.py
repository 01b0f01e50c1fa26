"""The best channels of grid points: what is known of them, exact rows, and that no rounding makes them biased."""

from __future__ import annotations

import math
import time
from fractions import Fraction

import numpy as np
import pytest

from deniable.arrays import Vector
from deniable.protocol.errors import ParameterError
from deniable.theory.numbers.points import MOST_ODDS, best_points, levels_for, points_for, worth_of

KNOWN = {
    0.5: (16.004126, 16.004126, 16.003188, 16.002901),
    1.0: (4.016028, 4.016028, 4.000855, 3.993050),
    2.0: (1.057395, 0.939415, 0.877367, 0.867968),
    3.0: (0.553897, 0.353548, 0.318656, 0.307040),
}
"""Worst variances with many levels of thresholds, for 2, 3, 5 and 9 points."""
POINTS = (2, 3, 5, 9)


def odds_of(epsilon: float) -> Fraction:
    """e^epsilon as a fraction, rounded down."""
    return Fraction(int(math.exp(epsilon) * (1 << 40)), 1 << 40)


@pytest.mark.parametrize("epsilon", KNOWN)
def test_worst_variances(epsilon: float) -> None:
    """The odds are rounded to small fractions and the weights to small numbers, which costs a millionth."""
    found = [best_points(odds_of(epsilon), points).report(16).limit for points in POINTS]
    assert np.allclose(found, KNOWN[epsilon], rtol=3e-6, atol=5e-7)


@pytest.mark.parametrize("points", POINTS)
@pytest.mark.parametrize("epsilon", [0.1, 1.3, 2.0, 3.7, 8.0])
def test_rows_are_exact_and_small(epsilon: float, points: int) -> None:
    rows = best_points(odds_of(epsilon), points).rows
    assert rows.sum(axis=1).tolist() == [1] * points
    ratios = [max(column) / min(column) for column in rows.T]
    assert max(ratios) <= odds_of(epsilon)
    assert max(ratios) > odds_of(epsilon) * (1 - Fraction(1, 40_000))
    assert math.lcm(*(chance.denominator for chance in rows.ravel())) < 1 << 33


@pytest.mark.parametrize("points", POINTS)
def test_values_are_unbiased_at_every_point(points: int) -> None:
    found = best_points(odds_of(2.0), points)
    assert np.abs(found.chances @ found.values - np.linspace(-1, 1, points)).max() < 1e-14
    worse = found.values * (1 + 1e-9)
    assert np.abs(found.chances @ worse - np.linspace(-1, 1, points)).max() > 1e-14


def test_three_points_in_closed_form() -> None:
    """At eps = 2: outputs -b, -a, 0, a, b, and the middle one of weight w0."""
    found = best_points(odds_of(2.0), 3)
    assert np.allclose(np.sort(found.values), [-1.469553, -1.156518, 0, 1.156518, 1.469553], atol=5e-4)
    middle = found.rows[1, int(np.argmin(np.abs(found.values)))]
    assert float(middle) / math.exp(2) == pytest.approx(0.0632645, abs=2e-5)


def test_the_values_have_the_least_worst_variance() -> None:
    """No other unbiased values are better: a few thousand directions are tried."""
    found = best_points(odds_of(2.0), 5)
    assert worth_of(found.chances).tolist() == found.values.tolist()
    free = np.linalg.svd(found.chances)[2][5:]
    points = np.linspace(-1, 1, 5)

    def worst(values: Vector) -> float:
        return float((found.chances @ values**2 - points**2).max())

    best = worst(found.values)
    steps = np.random.default_rng(4).standard_normal((4000, len(free))) @ free
    assert min(worst(found.values + size * step) for size in (1e-4, 1e-2) for step in steps) > best - 1e-9


@pytest.mark.parametrize("epsilon", [1e-8, 1e-3, 1.0, 30.0])
def test_two_outputs_are_worth_c_at_any_level(epsilon: float) -> None:
    truth = 1 / (1 + math.exp(-epsilon))
    rows = np.array([[truth, 1 - truth], [1 - truth, truth]])
    assert np.allclose(worth_of(rows), np.array([-1, 1]) / math.tanh(epsilon / 2), rtol=1e-6)


def test_nine_points_take_less_than_a_second() -> None:
    started = time.process_time()
    best_points(odds_of(2.718281828), 9)
    assert time.process_time() - started < 1


@pytest.mark.parametrize("epsilon", [9.1, 12.0, 15.0, 40.0])
def test_large_odds_are_not_used_up(epsilon: float) -> None:
    """The program is too badly scaled for them, and the grid's own error is nearly all there is."""
    found = best_points(odds_of(epsilon), 9)
    likely = max(row.max() / row.min() for row in found.rows.T)
    assert likely == MOST_ODDS <= odds_of(epsilon)
    assert found.report(16).worst < 0.0075


def test_how_many_points_and_levels() -> None:
    """The fewest points near the least error; levels that cost a thousandth, and not one more."""
    assert [points_for(epsilon) for epsilon in (0.1, 1.2, 1.3, 2.0, 2.1, 6.0)] == [2, 2, 5, 5, 9, 9]
    assert [levels_for(odds_of(epsilon), points_for(epsilon)) for epsilon in (1.0, 2.0, 3.0)] == [16, 7, 6]
    report = best_points(odds_of(3.0), 9).report(5)
    assert report.worst > 1.001 * report.limit


@pytest.mark.parametrize(("odds", "points"), [(Fraction(3), 1), (Fraction(3), 34), (Fraction(1), 3)])
def test_what_cannot_be_is_refused(odds: Fraction, points: int) -> None:
    with pytest.raises(ParameterError, match="there must be 2 to 33 points and odds above 1"):
        best_points(odds, points)
