"""Lower bounds with constants: their derivation against enumeration and linear programs, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats
from tests.cases import each

from deniable.arrays import Matrix, Vector
from deniable.protocol.errors import ParameterError
from deniable.theory import bounds
from deniable.theory.best_channel.extreme_columns import extreme_columns
from deniable.theory.levels import blocks, high_low, plain
from deniable.theory.lower_bounds import assouad
from deniable.theory.risk.support import Support, l1_asymptotic, l2_worst
from deniable.theory.sizes import best_l2_size

EPSILONS = [0.05, 0.5, 1.0, math.log(3), 2.0, 4.0]


def most(columns: Matrix, pairs: list[tuple[int, int]], rows: list[int]) -> float:
    """The largest contraction of all channels with these extreme columns: the sum is convex and adds up over them."""
    differences = sum((columns[x] - columns[other]) ** 2 for x, other in pairs)
    gains = differences / np.maximum(columns[rows].sum(axis=0), 1e-300)
    found = optimize.linprog(-gains, A_eq=columns, b_eq=np.ones(len(columns)), method="highs")
    assert found.status == 0
    assert found.fun is not None
    return -found.fun


def neighbours(labels: list[int]) -> list[tuple[int, int]]:
    return list(zip(labels[::2], labels[1::2], strict=False))


@each("epsilon", EPSILONS)
@each("d", [2, 4, 6, 8])
def test_no_private_channel_contracts_less(d: int, epsilon: float) -> None:
    """Against the best channel there is; for M < 2 the formula is its value."""
    labels = list(range(d))
    best, formula = most(extreme_columns(plain(d, epsilon)), neighbours(labels), labels), bounds_of(d, epsilon)
    assert best <= formula * (1 + 1e-9)
    if math.expm1(epsilon) <= 2:
        assert best == pytest.approx(formula, rel=1e-7)
    else:
        assert best > formula / 2


def bounds_of(d: int, epsilon: float) -> float:
    return assouad._private(d // 2, epsilon)


@each("epsilon", EPSILONS)
@each(("d", "s"), [(2, 1), (4, 1), (5, 2), (6, 3), (6, 5)])
def test_no_high_low_channel_contracts_less(d: int, s: int, epsilon: float) -> None:
    columns, labels = extreme_columns(high_low(d, list(range(s)), epsilon)), list(range(d))
    assert most(columns, neighbours(labels), labels) <= assouad._one_sided(d // 2, epsilon) * (1 + 1e-9)
    claimed = most(columns, [(i, 0) for i in range(s, d)], labels)
    assert claimed <= bounds.high_low_contraction(d - s, epsilon) * (1 + 1e-9)
    assert claimed > bounds.high_low_contraction(d - s, epsilon) / 4  # a constant, as Claim 1 has it


@each("epsilon", EPSILONS)
def test_no_block_channel_contracts_less(epsilon: float) -> None:
    columns = extreme_columns(blocks([4, 2], epsilon))
    assert most(columns, [(0, 1), (2, 3)], [0, 1, 2, 3]) <= assouad._private(2, epsilon) * (1 + 1e-9)
    assert most(columns, [(4, 5)], [4, 5]) <= assouad._private(1, epsilon) * (1 + 1e-9)


@each("n", [1, 2, 7, 40, 200])
@each("share", [0.51, 0.6, 0.75, 0.99, 1.0])
def test_the_bound_is_below_the_exact_error_of_two_labels(share: float, n: int) -> None:
    """At the best delta, of the estimator that knows that the truth is one of two: by enumeration of n coins."""
    found = bounds.channel_minimax([[share, 1 - share], [1 - share, share]], n)
    exact = max(_two_points(delta, share, n) for delta in np.linspace(0.005, 0.995, 199))
    assert 0 < found <= exact
    assert found > exact / 3


def _two_points(delta: float, share: float, n: int) -> float:
    """(delta/2) (1 - TV) of the two laws of how many of n reports say yes."""
    tilt = delta * (2 * share - 1) / 2
    yes = np.arange(n + 1)
    apart = np.abs(stats.binom.pmf(yes, n, 0.5 + tilt) - stats.binom.pmf(yes, n, 0.5 - tilt)).sum() / 2
    return delta / 2 * (1 - float(apart))


@each("seed", range(5))
def test_the_bound_is_below_the_exact_error_of_four_labels(seed: int) -> None:
    """A random channel of four labels and five reports, three people: the Bayes error over all signs, enumerated."""
    draws = np.random.default_rng(seed)
    channel, n = draws.dirichlet(np.ones(5), size=4), 3
    found = bounds.channel_minimax(channel, n)
    assert 0 < found <= max(_bayes_variation(channel, n, delta) for delta in np.linspace(0.05, 0.95, 19))


def _bayes_variation(channel: Matrix, n: int, delta: float) -> float:
    """Half of the least mean absolute error where all signs are alike likely: of a median under the posterior."""
    signs = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    truths = (1 + delta * signs[:, [0, 0, 1, 1]] * np.array([1, -1, 1, -1])) / 4
    law = truths @ channel
    joint = law
    for _ in range(n - 1):
        joint = (joint[:, :, None] * law[:, None, :]).reshape(4, -1)
    total = 0.0
    for label in range(4):
        high = truths[:, label] > 0.25
        total += delta / 2 * np.minimum(joint[high].sum(axis=0), joint[~high].sum(axis=0)).sum() / 4
    return float(total) / 2


def test_the_sum_of_claim_1_by_hand() -> None:
    channel = [[0.5, 0.5, 0.0], [0.2, 0.2, 0.6], [0.3, 0.7, 0.0]]
    by_hand = (0.3**2 + 0.2**2) / 1.0 + (0.3**2 + 0.2**2) / 1.4 + 0.6**2 / 0.6
    assert bounds.chi_square_contraction(channel, [(1, 0), (2, 0)]) == pytest.approx(by_hand, rel=1e-12)
    assert bounds.chi_square_contraction(channel, []) == 0
    assert bounds.chi_square_contraction([[1.0, 0.0], [1.0, 0.0]], [(1, 0)]) == 0  # a report that nobody sends


@each("epsilon", [0.01, 0.5, 1.0, 2.0, 4.0, 6.0])
@each("d", [2, 10, 101, 1000])
def test_the_best_subset_is_within_the_constants(d: int, epsilon: float) -> None:
    """With enough people, 8 times the l1 bound and 1.35 times the l2 bound, while E is at most d."""
    if math.exp(epsilon) > max(d, 3):
        return
    s = Support.subset(d, best_l2_size(d, epsilon), epsilon)
    n = math.ceil(100 * d**2 * max(1.0, epsilon**-2))
    l1 = d * l1_asymptotic(s, n, np.array([1 / d]))
    assert 1 < l1 / bounds.minimax_l1(d, epsilon, n) < 8
    assert 1 < l2_worst(s, n, d) / bounds.minimax_l2(d, epsilon, n) < 1.35


@each("epsilon", [0.05, 0.3, 1.0])
@each("accuracy", [0.001, 0.01, 0.05])
def test_what_suffices_is_a_constant_times_what_is_needed(epsilon: float, accuracy: float) -> None:
    """Thms. 3 and 4 for epsilon up to 1: at most 400 times, whatever the sizes."""
    for d, s in [(4, 2), (5, 3), (50, 10), (50, 25), (1000, 30), (1000, 400)]:
        enough = bounds.high_low_sample_size(d, s, epsilon, accuracy)
        assert 1 < enough / bounds.high_low_order(d, s, epsilon, accuracy) < 400
    for sizes in [[2, 2], [4] * 10, [100], [2, 4, 8, 16], [50, 2, 2]]:
        enough = bounds.block_sample_size(sizes, epsilon, accuracy)
        assert 1 < enough / bounds.block_order(sizes, epsilon, accuracy) < 200


@each("epsilon", [0.01, 0.1, 0.3])
def test_one_sensitive_label_costs_less_than_theorem_3_prints(epsilon: float) -> None:
    """Two labels, one sensitive: Mangat's response needs fewer people than 1/(accuracy eps)^2, and more than our bound.

    A share m of reports that hide it has the variance m (1 - m)/(n told^2); the total variation is one share's error.
    """
    accuracy, told = 0.01, -math.expm1(-epsilon)
    hidden = np.linspace(math.exp(-epsilon), 1, 101)
    enough = float((hidden * (1 - hidden)).max()) / (told * accuracy) ** 2
    assert 1 < enough / bounds.high_low_order(2, 1, epsilon, accuracy) < 100
    assert enough < 0.4 / (accuracy * epsilon) ** 2


@each("epsilon", [0.05, 1.0])
def test_the_orders_are_those_printed(epsilon: float) -> None:
    """Ten times the labels, sensitive labels or accuracy change the people as the orders of thms. 3 and 4 say."""
    assert bounds.high_low_order(10**5, 1, epsilon, 0.001) == pytest.approx(
        10 * bounds.high_low_order(10**4, 1, epsilon, 0.001), rel=1e-3
    )
    assert bounds.high_low_order(10**4, 5000, epsilon, 0.001) == pytest.approx(
        100 * bounds.high_low_order(10**4, 500, epsilon, 0.001), rel=1e-3
    )
    assert bounds.block_order([40] * 7, epsilon, 0.001) == pytest.approx(
        7 * bounds.block_order([40], epsilon, 0.001), rel=1e-3
    )
    assert bounds.block_order([40] * 7, epsilon, 0.0001) == pytest.approx(
        100 * bounds.block_order([40] * 7, epsilon, 0.001), rel=0.02
    )


@each("accuracy", [0.001, 0.02, 0.1, 0.3])
def test_people_and_errors_are_two_sides_of_one_bound(accuracy: float) -> None:
    needed = bounds.high_low_order(20, 5, 1.0, accuracy)
    assert needed < 2 or bounds.high_low_minimax(20, 5, 1.0, needed - 1) > accuracy * (1 - 1e-6)
    assert bounds.high_low_minimax(20, 5, 1.0, needed + 1) < accuracy
    needed = bounds.block_order([7, 13], 1.0, accuracy)
    assert needed < 2 or bounds.block_minimax([7, 13], 1.0, needed - 1) > accuracy * (1 - 1e-6)
    assert bounds.block_minimax([7, 13], 1.0, needed + 1) < accuracy


def test_one_block_is_plain_privacy_and_single_labels_are_none() -> None:
    assert 2 * bounds.block_minimax([30], 1.0, 10**5) == pytest.approx(bounds.minimax_l1(30, 1.0, 10**5), rel=1e-12)
    told = bounds.channel_minimax(np.eye(30), 10**5)
    assert bounds.block_minimax([1] * 30, 1.0, 10**5) == pytest.approx(told, rel=1e-12)
    assert bounds.high_low_minimax(30, 1, 32.0, 10**5) == pytest.approx(told, rel=1e-9)


def test_no_accuracy_of_a_half_asks_for_anybody() -> None:
    """No estimate need be further than a half from the truths of the family."""
    assert bounds.high_low_order(20, 5, 1.0, 0.5) == bounds.block_order([5, 5], 1.0, 0.7) == 0


NUMBER: Any = 5
"""Where something else is asked for."""


@each(
    ("call", "message"),
    [
        (lambda: bounds.high_low_order(4, 5, 1.0, 0.1), "sensitive must be at most 4, got sensitive=5"),
        (lambda: bounds.high_low_minimax(4, 0, 1.0, 9), "sensitive must be an int of at least 1, got sensitive=0"),
        (lambda: bounds.block_order([3, 0], 1.0, 0.1), "sizes must be an int of at least 1, got sizes=0"),
        (lambda: bounds.block_minimax([1], 1.0, 9), "sizes must add up to at least 2 labels, got 1"),
        (lambda: bounds.block_l2([], 1.0, 9), "sizes must add up to at least 2 labels, got 0"),
        (lambda: bounds.block_sample_size(NUMBER, 1.0, 0.1), "sizes must be a list of ints, got int"),
        (lambda: bounds.chi_square_contraction(np.eye(2), [(0, 2)]), "pairs must be at most 1, got pairs=2"),
        (lambda: bounds.chi_square_contraction([[1.0]], []), "channel must be a matrix of at least 2 rows, got shape"),
        (lambda: bounds.channel_minimax([[0.5, 0.4], [1, 0]], 9), "channel must have rows of probabilities that add"),
        (lambda: bounds.channel_minimax([[math.nan, 1], [1, 0]], 9), "channel must have rows of probabilities that"),
        (lambda: bounds.channel_minimax("no", 9), "channel must be a matrix of probabilities, got str"),
        (lambda: bounds.minimax_l1(1, 1.0, 9), "d must be an int of at least 2, got d=1"),
        (lambda: bounds.minimax_l2(4, 1.0, 0), "users must be an int of at least 1, got users=0"),
    ],
)
def test_bad_arguments_are_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ParameterError) as refused:
        call()
    assert str(refused.value).startswith(message)


def test_the_truths_of_the_proof_are_distributions() -> None:
    """What Assouad's lemma is applied to: shares that are not negative and add up to 1, at every sign."""
    for delta in (0.1, 0.99):
        for signs in ([1, 1], [1, -1], [-1, -1]):
            truth: Vector = (1 + delta * np.repeat(signs, 2) * np.array([1, -1, 1, -1])) / 4
            assert truth.min() >= 0
            assert truth.sum() == pytest.approx(1)
