"""Formulas of the theory room: golden values, equalities between forms, limits and orders."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import deniable as dn
from deniable.checks import check_accuracy, check_distribution, check_size, check_users
from deniable.protocol.checks import check_epsilon
from deniable.protocol.errors import ParameterError
from deniable.theory import sizes
from deniable.theory.risk import hadamard, information
from deniable.theory.risk import support as risks
from deniable.theory.risk.support import Support

EPSILONS = st.floats(0.05, 12)


def subset_law(d: int, k: int, epsilon: float) -> Support:
    """g, h and their gap of k-subset, the gap in the form that does not cancel."""
    e = math.exp(epsilon)
    g = k * e / (k * e + d - k)
    h = g * (k - 1) / (d - 1) + (1 - g) * k / (d - 1)
    return Support(g, h, k * (d - k) * math.expm1(epsilon) / ((d - 1) * (k * e + d - k)))


def test_golden_values() -> None:
    """Maths sheet closed.md, "Golden values (d=16, eps=1, n=1e4)": from channels listed cell by cell."""
    d, epsilon = 16, 1.0
    assert sizes.beta(d, epsilon) == pytest.approx(5.4191502, abs=5e-8)
    assert sizes.best_information_size(d, epsilon) == 5
    assert sizes.best_l2_size(d, epsilon) == 4
    assert sizes.convenient_size(d, epsilon) == 5
    assert dn.bounds.information(d, epsilon) == pytest.approx(0.12288088, abs=5e-9)
    assert information.response(d, epsilon) == pytest.approx(0.05140853, abs=5e-9)
    assert information.rappor(d, epsilon) == pytest.approx(0.11446395, abs=5e-9)
    assert dn.bounds.information_limit(epsilon) == pytest.approx(0.12330156, abs=5e-9)
    law = subset_law(d, 4, epsilon)
    assert law.g == pytest.approx(0.47536689, abs=5e-9)
    assert law.h == pytest.approx(0.23497554, abs=5e-9)
    assert law.gap == pytest.approx(law.g - law.h, rel=1e-12)
    assert risks.l2_sample(law, 10_000, d) == pytest.approx(0.00509763931, abs=5e-12)
    m = dn.Subset(d, epsilon)
    assert m.law.support.g == pytest.approx(law.g, rel=1e-11)
    assert m.risk(10_000, target="sample") == pytest.approx(0.00509763931, abs=5e-12)


@given(st.integers(2, 300), EPSILONS, st.data())
def test_subset_risks_of_ye2017(d: int, epsilon: float, data: st.DataObject) -> None:
    """Equations 7, 8 and 9 are the (g, h) forms; wang2016's total variance is (B - 1)/n."""
    k, n = data.draw(st.integers(1, d - 1)), 1000
    e, excess = math.exp(epsilon), math.expm1(epsilon)
    p = np.arange(1, d + 1) / (d * (d + 1) / 2)
    law = subset_law(d, k, epsilon)
    b = (k * (d - 2) + 1) * e**2 / ((d - k) * excess**2) + 2 * (d - 2) * e / excess**2
    b += ((d - 2) * (d - k) + 1) / (k * excess**2)
    assert risks.l2_population(law, n, p) == pytest.approx((b - (p**2).sum()) / n, rel=1e-6)
    assert risks.l2_sample(law, n, d) == pytest.approx((b - 1) / n, rel=1e-6)
    first = p + ((k - 1) * e + d - k) / ((d - k) * excess)
    second = (d - 1) / (k * excess) + 1 - p
    assert risks.l1_asymptotic(law, n, p) == pytest.approx(np.sqrt(2 / (math.pi * n) * first * second).sum(), rel=1e-6)
    uniform = np.full(d, 1 / d)
    worst = (d - 1) / excess * math.sqrt(2 / (math.pi * n) * (k * e + d - k) ** 2 / (k * (d - k)))
    assert risks.l1_asymptotic(law, n, uniform) == pytest.approx(worst, rel=1e-6)
    assert risks.l2_population(law, n, uniform) >= risks.l2_population(law, n, p) * (1 - 1e-12)
    assert risks.l1_asymptotic(law, n, uniform) >= risks.l1_asymptotic(law, n, p) * (1 - 1e-12)
    gap = risks.l2_population(law, n, p) - risks.l2_sample(law, n, d)
    assert gap == pytest.approx((1 - (p**2).sum()) / n, rel=1e-4, abs=1e-9 * b / n)


