"""Variances of reports about a mean, against formulas, enumeration and a simulation."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from deniable.arrays import Vector
from deniable.theory.numbers.points import best_points
from deniable.theory.numbers.reports import PointReport

THREE = Fraction(3)


def test_golden() -> None:
    assert PointReport.threshold(THREE, 4).variances(np.array([3]), 10)[0] == pytest.approx(3.3525, abs=1e-12)


@pytest.mark.parametrize("levels", [1, 4, 16])
def test_the_threshold_report_has_nearly_the_same_variance_everywhere(levels: int) -> None:
    """C^2 - 2/3 - 1/(3L^2) + 4r(1-r)/L^2, r = (xL mod m)/m."""
    report, steps = PointReport.threshold(THREE, levels), 37
    places = np.arange(steps + 1)
    r = places * levels % steps / steps
    formula = 4 - 2 / 3 - 1 / (3 * levels**2) + 4 * r * (1 - r) / levels**2
    assert np.allclose(report.variances(places, steps), formula, rtol=1e-12)
    assert report.worst == pytest.approx(4 - 2 / 3 + 2 / (3 * levels**2), abs=1e-12)


@pytest.mark.parametrize("points", [2, 3, 9])
def test_every_number_is_unbiased_and_has_its_variance_by_enumeration(points: int) -> None:
    """All thresholds and all outputs, in whole numbers."""
    steps, levels = 12, 5
    report = best_points(THREE, points).report(levels)
    for place in range(steps + 1):
        below, rest = divmod(place * (points - 1), steps)
        first = second = 0.0
        for threshold in range(levels * steps):
            at = below + (rest * levels > threshold)
            told = report.values + report.shifts[threshold // steps]
            first += report.rows[at] @ told
            second += report.rows[at] @ told**2
        u = 2 * place / steps - 1
        assert first / (levels * steps) == pytest.approx(u, abs=1e-12)
        variance = second / (levels * steps) - u**2
        assert report.variances(np.array([place]), steps)[0] == pytest.approx(variance, abs=1e-12)


@pytest.mark.parametrize("points", [2, 5])
def test_the_worst_is_the_largest_of_many(points: int) -> None:
    report = best_points(Fraction(7), points).report(3)
    many = float(report.variances(np.arange(20_001), 20_000).max())
    assert many <= report.worst + 1e-12
    assert many > report.worst - 1e-6


def test_a_population_of_the_threshold_report() -> None:
    """C^2 - mean G^2, G = 1 - 2F at the thresholds (which fall between two whole numbers here)."""
    shares = np.random.default_rng(1).dirichlet(np.ones(9))
    cumulative = np.cumsum(shares)
    report = PointReport.threshold(THREE, 8)
    g = 1 - 2 * cumulative[:8]
    assert report.population(_at_thresholds(shares)) == pytest.approx(4 - float((g**2).mean()), abs=0.02)
    halves = np.zeros(9)
    halves[[0, 8]] = 0.5
    assert report.population(halves) == pytest.approx(4, abs=1e-12)


def _at_thresholds(shares: Vector) -> Vector:
    """The same shares on a scale of many steps, each at the middle between two thresholds."""
    found = np.zeros(1601)
    found[np.linspace(0, 1600, 9).astype(int)] = shares
    return found


def test_simulated_reports_vary_as_much_as_said() -> None:
    """A million people on nine points: the sample variance is within 2%, a tenth of which is its own error."""
    rng = np.random.default_rng(3)
    steps, levels = 100, 4
    report = best_points(Fraction(int(math.exp(3) * 4096), 4096), 9).report(levels)
    places = rng.binomial(steps, 0.7, 200_000)
    below, rest = np.divmod(places * 8, steps)
    level = rng.integers(levels, size=len(places))
    points = below + (rest * levels > rng.integers(steps, size=len(places)) + level * steps)
    output = (rng.random(len(places))[:, None] > np.cumsum(report.rows, axis=1)[points]).sum(axis=1)
    told = report.values[np.minimum(output, len(report.values) - 1)] + report.shifts[level]
    shares = np.bincount(places, minlength=steps + 1) / len(places)
    expected = report.population(shares)
    within = np.mean([told[level == t].var() for t in range(levels)])
    assert within == pytest.approx(expected, rel=0.02)
