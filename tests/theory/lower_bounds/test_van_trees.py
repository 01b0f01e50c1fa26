"""The exact limits and van Trees' bound: against exact Bayes risks, and step by step by brute force."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy import special, stats
from tests.cases import each

from deniable.arrays import Matrix, Vector
from deniable.theory import bounds
from deniable.theory.lower_bounds import van_trees
from deniable.theory.risk.support import Support, l2_worst
from deniable.theory.sizes import best_l2_size

FIRST_TRIED = [
    (10, 1.0, (6.10, 1.76, 1.13, 1.03)),
    (100, 1.0, (69.8, 7.34, 2.11, 1.27)),
    (100, 3.0, (10.9, 2.81, 1.44, 1.11)),
    (1000, 1.0, (math.inf, 71, 7.47, 2.15)),
]
"""Labels, epsilon, and the least risk over a bound with cosine priors within groups, for 10^4 to 10^10 people."""


def beta_nodes(a: float, b: float, number: int = 80) -> tuple[Vector, Vector]:
    """Points and weights that integrate against the law Beta(a, b)."""
    points, weights = special.roots_jacobi(number, b - 1, a - 1)
    return (points + 1) / 2, weights / weights.sum()


def bayes(truths: Matrix, weights: Vector, laws: Matrix) -> float:
    """The least mean squared error of any estimator: ``laws`` has the chance of each outcome at each truth."""
    joint = weights[:, None] * laws
    total = joint.sum(axis=0)
    means = joint.T @ truths
    return float(weights @ (truths**2).sum(axis=1) - ((means**2).sum(axis=1) / total).sum())


@each("epsilon", [0.3, 1.0, 3.0])
@each("n", [1, 10, 100, 1000])
@each("alpha", [2.5, 4.0, 12.0, 60.0])
def test_it_is_below_the_exact_bayes_risk_of_two_labels(epsilon: float, n: int, alpha: float) -> None:
    """Randomized response tells most of two labels; everything by quadrature over the prior."""
    shares, weights = beta_nodes(alpha, alpha)
    yes = (shares * math.expm1(epsilon) + 1) / (math.exp(epsilon) + 1)
    laws = np.asarray(stats.binom.pmf(np.arange(n + 1), n, yes[:, None]))
    exact = bayes(np.stack([shares, 1 - shares], axis=1), weights, laws[:, laws.max(axis=0) > 1e-200])
    found = van_trees._bound_of_labels(2, epsilon, n, np.array([alpha]))
    assert exact / 2.1 < found <= exact


@each("epsilon", [0.5, 2.0])
@each("size", [1, 2])
@each("alpha", [3.0, 10.0])
def test_it_is_below_the_exact_bayes_risk_of_three_labels(epsilon: float, size: int, alpha: float) -> None:
    """Four reports of subsets of either size, all outcomes enumerated."""
    (first, weights), (rest, others) = beta_nodes(alpha, 2 * alpha, 30), beta_nodes(alpha, alpha, 30)
    p = np.repeat(first, 30)
    q = (1 - p) * np.tile(rest, 30)
    truths = np.stack([p, q, 1 - p - q], axis=1)
    named = np.eye(3) if size == 1 else 1 - np.eye(3)
    law = truths @ (1 + math.expm1(epsilon) * named) / (3 + math.expm1(epsilon) * size)
    outcomes = [np.bincount(found, minlength=3) for found in combinations_with_replacement(range(3), 4)]
    laws = np.stack([stats.multinomial.pmf(found, 4, law) for found in outcomes], axis=1)
    assert laws.sum(axis=1) == pytest.approx(np.ones(900))
    exact = bayes(truths, np.outer(weights, others).ravel(), laws)
    assert exact / 3 < van_trees._bound_of_labels(3, epsilon, 4, np.array([alpha])) <= exact


@each("m", [2, 3, 7, 50, 400])
@each("epsilon", [0.01, 1.0, 3.0, 8.0, 15.0])
def test_what_a_report_tells_is_the_most_over_all_sizes(m: int, epsilon: float) -> None:
    """By trying all sizes."""
    excess, alphas = math.expm1(epsilon), van_trees._ALPHAS
    sizes = np.arange(1, m)[:, None]
    mean = 1 / (1 + excess * (alphas * sizes - 1) / (alphas * m - 1))
    told = excess**2 * sizes * (1 - sizes / m) * mean / (1 + excess * sizes / m)
    assert van_trees._most_information(m, excess, alphas) == pytest.approx(told.max(axis=0), rel=1e-9)


@each("m", [2, 5])
@each("epsilon", [0.5, 2.0, 8.0])
@each("alpha", [2.5, 9.0])
def test_a_mean_is_at_most_what_jensen_says(m: int, epsilon: float, alpha: float) -> None:
    """E 1/(1 + M x) by quadrature, for the share x of every size."""
    excess = math.expm1(epsilon)
    for size in range(1, m):
        shares, weights = beta_nodes(alpha * size, alpha * (m - size))
        bound = 1 / (1 + excess * (alpha * size - 1) / (alpha * m - 1))
        assert bound / 1.3 < weights @ (1 / (1 + excess * shares)) <= bound


@each(("d", "epsilon", "factors"), FIRST_TRIED)
def test_it_is_nearer_to_the_best_mechanism_than_a_first_bound(
    d: int, epsilon: float, factors: tuple[float, ...]
) -> None:
    for exponent, factor in zip((4, 6, 8, 10), factors, strict=True):
        n = 10**exponent
        assert 1 < bounds.least_l2(d, epsilon, n) / bounds.van_trees_l2(d, epsilon, n) <= factor


@each("epsilon", [0.1, 1.0, 4.0, 8.0])
@each("d", [2, 10, 300])
def test_it_tends_to_the_limit(d: int, epsilon: float) -> None:
    """The limit is (d-1)^2 over the most information of one report at the uniform truth, whatever the size of sets."""
    sizes = np.arange(1, d)
    told = math.expm1(epsilon) ** 2 * sizes * (1 - sizes / d) / (1 + math.expm1(epsilon) * sizes / d) ** 2
    assert bounds.limit_l2(d, epsilon) == pytest.approx((d - 1) ** 2 / told.max(), rel=1e-9)
    near = 10**14 * bounds.van_trees_l2(d, epsilon, 10**14)
    assert near == pytest.approx(bounds.limit_l2(d, epsilon), rel=2e-3)
    assert near < bounds.limit_l2(d, epsilon)


def test_the_limits_are_the_best_subsets_errors() -> None:
    s = Support.subset(16, best_l2_size(16, 1.0), 1.0)
    assert bounds.limit_l2(16, 1.0) == pytest.approx(10**6 * l2_worst(s, 10**6, 16), rel=1e-12)
    deviation = math.sqrt(bounds.limit_l2(16, 1.0) / 16)
    assert bounds.limit_l1(16, 1.0) == pytest.approx(16 * deviation * math.sqrt(2 / math.pi), rel=1e-12)


def test_bounds_in_context_are_those_of_their_parts() -> None:
    """Truths that lie in one block, or on sensitive labels alone, are among all truths."""
    n = 10**6
    assert bounds.block_minimax_l2([3, 10], 1.0, n) == bounds.minimax_l2(10, 1.0, n)
    assert bounds.high_low_minimax_l2(100, 40, 1.0, n) == bounds.minimax_l2(40, 1.0, n)
    assert bounds.high_low_minimax_l2(100, 1, 1.0, n) > 0
    assert 0 < bounds.block_minimax_l2([1, 1, 1], 1.0, n) < 1 / n  # told openly, the people still differ