@given(st.integers(2, 500), EPSILONS)
def test_best_sizes_beat_all_others(d: int, epsilon: float) -> None:
    every = np.arange(1, d)
    variance = [risks.l2_sample(subset_law(d, int(k), epsilon), 1, d) for k in every]
    best = sizes.best_l2_size(d, epsilon)
    assert variance[best - 1] <= min(variance) * (1 + 1e-9)
    said = [information.subset(d, int(k), epsilon) for k in every]
    assert said[sizes.best_information_size(d, epsilon) - 1] >= max(said) * (1 - 1e-9)
    assert max(said) <= dn.bounds.information_limit(epsilon) * (1 + 1e-9)
    assert dn.bounds.information_limit(epsilon) <= epsilon**2 / 8
    assert dn.bounds.least_l2(d, epsilon, 1) == pytest.approx(
        risks.l2_population(subset_law(d, best, epsilon), 1, np.full(d, 1 / d)), rel=1e-9
    )


@given(st.floats(1e-6, 1e-2))
def test_small_levels_do_not_cancel(epsilon: float) -> None:
    """Against rational arithmetic: the series of exp with 12 terms, far beyond what is asked."""
    e = Fraction(epsilon)
    power = sum((e**i / math.factorial(i) for i in range(12)), Fraction(0))
    excess = power - 1
    assert sizes.beta(1000, epsilon) == pytest.approx(float((e * power - power + 1) / excess**2 * 1000), rel=1e-9)
    log_excess = sum((-1) ** (i + 1) * (excess / e - 1) ** i / i for i in range(1, 9))
    assert dn.bounds.information_limit(epsilon) == pytest.approx(float(log_excess + e / excess - 1), rel=1e-6)
    x = excess * 3 / 10
    log_mean = sum((-1) ** (i + 1) * x**i / i for i in range(1, 9))
    exact = 3 * power * e / (3 * power + 7) - log_mean
    assert information.subset(10, 3, epsilon) == pytest.approx(float(exact), rel=1e-6)


@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 2.0, 20.0])
@pytest.mark.parametrize("d", [2, 3, 6])
def test_unary_information_by_enumeration(d: int, epsilon: float) -> None:
    s = math.exp(epsilon / 2)
    for flip_own, flip_other, formula in (
        (1 / (1 + s), 1 / (1 + s), information.rappor),
        (0.5, 1 / (1 + s * s), information.optimized_unary),
    ):
        rows = np.array(
            [
                [
                    math.prod(
                        (1 - flip_own if bit else flip_own) if j == x else (flip_other if bit else 1 - flip_other)
                        for j, bit in enumerate(bits)
                    )
                    for bits in itertools.product((0, 1), repeat=d)
                ]
                for x in range(d)
            ],
            np.longdouble,
        )
        excess = rows / rows.mean(axis=0) - 1
        said = float((rows.mean(axis=0) * ((1 + excess) * np.log1p(excess) - excess)).sum() / d)
        assert formula(d, epsilon) == pytest.approx(said, rel=1e-4 if epsilon < 1e-3 else 1e-9)


def test_unary_information_of_many_labels() -> None:
    """Finite and between 0 and the bound up to a million labels."""
    for d, epsilon in ((10_000, 1.0), (1_000_000, 3.0)):
        for formula in (information.rappor, information.optimized_unary):
            assert 0 < formula(d, epsilon) < dn.bounds.information(d, epsilon)


@given(st.integers(1, 2000), st.floats(1e-9, 1))
def test_mean_absolute_deviation(n: int, q: float) -> None:
    """De Moivre's closed form equals the sum over all counts."""
    law = Support(1.0, 0.0, 1.0)
    counts = np.arange(n + 1)
    by_hand = (np.abs(counts - n * q) * stats.binom.pmf(counts, n, q)).sum() / n
    assert risks.l1_population(law, n, np.array([q])) == pytest.approx(by_hand, rel=1e-8, abs=1e-12)


