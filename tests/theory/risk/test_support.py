"""Risks of support counting: against listed channels, exact fractions and the papers' closed forms."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.theory import references
from tests.theory.references import EPSILONS, Messages, error, exponential

from deniable.theory import sizes
from deniable.theory.risk.support import (
    Support,
    l1_asymptotic,
    l1_population,
    l1_sample,
    l1_worst,
    l2_population,
    l2_sample,
    l2_worst,
    leverage,
    marginals,
    variance_population,
    variance_sample,
)

LAST_DIGITS = 4e-15
SKEWED = np.array([0.5, 0.3, 0.15, 0.05, 0.0])
SIZES = [(2, 1), (3, 2), (16, 4), (1000, 270), (10**6, 1), (10**6, 400_000), (10**6, 999_999)]
SUBSETS = [(5, 1, 1.0), (5, 2, 0.5), (5, 4, 3.0), (5, 3, 1e-3), (5, 2, 8.0)]

distributions = st.lists(st.floats(0, 1), min_size=2, max_size=20).filter(lambda weights: sum(weights) > 1e-3)
families = st.builds(Support.subset, st.just(20), st.integers(1, 19), st.floats(1e-3, 12)) | st.builds(
    Support.rappor, st.floats(1e-3, 12)
)


def exact_subset(d: int, k: int, odds: Fraction) -> tuple[Fraction, Fraction]:
    """The g and h of k-subset, by definition."""
    g = k * odds / (k * odds + d - k)
    return g, (g * (k - 1) + (1 - g) * k) / (d - 1)


def expect_every_digit(s: Support, g: Fraction, h: Fraction) -> None:
    """All four numbers are right to the last digits."""
    assert error(s.g, g) < LAST_DIGITS
    assert error(s.h, h) < LAST_DIGITS
    assert error(s.gap, g - h) < LAST_DIGITS
    assert error(s.miss, 1 - g) < LAST_DIGITS


@each("epsilon", EPSILONS)
@each(("d", "k"), SIZES)
def test_no_digit_of_a_subset_is_lost(d: int, k: int, epsilon: float) -> None:
    g, h = exact_subset(d, k, exponential(epsilon))
    expect_every_digit(Support.subset(d, k, epsilon), g, h)
    expect_every_digit(Support.exact(g, h), g, h)


@each("epsilon", EPSILONS)
def test_no_digit_of_a_unary_encoding_is_lost(epsilon: float) -> None:
    root, odds = exponential(Fraction(epsilon) / 2), exponential(epsilon)
    expect_every_digit(Support.rappor(epsilon), root / (root + 1), 1 / (root + 1))
    expect_every_digit(Support.optimized_unary(epsilon), Fraction(1, 2), 1 / (odds + 1))


@each(
    ("s", "messages"),
    [
        *((Support.subset(*case), references.subset(*case)) for case in SUBSETS),
        (Support.response(4, 1.5), references.subset(4, 1, 1.5)),
        (Support.rappor(1.5), references.rappor(4, 1.5)),
        (Support.optimized_unary(1.5), references.optimized_unary(4, 1.5)),
    ],
)
def test_a_listed_channel_supports_as_the_formulas_say(s: Support, messages: Messages) -> None:
    d = len(messages.channel)
    np.testing.assert_allclose(messages.channel.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(messages.support, np.where(np.eye(d) > 0, s.g, s.h), rtol=1e-12)


def test_the_golden_values_of_sixteen_labels() -> None:
    """Maths sheet closed.md, "Golden values (d=16, eps=1, n=1e4)": from channels listed cell by cell."""
    s = Support.subset(16, 4, 1.0)
    assert (s.g, s.h) == pytest.approx((0.47536689, 0.23497554), abs=5e-9)
    assert l2_sample(s, 10_000, 16) == pytest.approx(0.00509763931, abs=5e-12)


@each(("d", "k", "epsilon"), SUBSETS)
def test_variances_are_those_of_the_listed_channel(d: int, k: int, epsilon: float) -> None:
    s, messages = Support.subset(d, k, epsilon), references.subset(d, k, epsilon)
    estimates = (messages.held - s.h) / s.gap  # what one report says, [messages, labels]
    given_value = messages.channel @ estimates**2 - np.eye(d)  # its variance from each value
    np.testing.assert_allclose(variance_sample(s, 7, SKEWED), SKEWED @ given_value / 7, rtol=1e-9)
    overall = SKEWED @ messages.channel @ estimates**2 - SKEWED**2
    np.testing.assert_allclose(variance_population(s, 7, SKEWED), overall / 7, rtol=1e-9)
    np.testing.assert_allclose(marginals(s, SKEWED), SKEWED @ messages.support, rtol=1e-12)


@given(weights=distributions, s=families)
def test_the_two_conventions_differ_by_the_drawing(weights: list[float], s: Support) -> None:
    p = np.array(weights) / sum(weights)
    drawing = (1 - (p**2).sum()) / 50
    assert l2_population(s, 50, p) == pytest.approx(l2_sample(s, 50, len(p)) + drawing, rel=1e-9)
    assert l2_sample(s, 50, len(p)) == pytest.approx(variance_sample(s, 50, p).sum(), rel=1e-9)


@each("epsilon", [0.01, 1.0, 3.0, 8.0])
@each("k", [1, 2, 4])
def test_subset_risks_are_ye2017s(k: int, epsilon: float) -> None:
    """ye2017, eqs. 6 to 9: the estimator, both losses, and the worst case, in E and M."""
    d, n, odds, excess = 5, 300, math.exp(epsilon), math.expm1(epsilon)
    s, squares = Support.subset(d, k, epsilon), float((SKEWED**2).sum())
    slope = ((d - 1) * odds + (d - 1) * (d - k) / k) / ((d - k) * excess)
    offset = ((k - 1) * odds + d - k) / ((d - k) * excess)
    assert (1 / s.gap, s.h / s.gap) == pytest.approx((slope, offset), rel=1e-9)
    total = (
        (k * (d - 2) + 1) * odds**2 / ((d - k) * excess**2)
        + 2 * (d - 2) * odds / excess**2
        + ((d - 2) * (d - k) + 1) / (k * excess**2)
    )
    assert l2_population(s, n, SKEWED) == pytest.approx((total - squares) / n, rel=1e-9)
    assert l2_sample(s, n, d) == pytest.approx((total - 1) / n, rel=1e-9)
    spread = (SKEWED + offset) * ((d - 1) / (k * excess) + 1 - SKEWED)
    assert l1_asymptotic(s, n, SKEWED) == pytest.approx(np.sqrt(2 / (math.pi * n) * spread).sum(), rel=1e-9)
    worst = (d - 1) / excess * math.sqrt(2 / (math.pi * n) * (k * odds + d - k) ** 2 / (k * (d - k)))
    assert l1_asymptotic(s, n, np.full(d, 1 / d)) == pytest.approx(worst, rel=1e-9)
    uniform = (d - 1) ** 2 * (k * odds + d - k) ** 2 / (n * d * k * (d - k) * excess**2)
    assert l2_worst(s, n, d) == pytest.approx(uniform, rel=1e-9)


@each("epsilon", [0.01, 1.0, 8.0])
def test_baseline_risks_are_kairouz2016s(epsilon: float) -> None:
    d, n, excess, root = 5, 300, math.expm1(epsilon), math.exp(epsilon / 2)
    drawing = (1 - float((SKEWED**2).sum())) / n
    response, rappor = Support.response(d, epsilon), Support.rappor(epsilon)
    noise = (d - 1) * (d + 2 * excess) / (n * excess**2)
    assert l2_population(response, n, SKEWED) == pytest.approx(drawing + noise, rel=1e-9)
    assert l2_worst(response, n, d) == pytest.approx(((excess + d) / excess) ** 2 * (1 - 1 / d) / n, rel=1e-9)
    assert l2_population(rappor, n, SKEWED) == pytest.approx(drawing + d * root / (n * (root - 1) ** 2), rel=1e-9)
    spread = ((root - 1) * SKEWED + 1) * ((root - 1) * (1 - SKEWED) + 1) / (root - 1) ** 2
    assert l1_asymptotic(rappor, n, SKEWED) == pytest.approx(np.sqrt(2 / (math.pi * n) * spread).sum(), rel=1e-9)


def test_two_labels_are_warners() -> None:
    """Warner's variance: p(1-p)/n + E/(n M^2), for each of the two."""
    p, n, epsilon = np.array([0.3, 0.7]), 40, 1.2
    noise = math.exp(epsilon) / (n * math.expm1(epsilon) ** 2)
    np.testing.assert_allclose(variance_population(Support.response(2, epsilon), n, p), 0.21 / n + noise, rtol=1e-12)


