"""Hadamard response's risks: against listed channels, exact fractions, and every other truth and number of parts."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.theory import references
from tests.theory.references import EPSILONS, Array, error, exponential

from deniable.theory.risk import hadamard, support
from deniable.theory.risk.variance import Target

SKEWED = np.array([0.3, 0.2, 0.1, 0.2, 0.15, 0.05])
SHAPES = [(6, 1, 1.0), (6, 2, 1.0), (6, 4, 2.0), (6, 8, 3.0), (6, 2, 1e-3), (6, 4, 8.0)]
TARGETS: tuple[Target, ...] = ("population", "sample")


def estimates(d: int, parts: int, epsilon: float) -> tuple[Array, Array]:
    """The listed channel, and what each message adds to each label's estimate from one report."""
    listed, size = references.hadamard(d, parts, epsilon), hadamard.size_of_part(d, parts)
    part = np.arange(parts * size)[:, None] // size == np.arange(d)[None, :] // (size - 1)
    signs = part * np.where(listed.held, 1.0, -1.0)
    return listed.channel, signs * hadamard.leverage(math.exp(epsilon), parts)


@each(("d", "parts", "epsilon"), SHAPES)
def test_variances_are_those_of_the_listed_channel(d: int, parts: int, epsilon: float) -> None:
    channel, added = estimates(d, parts, epsilon)
    shape = math.exp(epsilon), parts, hadamard.size_of_part(d, parts)
    np.testing.assert_allclose(channel @ added, np.eye(d), atol=1e-9)  # unbiased
    population = SKEWED @ channel @ added**2 - SKEWED**2
    np.testing.assert_allclose(hadamard.variance_population(*shape, 7, SKEWED), population / 7, rtol=1e-9)
    sample = SKEWED @ (channel @ added**2 - np.eye(d))
    np.testing.assert_allclose(hadamard.variance_sample(*shape, 7, SKEWED), sample / 7, rtol=1e-9)
    assert hadamard.l2_population(*shape, 7, SKEWED) == pytest.approx(population.sum() / 7, rel=1e-9)
    assert hadamard.l2_sample(*shape, 7, SKEWED) == pytest.approx(sample.sum() / 7, rel=1e-9)
    absolute = np.sqrt(2 / math.pi * population / 7).sum(), np.sqrt(2 / math.pi * sample / 7).sum()
    assert [hadamard.l1_asymptotic(*shape, 7, SKEWED, t) for t in TARGETS] == pytest.approx(absolute, rel=1e-9)


def test_the_golden_variance_of_one_part() -> None:
    """Maths sheet context.md, "Context-aware LDP", golden values: HR, B=1, symbol 0."""
    variances = hadamard.variance_population(math.e, 1, 8, 1, SKEWED)
    assert variances[0] == pytest.approx(4.592694, abs=5e-7)


@each("epsilon", [1e-3, 1.0, 4.0])
def test_one_part_is_support_counting_with_h_one_half(epsilon: float) -> None:
    odds = math.exp(epsilon)
    s = support.Support(odds / (odds + 1), 0.5, math.expm1(epsilon) / (2 * odds + 2))
    variances = hadamard.variance_population(odds, 1, 8, 50, SKEWED)
    np.testing.assert_allclose(variances, support.variance_population(s, 50, SKEWED), rtol=1e-9)
    assert hadamard.worst_sample_l2(odds, 1, 8, 50, 6) == pytest.approx(support.l2_sample(s, 50, 6), rel=1e-9)
    assert hadamard.leverage(odds, 1) == pytest.approx(support.leverage(s), rel=1e-9)


@each("epsilon", EPSILONS)
@each("parts", [1, 8, 1 << 20])
def test_no_digit_of_a_variance_is_lost(parts: int, epsilon: float) -> None:
    """A label that everybody has is the hard one at large epsilon; at small epsilon the odds come as a Fraction."""
    odds, one, zero = exponential(epsilon), np.array([1.0]), np.array([0.0])
    scale = (odds - 1 + 2 * parts) / (odds - 1)
    own = scale**2 * (1 + odds) / (odds - 1 + 2 * parts)
    other = scale**2 * 2 / (odds - 1 + 2 * parts)
    assert error(hadamard.leverage(odds, parts), scale) < 1e-14
    assert error(float(hadamard.symbol_variance(odds, parts, 1, one, one)[0]), own - 1) < 1e-14
    assert error(float(hadamard.symbol_variance(odds, parts, 1, zero, one)[0]), own) < 1e-14
    assert error(float(hadamard.symbol_variance(odds, parts, 1, zero, zero)[0]), other) < 1e-14
    rounded = hadamard.leverage(float(odds), parts)
    assert error(rounded, scale) < 1e-15 / epsilon + 1e-14


