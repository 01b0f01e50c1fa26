"""The largest error: its integral against known means, its slope, its worst truth, and exact values of few labels."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from deniable.arrays import Vector
from deniable.theory.risk import largest
from deniable.theory.risk import support as risks
from deniable.theory.risk.hadamard import law, variance_population, variance_sample
from deniable.theory.risk.support import Support
from deniable.theory.risk.variance import Target, VarianceLaw, combined

DRAWS = 200_000


def test_known_means() -> None:
    """Half normal; of two, 2/sqrt(pi); of many by SciPy's integral of the tail."""
    assert largest.expected(np.ones(1)) == pytest.approx(math.sqrt(2 / math.pi), rel=1e-9)
    assert largest.expected(np.ones(2)) == pytest.approx(2 / math.sqrt(math.pi), rel=1e-9)
    for d in (10, 1000, 10**6):
        tail = integrate.quad(lambda t, d=d: -math.expm1(d * math.log1p(-2 * stats.norm.sf(t))), 1e-9, 14, limit=200)[0]
        assert largest.expected(np.ones(d)) == pytest.approx(tail, rel=1e-6)
        assert largest.expected(np.array([1.0]), np.array([d])) == pytest.approx(tail, rel=1e-6)
    assert largest.expected(np.zeros(3)) == 0
    assert largest.expected(np.array([4.0, 0.0, 0.0])) == pytest.approx(2 * math.sqrt(2 / math.pi), rel=1e-9)


@given(
    variances=st.lists(st.floats(1e-6, 1), min_size=1, max_size=20).map(np.array),
    scale=st.floats(1e-12, 1e12),
    label=st.integers(0, 19),
)
def test_it_scales_and_grows_with_every_variance(variances: Vector, scale: float, label: int) -> None:
    found = largest.expected(variances)
    assert largest.expected(variances * scale) == pytest.approx(math.sqrt(scale) * found, rel=1e-9)
    assert math.sqrt(2 / math.pi * variances.max()) <= found * (1 + 1e-9)
    assert found <= math.sqrt(2 / math.pi) * np.sqrt(variances).sum() * (1 + 1e-9)
    i = label % len(variances)
    step = np.eye(len(variances))[i] * variances[i] * 1e-4
    by_hand = (largest.expected(variances + step) - largest.expected(variances - step)) / (2 * step[i])
    assert largest.slope(variances)[i] == pytest.approx(by_hand, rel=1e-4, abs=1e-7 * found / variances[i])


@pytest.mark.parametrize("d", [2, 3, 4, 6, 20, 100])
def test_dependent_errors_are_not_larger(d: int) -> None:
    """Sidak's inequality, with errors that add up to 0 and with ones that rise together; one false alarm in 10^9.

    How far the bound may be off: 6% for four labels whose errors add up to 0, 2% from ten on.
    """
    draws = np.random.default_rng(d)
    plain = draws.normal(size=(max(2000, DRAWS // d), d))
    for errors, closed in [
        ((plain - plain.mean(axis=1, keepdims=True)) * math.sqrt(d / (d - 1)), True),
        ((plain + 2 * draws.normal(size=(len(plain), 1))) / math.sqrt(5), False),
        (plain, False),
    ]:
        tops = np.abs(errors).max(axis=1)
        noise = 6.1 * float(tops.std()) / math.sqrt(len(tops))
        bound = combined(np.ones(d), "linf", closed)
        assert float(tops.mean()) <= bound + noise
        if closed:
            assert bound <= (float(tops.mean()) + noise) * (1.0 if d < 4 else 1.07 if d < 10 else 1.02)


@pytest.mark.parametrize("n", [1, 2, 5, 12])
@pytest.mark.parametrize("d", [2, 3])
def test_two_and_three_labels_are_exact(d: int, n: int) -> None:
    """K-RR at a bent truth: over all counts of n reports, whose estimates add up to 1."""
    s, p = Support.response(d, 0.7), np.arange(1, d + 1) / (d * (d + 1) / 2)
    total = 0.0
    for counts in itertools.product(range(n + 1), repeat=d):
        if sum(counts) == n:
            estimate = (np.array(counts) / n - s.h) / s.gap
            chance = stats.multinomial.pmf(counts, n, s.h + s.gap * p)
            total += float(chance) * float(np.abs(estimate - p).max())
    assert risks.risk(s, n, d, "linf", p, "population", closed=True) == pytest.approx(total, rel=1e-9)
    worst = risks.risk(s, n, d, "linf", None, "population", closed=True)
    assert worst == pytest.approx(risks.l1_worst(s, n, d) / 2, rel=1e-12)


def uniform_law(s: Support, d: int, closed: bool) -> VarianceLaw:
    """Support counting as a law."""
    slope = (1 - 2 * s.h) / s.gap
    return VarianceLaw(np.full(d, s.h * (1 - s.h) / s.gap**2), lambda p: slope * p, lambda w: slope * w, closed)


@pytest.mark.parametrize("target", ["population", "sample"])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0, 6.0, 10.0])
@pytest.mark.parametrize("d", [4, 8, 30])
def test_no_truth_is_found_that_is_worse(d: int, epsilon: float, target: Target) -> None:
    """Random truths, of many shapes, and the searches of the closed family and of any law."""
    draws = np.random.default_rng(d)
    for s, closed in [(Support.response(d, epsilon), True), (Support.rappor(epsilon), False)]:
        worst = risks.risk(s, 1, d, "linf", None, target, closed=closed)
        truths = [draws.dirichlet(np.full(d, shape)) for shape in (0.05, 0.3, 1, 10) for _ in range(40)]
        for p in [np.full(d, 1 / d), np.eye(d)[0], *truths]:
            assert risks.risk(s, 1, d, "linf", p, target, closed=closed) <= worst * (1 + 1e-6)
        whole = uniform_law(s, d, closed)
        assert whole.risk(1, "linf", whole.worst_truth("linf", target), target) == pytest.approx(worst, rel=1e-6)


def test_a_law_of_hadamard_reports_is_their_variances() -> None:
    p = np.random.default_rng(3).dirichlet(np.ones(10))
    for parts, size in [(1, 16), (2, 8), (4, 4)]:
        found = law(5.0, parts, size, 10)
        assert found.variances(p) == pytest.approx(variance_population(5.0, parts, size, 1, p), rel=1e-12)
        assert found.variances(p, "sample") == pytest.approx(variance_sample(5.0, parts, size, 1, p), rel=1e-12)


def test_few_is_all_of_few() -> None:
    assert largest.few(3) == [1, 2, 3]
    assert largest.few(10**6)[-1] == 10**6