def test_response_and_rappor_risks_of_kairouz2016() -> None:
    d, epsilon, n = 20, 1.3, 500
    e, excess, s = math.exp(epsilon), math.expm1(epsilon), math.exp(epsilon / 2)
    p = np.arange(1, d + 1) / (d * (d + 1) / 2)
    rest = (1 - (p**2).sum()) / n
    response, rappor = dn.RandomizedResponse(d, epsilon), dn.Rappor(d, epsilon)
    assert response.risk(n, "l2", p) == pytest.approx(rest + (d - 1) * (d + 2 * excess) / (n * excess**2), rel=1e-9)
    assert rappor.risk(n, "l2", p) == pytest.approx(rest + d * s / (n * (s - 1) ** 2), rel=1e-9)
    assert response.risk(n) == pytest.approx(((e + d - 1) / excess) ** 2 * (1 - 1 / d) / n, rel=1e-9)
    assert dn.RandomizedResponse(2, epsilon).risk(n, target="sample") == pytest.approx(
        2 * e / (n * excess**2), rel=1e-9
    )


@given(st.floats(3.81, 9.0), st.floats(1.0, 3.0))
def test_proposition_3_5(epsilon: float, above: float) -> None:
    """For 3.8 < eps < ln(d/9): half the l2 and 30% less l1 than the better of k-RR and k-RAPPOR."""
    d, n = math.ceil(9 * math.exp(epsilon) * above) + 1, 1000
    uniform = np.full(d, 1 / d)
    e, s = math.exp(epsilon), math.exp(epsilon / 2)
    laws = [subset_law(d, 1, epsilon), Support(s / (s + 1), 1 / (s + 1), (s - 1) / (s + 1))]
    best = subset_law(d, sizes.best_l2_size(d, epsilon), epsilon)
    assert risks.l2_population(best, n, uniform) <= 0.5 * min(risks.l2_population(law, n, uniform) for law in laws)
    assert risks.l1_asymptotic(best, n, uniform) <= 0.7 * min(risks.l1_asymptotic(law, n, uniform) for law in laws)
    assert e < d / 9


@given(st.integers(3, 100_000), EPSILONS)
def test_bounds_of_ye2017(d: int, epsilon: float) -> None:
    law = subset_law(d, sizes.convenient_size(d, epsilon), epsilon)
    uniform = np.full(d, 1 / d)
    if d * math.exp(epsilon) > math.exp(epsilon) + 1 and sizes.convenient_size(d, epsilon) < d / 2:
        assert risks.l2_population(law, 9, uniform) <= dn.bounds.convenient_l2(d, epsilon, 9) * (1 + 1e-9)
        assert risks.l1_asymptotic(law, 9, uniform) <= dn.bounds.convenient_l1(d, epsilon, 9) * (1 + 1e-9)
    assert dn.bounds.order_l2(d, epsilon, 9) * 4 == dn.bounds.small_epsilon_l2(d, epsilon, 9)
    assert dn.bounds.order_l1(d, epsilon, 9) <= dn.bounds.small_epsilon_l1(d, epsilon, 9)


def test_limits_are_reached() -> None:
    d, n = 10**8, 7
    least = dn.bounds.least_l2
    assert least(10**7, 1.0, n) == pytest.approx(dn.bounds.small_epsilon_l2(10**7, 1.0, n), rel=1e-3)
    assert least(10**7, 7.0, n) == pytest.approx(dn.bounds.large_epsilon_l2(10**7, 7.0, n), rel=0.01)
    e, s = math.exp(9.0), math.exp(4.5)
    assert dn.bounds.response_limit_l2(d, 9.0, n) == pytest.approx(((e + d - 1) / (e - 1)) ** 2 / n, rel=0.01)
    assert dn.bounds.rappor_limit_l2(d, 9.0, n) == pytest.approx(d * s / (n * (s - 1) ** 2), rel=0.03)
    assert dn.bounds.response_limit_l1(d, 9.0, n) == pytest.approx(
        math.sqrt(d * dn.bounds.response_limit_l2(d, 9.0, n) * 2 / math.pi)
    )
    assert dn.bounds.rappor_limit_l1(d, 9.0, n) == pytest.approx(
        math.sqrt(d * dn.bounds.rappor_limit_l2(d, 9.0, n) * 2 / math.pi)
    )
    assert dn.bounds.large_epsilon_l1(d, 9.0, n) == pytest.approx(dn.bounds.small_epsilon_l1(d, 9.0, n), rel=1e-3)