truths = st.integers(2, 20).flatmap(lambda d: st.lists(st.floats(0, 1), min_size=d, max_size=d))


@given(
    weights=truths.filter(lambda weights: sum(weights) > 1e-3),
    parts=st.sampled_from([1, 2, 4, 8, 16]),
    epsilon=st.floats(0.01, 10),
)
def test_no_truth_is_worse_than_the_worst(weights: list[float], parts: int, epsilon: float) -> None:
    p, d = np.array(weights) / sum(weights), len(weights)
    shape, slack = (math.exp(epsilon), parts, hadamard.size_of_part(d, parts)), 1 + 1e-9
    assert hadamard.l2_population(*shape, 9, p) <= hadamard.worst_population_l2(*shape, 9, d) * slack
    assert hadamard.l2_sample(*shape, 9, p) <= hadamard.worst_sample_l2(*shape, 9, d) * slack
    for target in TARGETS:
        worst = hadamard.l1_asymptotic(*shape, 9, hadamard.worst_truth(*shape, d, "l1", target), target)
        assert hadamard.l1_asymptotic(*shape, 9, p, target) <= worst * slack


@each("d", [2, 3, 5, 7, 8, 20, 45, 100, 1000])
@each("parts", [1, 2, 4, 32])
def test_the_worst_truth_is_a_truth_and_reaches_the_worst(d: int, parts: int) -> None:
    shape = math.exp(1.5), parts, hadamard.size_of_part(d, parts)
    worst, wide = hadamard.worst_truth(*shape, d), hadamard.worst_truth(*shape, d, "l1")
    assert wide.sum() == pytest.approx(1, rel=1e-12)
    assert worst.sum() == pytest.approx(1, rel=1e-12)
    assert hadamard.l2_population(*shape, 9, worst) == pytest.approx(
        hadamard.worst_population_l2(*shape, 9, d), rel=1e-12
    )
    assert hadamard.l2_sample(*shape, 9, worst) == pytest.approx(hadamard.worst_sample_l2(*shape, 9, d), rel=1e-12)
    assert hadamard.l1_asymptotic(*shape, 9, wide) >= hadamard.l1_asymptotic(*shape, 9, worst) * (1 - 1e-12)


@each("epsilon", [0.01, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0])
@each("d", [2, 3, 16, 45, 100, 1000, 16384])
def test_no_other_number_of_parts_is_better(d: int, epsilon: float) -> None:
    odds, uniform = math.exp(epsilon), np.full(d, 1 / d)
    choices = [1 << i for i in range((2 * d - 1).bit_length())]
    risks = {b: hadamard.l2_population(odds, b, hadamard.size_of_part(d, b), 1, uniform) for b in choices}
    parts, size = hadamard.best_parts(d, epsilon)
    assert size == hadamard.size_of_part(d, parts)
    assert risks[parts] <= min(risks.values()) * (1 + 1e-12)


@each(("epsilon", "ratio"), [(0.5, 1.06), (1.0, 1.27), (2.0, 1.75), (3.0, 1.92), (5.0, 2.00)])
def test_the_price_of_hadamard_over_the_optimum(epsilon: float, ratio: float) -> None:
    """Its variance over 4E/(n M^2) a label, at a domain that fills its parts; the classic rule costs 1.50 at 1."""
    d, odds, optimum = 2**20 - 2**13, math.exp(epsilon), 4 * math.exp(epsilon) / math.expm1(epsilon) ** 2
    parts, size = hadamard.best_parts(d, epsilon)
    assert hadamard.worst_sample_l2(odds, parts, size, 1, d) / (d * optimum) == pytest.approx(ratio, abs=0.02)


def test_rounding_the_parts_up_costs_a_fifth_at_epsilon_one() -> None:
    d, optimum = 2**20 - 2, 4 * math.e / math.expm1(1) ** 2
    assert hadamard.worst_sample_l2(math.e, 2, 2**19, 1, d) / (d * optimum) == pytest.approx(1.50, abs=0.005)
    assert hadamard.best_parts(d, 1.0) == (1, 2**20)


@each(("d", "parts", "size"), [(2, 1, 4), (3, 1, 4), (4, 1, 8), (7, 2, 8), (6, 2, 4), (9, 16, 2)])
def test_a_part_has_a_row_for_each_label_and_one_to_spare(d: int, parts: int, size: int) -> None:
    assert hadamard.size_of_part(d, parts) == size
    assert (size - 1) * parts >= d


def test_odds_may_be_a_fraction() -> None:
    exact, close = Fraction(3), 3.0
    assert hadamard.leverage(exact, 2) == hadamard.leverage(close, 2) == 3.0
