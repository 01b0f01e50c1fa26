"""The paper's channel, its baselines and wrong priors: golden values, both sides of feasibility, brute force."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate

from deniable.protocol.errors import ParameterError
from deniable.theory.informed import baselines

EPSILONS = [1e-6, 0.05, 0.5, 1.0, 2.0, 5.0, 32.0]


def binary_mse(p: float, q0: float, q1: float) -> float:
    """P0P1 - (P0P1(1-q0-q1))^2/(lam0 lam1), as the paper writes it."""
    chance = (1 - p) * q0 + p * (1 - q1)
    return p * (1 - p) - (p * (1 - p) * (1 - q0 - q1)) ** 2 / (chance * (1 - chance))


@pytest.mark.parametrize(("p", "expected"), [(0.1, (0.2863, 0.2325)), (0.5, (0.4434, 0.3874))], ids=["rare", "even"])
def test_the_errors_of_figure_5(p: float, expected: tuple[float, ...]) -> None:
    prior, bits = [1 - p, p], [0, 1]
    losses = baselines.ldp_loss(prior, 1.0, bits), baselines.paper_loss(prior, 1.0, bits)
    assert [round(math.sqrt(loss), 4) for loss in losses] == list(expected)


def test_the_ldp_error_of_figure_8_over_uniform_priors() -> None:
    """The mean over p of ct/(t + c(t-1)^2) is t/(t-1)^2 (1 - 2 eps t/(t^2-1))."""
    mean, _ = integrate.quad(lambda p: baselines.ldp_loss([1 - p, p], 1.0, [0, 1]), 0, 1)
    assert mean == pytest.approx(math.e / (math.e - 1) ** 2 * (1 - 2 * math.e / (math.e**2 - 1)), rel=1e-9)
    assert math.sqrt(mean) == pytest.approx(0.3705, abs=5e-5)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 5.0])
@pytest.mark.parametrize("p", [0.01, 0.3, 0.5, 0.9])
def test_the_binary_formulas(p: float, epsilon: float) -> None:
    t, c, prior = math.exp(epsilon), p * (1 - p), [1 - p, p]
    flip = 1 / (1 + t)
    assert baselines.ldp_loss(prior, epsilon, [0, 1]) == pytest.approx(c * t / (t + c * (t - 1) ** 2), rel=1e-12)
    assert baselines.channel_loss(prior, [[1 - flip, flip], [flip, 1 - flip]], [0, 1]) == pytest.approx(
        binary_mse(p, flip, flip), rel=1e-12
    )
    assert baselines.paper_loss(prior, epsilon, [0, 1]) == pytest.approx(c * (2 / t - 1 / t**2), rel=1e-12)
    assert baselines.paper_loss(prior, epsilon) == pytest.approx(2 * c * (2 / t - 1 / t**2), rel=1e-12)


@pytest.mark.parametrize("epsilon", EPSILONS[1:])
def test_the_paper_keeps_its_level_just_where_no_prior_is_below_the_threshold(epsilon: float) -> None:
    threshold = 1 / (1 + math.exp(epsilon))
    for share, fits in ((threshold, True), (threshold * (1 + 1e-6), True), (threshold * (1 - 1e-6), False)):
        prior = np.array([share, 1 - share, 0.0])
        assert baselines.paper_feasible(prior, epsilon) is fits
        honest, t = -math.expm1(-epsilon), math.exp(epsilon)
        written = (honest * np.eye(3) + prior / t)[:2]
        highest = max(written[0, 0] / share, written[1, 1] / (1 - share))
        assert bool(highest <= t * (1 + 1e-12)) is fits


@pytest.mark.parametrize("d", [2, 3, 4, 5, 50])
def test_more_labels_than_one_and_the_odds_are_never_feasible(d: int) -> None:
    assert baselines.paper_feasible(np.full(d, 1 / d), 1.0) is (d <= 3)


def test_the_papers_channel_where_it_is_one() -> None:
    prior = np.array([0.5, 0.3, 0.0, 0.2])
    matrix = baselines.paper_channel(prior, 1.5)
    assert baselines.lip_level(prior, matrix) == pytest.approx(1.5, abs=1e-12)
    assert matrix.sum(axis=1) == pytest.approx(1, abs=1e-15)
    assert matrix[2] == pytest.approx(prior, abs=1e-15)
    for values in (None, [3, 1, 7, -2]):
        loss = baselines.channel_loss(prior, matrix, values)
        assert loss == pytest.approx(baselines.paper_loss(prior, 1.5, values), rel=1e-12)


def test_the_papers_channel_is_refused_elsewhere_with_what_it_would_leak() -> None:
    prior = np.array([0.7, 0.2, 0.1])
    leaked = math.log((1 - (1 - 0.1) / math.e) / 0.1)
    assert leaked > 1.9
    with pytest.raises(ParameterError, match=rf"0\.268941 .* got 2 smaller.* leak {leaked:.6g} and not epsilon=1$"):
        baselines.paper_channel(prior, 1.0)
    assert baselines.paper_level(prior, 1.0) == pytest.approx(leaked, rel=1e-14)
    assert baselines.paper_level([0.4, 0.6], 1.0) == pytest.approx(1, rel=1e-14)


def test_posteriors_are_bayes_rule_and_silence_says_the_prior() -> None:
    told = baselines.posteriors([0.2, 0.8, 0.0], [[0.5, 0.5, 0], [0.25, 0.75, 0], [0, 0, 1]])
    assert told == pytest.approx(np.array([[1 / 3, 2 / 3, 0], [1 / 7, 6 / 7, 0], [0.2, 0.8, 0]]), abs=1e-15)


def test_levels_by_hand() -> None:
    flip = [[0.75, 0.25], [0.25, 0.75]]
    assert baselines.lip_level([0.5, 0.5], flip) == pytest.approx(math.log(2), rel=1e-14)
    assert baselines.lip_level([1.0, 0.0], [[0.5, 0.5], [0.0, 1.0]]) == 0
    assert baselines.lip_level([0.5, 0.5], np.eye(2)) == math.inf
    assert baselines.lip_level([0.3, 0.7], [[0.4, 0.6, 0.0], [0.4, 0.6, 0.0]]) < 1e-15


def test_the_ldp_level_bounds_the_lip_level_and_twice_that_bounds_it_back() -> None:
    rng = np.random.default_rng(7)
    for _ in range(200):
        d, outputs = rng.integers(2, 7, 2)
        matrix = rng.dirichlet(np.ones(outputs), d)
        prior = rng.dirichlet(np.ones(d))
        ldp = max(abs(np.log(matrix[a] / matrix[b])).max() for a, b in itertools.combinations(range(d), 2))
        lip = baselines.lip_level(prior, matrix)
        assert lip <= ldp * (1 + 1e-12)
        assert ldp <= 2 * lip * (1 + 1e-12)


def test_losses_by_listing_every_output() -> None:
    rng = np.random.default_rng(8)
    prior, matrix, values = (
        np.array([0.2, 0.0, 0.5, 0.3]),
        rng.dirichlet(np.ones(5), 4),
        np.array([4.0, 9.0, -1.0, 2.5]),
    )
    chances = prior @ matrix
    posteriors = prior[:, None] * matrix / chances
    assert baselines.channel_loss(prior, matrix) == pytest.approx(1 - chances @ (posteriors**2).sum(axis=0), rel=1e-13)
    spread = sum(chances[y] * (posteriors[:, y] @ (values - posteriors[:, y] @ values) ** 2) for y in range(5))
    assert baselines.channel_loss(prior, matrix, values) == pytest.approx(spread, rel=1e-13)


@pytest.mark.parametrize("values", [None, np.array([4.0, 9.0, -1.0])])
def test_a_wrong_prior_by_listing_every_case(values: Any) -> None:
    rng = np.random.default_rng(9)
    prior, truth, matrix = np.array([0.2, 0.5, 0.3]), np.array([0.6, 0.1, 0.3]), rng.dirichlet(np.ones(4), 3)
    goal = np.eye(3) if values is None else values[:, None]
    guess = (prior[:, None] * matrix / (prior @ matrix)).T @ goal
    cases = [(truth[x] * matrix[x, y], guess[y] - goal[x]) for x in range(3) for y in range(4)]
    found = baselines.misjudged(prior, truth, matrix, values)
    assert found.bias == pytest.approx(sum(chance * miss for chance, miss in cases), abs=1e-14)
    assert found.mse == pytest.approx(sum(chance * miss @ miss for chance, miss in cases), rel=1e-13)


def test_a_right_prior_is_unbiased_and_an_impossible_output_no_news() -> None:
    prior, matrix = np.array([0.2, 0.5, 0.3]), np.array([[0.6, 0.4, 0], [0.5, 0.5, 0], [0.1, 0.8, 0.1]])
    right = baselines.misjudged(prior, prior, matrix)
    assert right.bias == pytest.approx(0, abs=1e-15)
    assert right.mse == pytest.approx(baselines.channel_loss(prior, matrix), rel=1e-13)
    blind = baselines.misjudged([0.5, 0.5, 0.0], [0.0, 0.0, 1.0], [[1, 0], [1, 0], [0, 1]], [0, 2, 9])
    assert (blind.bias.tolist(), blind.mse) == ([-8.0], 64.0)


FLIP = [[0.75, 0.25], [0.25, 0.75]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: baselines.paper_loss([1.5, -0.5], 1.0), "prior must be finite and not negative, got"),
        (lambda: baselines.paper_loss([0.5, 0.4], 1.0), "prior must add up to 1, got 0.9"),
        (lambda: baselines.paper_loss([1.0], 1.0), "prior must be 2 probabilities, got an array of shape"),
        (lambda: baselines.paper_loss(3, 1.0), "prior must be 2 probabilities, got int"),
        (lambda: baselines.paper_loss([0.5, 0.5], 0), "epsilon must be a finite number above 0, got epsilon=0"),
        (lambda: baselines.ldp_loss([0.5, 0.5], 1.0, [1, 2, 3]), "values must be 2 numbers, got list of shape"),
        (lambda: baselines.ldp_loss([0.5, 0.5], 1.0, ["0", "1"]), "values must be 2 numbers, got list of shape"),
        (lambda: baselines.ldp_loss([0.5, 0.5], 1.0, [[1], [1, 2]]), "values must be 2 numbers, got list of shape"),
        (lambda: baselines.ldp_loss([0.5, 0.5], 1.0, [0, math.inf]), "values must be finite, got an entry"),
        (lambda: baselines.channel_loss([0.5, 0.5], FLIP[:1]), "matrix must be 2 rows of probabilities, got"),
        (lambda: baselines.lip_level([0.5, 0.5], [[2, -1], [0, 1]]), "matrix must be finite and not negative, got"),
        (lambda: baselines.lip_level([0.5, 0.5], [[1, 0], [0, 0.5]]), "matrix must have rows that add up to 1, got"),
        (lambda: baselines.misjudged([0.5, 0.5], [1.0], FLIP), "truth must be 2 probabilities, got an array"),
    ],
)  # fmt: skip
def test_wrong_inputs_get_one_clear_error(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ParameterError, match=f"^{message}"):
        call()