@each("n", [1, 2, 3, 10, 37])
@each(("g", "h"), [(1, 0), (Fraction(3, 4), Fraction(1, 4)), (1, Fraction(1, 2)), (Fraction(1, 2), 0)])
def test_l1_is_exact_for_few_people(n: int, g: Fraction, h: Fraction) -> None:
    """Against the mean absolute deviation by its definition, where a label may be always or never supported."""
    p = [Fraction(1), Fraction(0)] if n % 2 else [Fraction(7, 10), Fraction(3, 10)]
    total = Fraction(0)
    for m in (h + (g - h) * share for share in p):
        chances = (math.comb(n, f) * m**f * (1 - m) ** (n - f) for f in range(n + 1))
        total += sum((abs(f - n * m) * chance for f, chance in enumerate(chances)), Fraction(0))
    expected = float(total / (n * (g - h)))
    s = Support.exact(Fraction(g), Fraction(h))
    assert l1_population(s, n, np.array(p, np.float64)) == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_l1_tends_to_its_limit() -> None:
    s = Support.subset(5, 2, 1.0)
    gaps = [abs(l1_population(s, n, SKEWED) / l1_asymptotic(s, n, SKEWED) - 1) for n in (10, 10**3, 10**6, 10**9)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 1e-9
    assert l1_sample(s, 9, SKEWED) == pytest.approx(
        np.sqrt(2 / math.pi * variance_sample(s, 9, SKEWED)).sum(), rel=1e-12
    )


@given(weights=distributions, s=families)
def test_the_uniform_truth_is_the_worst(weights: list[float], s: Support) -> None:
    p, d = np.array(weights) / sum(weights), len(weights)
    uniform, slack = np.full(d, 1 / d), 1 + 1e-12
    assert l2_population(s, 9, p) <= l2_worst(s, 9, d) * slack
    assert l1_asymptotic(s, 9, p) <= l1_asymptotic(s, 9, uniform) * slack
    assert l1_sample(s, 9, p) <= l1_sample(s, 9, uniform) * slack


def test_exact_l1_may_exceed_the_uniform_one_with_few_people() -> None:
    """MAD(2, q) = 4q(1-q)^2 has its maximum at 1/3, not at 1/2."""
    s = Support(g=1.0, h=0.0, gap=1.0)
    assert l1_worst(s, 2, 2) == pytest.approx(0.5, rel=1e-12)
    assert l1_population(s, 2, np.array([1 / 3, 2 / 3])) == pytest.approx(16 / 27, rel=1e-12)


@each("d", [2, 3, 1000, 10**6])
def test_the_worst_case_needs_no_list_of_labels(d: int) -> None:
    s, uniform = Support.subset(d, sizes.best_l2_size(d, 1.0), 1.0), np.full(d, 1 / d)
    assert l2_worst(s, 10**5, d) == pytest.approx(l2_population(s, 10**5, uniform), rel=1e-9)
    assert l1_worst(s, 10**5, d) == pytest.approx(l1_population(s, 10**5, uniform), rel=1e-9)


@each("epsilon", EPSILONS)
@each(("d", "k"), SIZES)
def test_no_digit_of_a_variance_is_lost(d: int, k: int, epsilon: float) -> None:
    """A label that everybody has is the hard one: at large epsilon it is nearly always supported."""
    s, (g, h) = Support.subset(d, k, epsilon), exact_subset(d, k, exponential(epsilon))
    ends = variance_population(s, 1, np.array([0.0, 1.0]))
    assert error(float(ends[0]), h * (1 - h) / (g - h) ** 2) < 4 * LAST_DIGITS
    assert error(float(ends[1]), g * (1 - g) / (g - h) ** 2) < 4 * LAST_DIGITS
    total = (g * (1 - g) + (d - 1) * h * (1 - h)) / (g - h) ** 2
    assert error(l2_sample(s, 1, d), total) < 4 * LAST_DIGITS
    assert error(leverage(s), (1 - h) / (g - h)) < 4 * LAST_DIGITS


@pytest.mark.parametrize(
    "risk",
    [l2_worst, l1_worst, l2_sample, lambda s, n, d: leverage(s)],
    ids=["l2", "l1", "l2 of the people", "leverage"],
)
@pytest.mark.parametrize(
    "family", [Support.response, lambda d, epsilon: Support.rappor(epsilon)], ids=["k-RR", "RAPPOR"]
)
def test_more_epsilon_is_less_risk(
    family: Callable[[int, float], Support], risk: Callable[[Support, int, int], float]
) -> None:
    risks = [risk(family(50, epsilon), 1000, 50) for epsilon in EPSILONS]
    assert all(more > less for more, less in itertools.pairwise(risks))


def test_risks_fall_with_the_number_of_people() -> None:
    s = Support.subset(16, 4, 1.0)
    assert l2_worst(s, 400, 16) == pytest.approx(l2_worst(s, 100, 16) / 4, rel=1e-12)
    assert l1_asymptotic(s, 400, SKEWED) == pytest.approx(l1_asymptotic(s, 100, SKEWED) / 2, rel=1e-12)


@each("epsilon", EPSILONS)
def test_leverage_is_what_a_fake_report_lifts(epsilon: float) -> None:
    odds, excess = math.exp(epsilon), math.expm1(epsilon)
    assert leverage(Support.response(40, epsilon)) == pytest.approx((odds + 38) / excess, rel=1e-12)
    assert leverage(Support.optimized_unary(epsilon)) == pytest.approx(2 * odds / excess, rel=1e-12)
    s = Support.rappor(epsilon)
    assert leverage(s) == pytest.approx((1 - s.h) / s.gap, rel=1e-12)
