"""The public bounds: no mechanism beats them, the best reach them, and bad arguments are refused."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize
from tests.cases import each
from tests.theory.references import EPSILONS, error, exponential, logarithm

import deniable as dn
from deniable.protocol.errors import ParameterError
from deniable.theory import bounds, sizes
from deniable.theory.risk import information
from deniable.theory.risk.support import Support, l1_asymptotic, l1_population, l2_population, l2_worst

Formula: TypeAlias = Callable[..., Any]
DOMAINS = [2, 3, 4, 9, 16, 100, 410, 1000, 10**6]


def uniform_l1(s: Support, d: int, n: int) -> float:
    """The largest asymptotic l1 risk."""
    return d * l1_asymptotic(s, n, np.array([1 / d]))


def best(d: int, epsilon: float) -> Support:
    return Support.subset(d, sizes.best_l2_size(d, epsilon), epsilon)


def test_the_golden_values_of_sixteen_labels() -> None:
    """Maths sheet closed.md, "Golden values (d=16, eps=1, n=1e4)": from channels listed cell by cell."""
    assert bounds.information(16, 1.0) == pytest.approx(0.12288088, abs=5e-9)
    assert bounds.information_limit(1.0) == pytest.approx(0.12330156, abs=5e-9)


@each("epsilon", [0.01, 0.5, 1.0, 2.5, 5.0])
@each("d", range(2, 8))
def test_no_private_channel_tells_more(d: int, epsilon: float) -> None:
    """Over all channels: a linear program over the columns in {1, E}^d, each with what it tells at weight 1."""
    odds = math.exp(epsilon)
    columns = np.array(list(itertools.product([1.0, odds], repeat=d)))
    mean = columns.mean(axis=1, keepdims=True)
    told = (columns / d * np.log(columns / mean)).sum(axis=1)
    found = optimize.linprog(-told / told.max(), A_eq=columns.T, b_eq=np.ones(d), method="highs")
    assert found.status == 0
    assert float(told @ found.x) == pytest.approx(bounds.information(d, epsilon), rel=1e-7)


@each("epsilon", EPSILONS)
@each("d", DOMAINS)
def test_information_bounds_are_in_order(d: int, epsilon: float) -> None:
    known = [f(d, epsilon) for f in (information.response, information.rappor, information.optimized_unary)]
    slack = 1 + 1e-12
    assert max(known) <= bounds.information(d, epsilon) * slack
    assert bounds.information(d, epsilon) <= bounds.information_limit(epsilon) * slack
    assert bounds.information_limit(epsilon) <= epsilon**2 / 8 * slack


@each("epsilon", EPSILONS)
def test_no_digit_of_the_limit_is_lost(epsilon: float) -> None:
    excess = exponential(epsilon) - 1
    exact = logarithm(excess / Fraction(epsilon)) + Fraction(epsilon) / excess - 1
    assert error(bounds.information_limit(epsilon), exact) < 1e-14


@given(d=st.integers(2, 10**6), epsilon=st.floats(1e-6, 32), accuracy=st.floats(1e-6, 2))
def test_so_many_users_are_enough_and_one_fewer_is_not(d: int, epsilon: float, accuracy: float) -> None:
    n, risk = bounds.sample_size(d, epsilon, accuracy), Fraction(l2_worst(best(d, epsilon), 1, d))
    assert risk / n <= d * Fraction(accuracy) ** 2
    assert n == 1 or risk / (n - 1) > d * Fraction(accuracy) ** 2


def test_sample_sizes_are_whole_and_honest() -> None:
    n = bounds.sample_size(16, 1.0, 0.01)
    assert (type(n), n) == (int, 32447)
    uniform = np.full(16, 1 / 16)
    assert math.sqrt(l2_population(best(16, 1.0), n, uniform) / 16) <= 0.01
    assert bounds.sample_size(16, 1.0, 0.005) == pytest.approx(4 * n, rel=1e-4)
    assert bounds.sample_size(10**6, 1e-6, 1e-9) > 10**30  # no overflow, and no float


@each("epsilon", EPSILONS)
@each("d", DOMAINS)
def test_the_convenient_subset_keeps_its_bound(d: int, epsilon: float) -> None:
    s, slack = Support.subset(d, sizes.convenient_size(d, epsilon), epsilon), 1 + 1e-12
    assert l2_worst(s, 100, d) <= bounds.convenient_l2(d, epsilon, 100) * slack
    assert uniform_l1(s, d, 100) <= bounds.convenient_l1(d, epsilon, 100) * slack


@each("epsilon", [0.01, 1.0, 3.0])
def test_the_bounds_of_the_convenient_subset_are_close(epsilon: float) -> None:
    d, n = 10**5, 100
    l2, l1 = bounds.convenient_l2(d, epsilon, n), bounds.convenient_l1(d, epsilon, n)
    assert (l2, l1) == pytest.approx((bounds.least_l2(d, epsilon, n), uniform_l1(best(d, epsilon), d, n)), rel=1e-3)
    about = bounds.small_epsilon_l2(d, epsilon, n), bounds.small_epsilon_l1(d, epsilon, n)
    assert about == pytest.approx((l2, l1), rel=1e-3)


@pytest.mark.parametrize(
    ("l2", "l1", "family", "slack"),
    [
        (bounds.large_epsilon_l2, bounds.large_epsilon_l1, best, 0.01),
        (bounds.response_limit_l2, bounds.response_limit_l1, Support.response, 0.01),
        (bounds.rappor_limit_l2, bounds.rappor_limit_l1, lambda d, epsilon: Support.rappor(epsilon), 0.05),
    ],
    ids=["subset", "k-RR", "RAPPOR"],
)
def test_medium_privacy_risks_are_about_right(
    l2: Formula, l1: Formula, family: Callable[[int, float], Support], slack: float
) -> None:
    """At E = 3000 and d = 10^6 (ye2017, eq. 13 and prop. III.4)."""
    d, epsilon, n = 10**6, 8.0, 100
    s = family(d, epsilon)
    assert l2_worst(s, n, d) == pytest.approx(l2(d, epsilon, n), rel=slack)
    assert uniform_l1(s, d, n) == pytest.approx(l1(d, epsilon, n), rel=slack)


@given(d=st.integers(403, 10**6), place=st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_subsets_halve_the_risk_at_medium_privacy(d: int, place: float) -> None:
    """ye2017, Prop. III.5, with the largest ratios that were found."""
    epsilon = 3.8 + place * (math.log(d / 9) - 3.8)
    l2, l1 = bounds.improvement(d, epsilon)
    assert l2 < 0.453
    assert l1 < 0.673


@each("epsilon", EPSILONS)
@each("d", DOMAINS)
def test_the_best_subset_never_loses(d: int, epsilon: float) -> None:
    assert max(bounds.improvement(d, epsilon)) <= 1 + 1e-12


@each("epsilon", [0.01, 1.0, 4.0, 7.0])
def test_the_best_subset_has_the_minimax_order(epsilon: float) -> None:
    """Four times the order in l2, and sqrt(8/pi) times in l1, for E << d (ye2017, Thm IV.1)."""
    d, n = 10**6, 100
    assert bounds.least_l2(d, epsilon, n) / bounds.order_l2(d, epsilon, n) == pytest.approx(4, rel=1e-2)
    assert uniform_l1(best(d, epsilon), d, n) / bounds.order_l1(d, epsilon, n) == pytest.approx(
        math.sqrt(8 / math.pi), rel=1e-2
    )


@given(
    weights=st.lists(st.floats(0, 1), min_size=3, max_size=30).filter(lambda weights: sum(weights) > 1e-3),
    above=st.floats(0, 10),
)
def test_response_beats_rappor_from_the_threshold_on(weights: list[float], above: float) -> None:
    """kairouz2016, Prop. 5, and already from ln(d/2), at every truth and in both losses."""
    p, d = np.array(weights) / sum(weights), len(weights)
    epsilon = math.log(d / 2) + above
    assert bounds.response_beats_rappor(d, epsilon)
    response, rappor = Support.response(d, epsilon), Support.rappor(epsilon)
    assert l2_population(response, 60, p) < l2_population(rappor, 60, p)
    assert l1_asymptotic(response, 60, p) < l1_asymptotic(rappor, 60, p)


def test_rappor_beats_response_well_below_the_threshold() -> None:
    epsilon = math.log(1000) / 2
    assert not bounds.response_beats_rappor(1000, epsilon)
    response, rappor, p = Support.response(1000, epsilon), Support.rappor(epsilon), np.full(1000, 1e-3)
    assert l2_population(response, 60, p) > l2_population(rappor, 60, p)
    assert l1_population(response, 60, p) > l1_population(rappor, 60, p)


RISKS: list[Formula] = [
    bounds.least_l2,
    bounds.convenient_l2,
    bounds.convenient_l1,
    bounds.small_epsilon_l2,
    bounds.small_epsilon_l1,
    bounds.large_epsilon_l2,
    bounds.large_epsilon_l1,
    bounds.response_limit_l2,
    bounds.response_limit_l1,
    bounds.rappor_limit_l2,
    bounds.rappor_limit_l1,
    bounds.order_l2,
    bounds.order_l1,
]
PAIRS: list[Formula] = [bounds.information, bounds.improvement, bounds.response_beats_rappor]


@each("bad", [0, -1, math.nan, math.inf, "1", True, None, 1j, np.ones(2)], ids=repr)
def test_bad_epsilons_are_refused(bad: object) -> None:
    calls: list[Formula] = [
        bounds.information_limit,
        *(lambda epsilon, f=f: f(16, epsilon) for f in PAIRS),
        *(lambda epsilon, f=f: f(16, epsilon, 100) for f in RISKS),
        lambda epsilon: bounds.sample_size(16, epsilon, 0.1),
    ]
    for call in calls:
        with pytest.raises(ParameterError, match=r"^epsilon must be a finite number above 0, got epsilon="):
            call(bad)


@each("bad", [1, 0, -2, 16.0, "16", True, None, [16]], ids=repr)
def test_bad_sizes_are_refused(bad: Any) -> None:
    for pair in PAIRS:
        with pytest.raises(ParameterError, match=r"^d must be an int of at least 2, got d="):
            pair(bad, 1.0)
    for risk in RISKS:
        with pytest.raises(ParameterError, match=r"^d must be an int of at least 2, got d="):
            risk(bad, 1.0, 100)
    with pytest.raises(ParameterError, match=r"^d must be an int of at least 2, got d="):
        bounds.sample_size(bad, 1.0, 0.1)


@each("bad", [0, -0.1, math.nan, math.inf, "0.1", False, None], ids=repr)
def test_bad_accuracies_are_refused(bad: Any) -> None:
    with pytest.raises(ParameterError, match=r"^accuracy must be a finite number above 0, got accuracy="):
        bounds.sample_size(16, 1.0, bad)


@each("bad", [0, -1, 10.0, True, None], ids=repr)
def test_bad_numbers_of_users_are_refused(bad: Any) -> None:
    for risk in RISKS:
        with pytest.raises(ParameterError, match=r"^users must be an int of at least 1, got users="):
            risk(16, 1.0, bad)


# --- people for a ratio of odds (regression.md 5) ---------------------------------------------------------------------


def test_people_for_a_ratio_of_odds() -> None:
    """The numbers of the mathematics; asked openly, no information is lost."""
    coins = {level: dn.RandomizedResponse(["no", "yes"], level) for level in (0.5, 1.0, 2.0, 3.0)}
    assert [bounds.people_for_odds_ratio(2, 0.1, coin) for coin in coins.values()] == [9470, 2442, 708, 412]
    assert bounds.people_for_odds_ratio(2, 0.3, coins[1.0]) == 695
    assert bounds.people_for_odds_ratio(2, 0.1, None) == 283
    unary = dn.OptimizedUnary(["no", "yes"], 1.0)
    assert bounds.people_for_odds_ratio(2, 0.1, unary) > 2442
    one_sided = dn.Channel(["no", "yes"], [[1.0, 0.0], [0.5, 0.5]])
    assert bounds.people_for_odds_ratio(2, 0.1, one_sided) < bounds.people_for_odds_ratio(2, 0.1, one_sided, label=0)


@each(
    ("changed", "told"),
    [
        ({"ratio": 1}, "ratio must be another number than 1"),
        ({"ratio": 0}, "ratio must be a finite number above 0"),
        ({"share": 1.0}, "share must be below 1"),
        ({"power": 1.0}, "power must be below 1"),
        ({"mechanism": dn.RandomizedResponse(3, 1.0)}, "mechanism must have two labels, got 3"),
        ({"label": 2}, "label must be at most 1"),
    ],
)
def test_what_has_no_such_number_is_refused(changed: dict[str, Any], told: str) -> None:
    arguments: dict[str, Any] = {"ratio": 2, "share": 0.1, "mechanism": None, **changed}
    with pytest.raises(ParameterError, match=told):
        bounds.people_for_odds_ratio(**arguments)