def test_response_beats_rappor_where_said() -> None:
    for d in (2, 10, 100, 5000):
        for epsilon in np.linspace(0.2, 12, 60):
            if dn.bounds.response_beats_rappor(d, epsilon):
                assert dn.RandomizedResponse(d, epsilon).risk(10) <= dn.Rappor(d, epsilon).risk(10)


def test_sample_size_is_the_least() -> None:
    n = dn.bounds.sample_size(50, 0.7, 0.02)
    rmse = [math.sqrt(dn.bounds.least_l2(50, 0.7, people) / 50) for people in (n - 1, n)]
    assert rmse[1] <= 0.02 < rmse[0]
    assert dn.Subset(50, 0.7).risk(n) == pytest.approx(dn.bounds.least_l2(50, 0.7, n), rel=1e-9)


def test_leverage() -> None:
    e = math.exp(1.0)
    assert dn.RandomizedResponse(9, 1.0).law.leverage == pytest.approx((e + 7) / (e - 1))
    assert dn.OptimizedUnary(9, 1.0).law.leverage == pytest.approx(2 * e / (e - 1))
    assert dn.Hadamard(9, 1.0, parts=1).law.leverage == pytest.approx((e + 1) / (e - 1))
    assert dn.bounds.leverage(0.5, 0.25) == 3.0


@given(st.integers(2, 600), EPSILONS, st.data())
def test_hadamard_truths(d: int, epsilon: float, data: st.DataObject) -> None:
    """The worst truth is worse than the uniform one and than random others; the chosen parts are the best ones."""
    parts, size = hadamard.best_parts(d, epsilon)
    odds = math.exp(epsilon)
    uniform = np.full(d, 1 / d)
    worst = hadamard.worst_truth(odds, parts, size, d)
    assert worst.sum() == pytest.approx(1)
    assert worst.min() >= 0
    at_worst = hadamard.variance_population(odds, parts, size, 1, worst).sum()
    other = np.random.default_rng(data.draw(st.integers(0, 9))).dirichlet(np.full(d, 0.5))
    for p in (uniform, other):
        assert hadamard.variance_population(odds, parts, size, 1, p).sum() <= at_worst * (1 + 1e-9)
        within = hadamard.variance_sample(odds, parts, size, 1, p).sum()
        assert within <= hadamard.worst_sample_l2(odds, parts, size, 1, d) * (1 + 1e-9)
    found = hadamard.variance_population(odds, parts, size, 1, uniform).sum()
    for choice in (1, 2, 8, 64):
        if choice < 2 * d:
            rival = hadamard.size_of_part(d, choice)
            assert found <= hadamard.variance_population(odds, choice, rival, 1, uniform).sum() * (1 + 1e-9)


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), "1", True, None, 1j, [1], 1e-7, 33])
def test_bad_epsilon(value: Any) -> None:
    with pytest.raises(ParameterError, match=r"^epsilon must be"):
        check_epsilon(value)


def test_error_grammar() -> None:
    with pytest.raises(ParameterError, match=r"^epsilon must be a finite number above 0, got epsilon=-1$"):
        check_epsilon(-1)
    with pytest.raises(ParameterError, match=r"^epsilon must be between 1e-06 and 32, got epsilon=40$"):
        check_epsilon(40)
    assert check_epsilon(np.float32(0.5)) == check_epsilon(Fraction(1, 2)) == 0.5


@pytest.mark.parametrize("value", [0, -1, 1.5, "2", True, None])
def test_bad_integers_and_accuracies(value: Any) -> None:
    for check in (check_users, check_size):
        with pytest.raises(ParameterError, match=r"must be an int"):
            check(value)
    if value != 1.5:
        with pytest.raises(ParameterError, match=r"^accuracy must be"):
            check_accuracy(value)


@pytest.mark.parametrize("p", [[1.0], [0.5, 0.6], [-0.5, 1.5], [float("nan"), 1], "ab", None, [[0.5, 0.5]], [0.5, "x"]])
def test_bad_distributions(p: Any) -> None:
    with pytest.raises(ParameterError, match=r"^prior must"):
        check_distribution("prior", p, 2)
