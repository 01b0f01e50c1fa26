"""Likelihoods against closed forms, another optimizer, and their own certificate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from deniable.estimation.likelihood import (
    Maximum,
    composite_likelihood,
    maximum_likelihood,
    posterior_mean,
    response_likelihood,
)
from deniable.protocol.errors import ParameterError
from deniable.theory.risk.support import Support

Vector = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
GOLDEN = np.array([50, 30, 15, 5, 0])


def maps(rows: Vector) -> tuple[Callable[[Vector], Vector], Callable[[Vector], Vector]]:
    """A channel's matrix as the two maps."""
    return (lambda p: p @ rows), (lambda weights: rows @ weights)


def maximum(counts: Counts, rows: Vector, tolerance: float = 1e-10, iterations: int = 1000) -> Maximum:
    forward, backward = maps(rows)
    return maximum_likelihood(counts, forward, backward, len(rows), tolerance, iterations)


def response(d: int, ratio: float) -> Vector:
    return np.asarray((np.ones((d, d)) + (ratio - 1) * np.eye(d)) / (d + ratio - 1))


def log_likelihood(counts: Counts, rows: Vector, p: Vector) -> float:
    seen = counts > 0
    return float(counts[seen] @ np.log((p @ rows)[seen])) / float(counts.sum())


def surveys(seed: int, low: float = 0.1) -> tuple[Counts, Vector]:
    """A random channel, with small and large entries, and counts of a random truth."""
    draw = np.random.default_rng(seed)
    d, outputs = int(draw.integers(2, 9)), int(draw.integers(2, 12))
    rows = draw.dirichlet(np.full(outputs, draw.choice([low, 1.0, 5.0])), d)
    truth = draw.dirichlet(np.full(d, 0.5))
    return draw.multinomial(int(10 ** draw.integers(0, 7)), truth @ rows), rows


def test_golden_closed_form() -> None:
    assert np.allclose(response_likelihood(GOLDEN, np.e), [0.77049418, 0.22950582, 0, 0, 0], atol=5e-9)


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=12), st.floats(1e-6, 20))
def test_closed_form_satisfies_the_optimality_conditions(counts: list[int], epsilon: float) -> None:
    seen, bonus = np.array([*counts, 1]), np.expm1(epsilon)
    p = response_likelihood(seen, 1 + bonus)
    assert p.min() >= 0
    assert p.sum() == pytest.approx(1)
    # every label's gradient is at most the mean, which those above 0 have
    gradient = seen * bonus / (1 + bonus * p) / seen.sum()
    excess = (gradient - gradient @ p) / bonus
    assert excess.max() <= 1e-9
    assert np.abs(excess[p > 1e-9]).max() <= 1e-9


def test_closed_form_is_unbiased_inside() -> None:
    counts, ratio, d = np.array([40, 30, 30]), 3.0, 3
    unbiased = ((ratio + d - 1) * counts / 100 - 1) / (ratio - 1)
    assert np.allclose(response_likelihood(counts, ratio), unbiased)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 6.0, 20.0])
def test_search_finds_the_closed_form(epsilon: float) -> None:
    draw = np.random.default_rng(3)
    for d in (2, 5, 200):
        rows = response(d, float(np.exp(epsilon)))
        counts = draw.multinomial(20_000, draw.dirichlet(np.ones(d)) @ rows)
        found = maximum(counts, rows, tolerance=1e-13)
        assert np.allclose(found.point, response_likelihood(counts, float(np.exp(epsilon))), atol=2e-6)
        assert found.iterations < 60


@pytest.mark.parametrize("seed", range(12))
def test_search_agrees_with_another_optimizer(seed: int) -> None:
    counts, rows = surveys(seed)
    found = maximum(counts, rows)
    start = np.full(len(rows), 1 / len(rows))
    minimize: Any = optimize.minimize
    other = minimize(
        lambda p: -log_likelihood(counts, rows, np.maximum(p, 1e-12)),
        start,
        method="SLSQP",
        bounds=[(0, 1)] * len(rows),
        constraints={"type": "eq", "fun": lambda p: p.sum() - 1},
        options={"maxiter": 500, "ftol": 1e-12},
    )
    rival = np.maximum(other.x, 0) / np.maximum(other.x, 0).sum()
    assert log_likelihood(counts, rows, found.point) >= log_likelihood(counts, rows, rival) - 1e-9


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_no_distribution_beats_the_certificate(seed: int) -> None:
    counts, rows = surveys(seed)
    found = maximum(counts, rows, iterations=200)
    best = log_likelihood(counts, rows, found.point)
    draw = np.random.default_rng(seed)
    rivals = [*draw.dirichlet(np.full(len(rows), 0.3), 50), *(0.9 * found.point + 0.1 * np.eye(len(rows)))]
    for rival in rivals:
        with np.errstate(divide="ignore"):
            assert log_likelihood(counts, rows, rival) <= best + found.gap + 1e-12


@pytest.mark.parametrize("seed", range(20))
def test_the_likelihood_never_falls(seed: int) -> None:
    counts, rows = surveys(seed, low=0.02)
    reached = [log_likelihood(counts, rows, maximum(counts, rows, iterations=k).point) for k in range(36)]
    assert np.diff(reached).min() >= -1e-13


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 3.0])
def test_channels_far_from_symmetric_need_few_steps(epsilon: float) -> None:
    """Labels on a line that blur into their neighbours: the curvatures differ by many orders of magnitude."""
    x, draw = np.arange(30), np.random.default_rng(4)
    rows = np.exp(-epsilon * np.abs(x[:, None] - x))
    rows /= rows.sum(axis=1, keepdims=True)
    found = maximum(draw.multinomial(10**7, draw.dirichlet(np.full(30, 0.3)) @ rows), rows)
    assert found.converged
    assert found.iterations <= 45


def test_many_labels_need_few_steps() -> None:
    """Where expectation and maximization would take thousands."""
    draw, d, ratio = np.random.default_rng(1), 1000, float(np.e)
    truth = 1 / np.arange(1, d + 1)
    counts = draw.multinomial(10**6, (1 + (ratio - 1) * truth / truth.sum()) / (d + ratio - 1))
    found = maximum_likelihood(
        counts, lambda p: 1 + (ratio - 1) * p, lambda weights: weights.sum() + (ratio - 1) * weights, d
    )
    assert found.converged
    assert found.gap <= 1e-10
    assert found.iterations <= 40
    assert np.allclose(found.point, response_likelihood(counts, ratio), atol=1e-6)


def test_unseen_messages_and_one_person() -> None:
    rows = np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]])
    assert maximum(np.array([0, 0, 1]), rows).point.tolist() == pytest.approx([0, 1], abs=1e-8)
    both = maximum(np.array([0, 1, 0]), rows)
    assert both.converged
    assert both.point.sum() == pytest.approx(1)


def test_the_gap_is_reported_when_the_search_is_cut_short() -> None:
    counts, rows = surveys(3)
    cut = maximum(counts, rows, iterations=1)
    assert not cut.converged
    assert cut.iterations == 1
    assert cut.gap > 1e-10


def test_impossible_counts_are_refused() -> None:
    rows = np.array([[1.0, 0.0], [1.0, 0.0]])
    with pytest.raises(ParameterError, match="some label can send"):
        maximum(np.array([1, 1]), rows)
    with pytest.raises(ParameterError, match="at least one message"):
        maximum(np.array([0, 0]), rows)
    with pytest.raises(ParameterError, match="at least one message"):
        response_likelihood(np.array([0, 0]), 2.0)


def composite(f: Counts, n: int, s: Support, p: Vector) -> float:
    m = s.h + s.gap * p
    return float(f @ np.log(m) + (n - f) @ np.log1p(-m)) / n


@pytest.mark.parametrize(("g", "h"), [(0.75, 0.25), (0.5, 0.1), (0.999, 0.001), (0.2501, 0.25)])
@pytest.mark.parametrize("seed", range(6))
def test_composite_likelihood_meets_its_conditions(g: float, h: float, seed: int) -> None:
    draw, n, s = np.random.default_rng(seed), 500, Support(g, h, g - h)
    f = draw.binomial(n, h + (g - h) * draw.dirichlet(np.full(8, 0.4)))
    f[0] = (0, n, n // 2)[seed % 3]
    p = composite_likelihood(f, n, s)
    assert p.sum() == pytest.approx(1)
    assert p.min() >= 0
    m = h + (g - h) * p
    gradient = f / m - (n - f) / (1 - m)
    inside = p > 1e-9
    scale = n / (h * (1 - g) ** 0.5)
    assert np.ptp(gradient[inside]) <= 1e-8 * scale
    assert gradient[~inside].max(initial=-np.inf) <= gradient[inside].min() + 1e-8 * scale
    rivals = [*draw.dirichlet(np.ones(8), 30), *(0.99 * p + 0.01 * np.eye(8))]
    assert max(composite(f, n, s, rival) for rival in rivals) <= composite(f, n, s, p) + 1e-12


@pytest.mark.parametrize("counts", [[0, 0, 0], [20, 20, 20], [20, 0, 0], [0, 0, 20]])
def test_composite_likelihood_of_extreme_counts(counts: list[int]) -> None:
    p = composite_likelihood(np.array(counts), 20, Support(0.9, 0.1, 0.8))
    assert np.isfinite(p).all()
    assert p.sum() == pytest.approx(1)
    assert np.allclose(p, 1 / 3) or p.max() == pytest.approx(1, abs=0.02)


def test_composite_likelihood_is_unbiased_where_that_adds_up() -> None:
    s, p = Support(0.75, 0.25, 0.5), np.array([0.5, 0.3, 0.2])
    counts = np.rint(1000 * (s.h + s.gap * p)).astype(np.int64)
    assert np.allclose(composite_likelihood(counts, 1000, s), p, atol=1e-12)


def test_posterior_is_the_mean_of_each_report() -> None:
    rows, prior = np.array([[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]]), np.array([0.8, 0.2])
    counts = np.array([3, 0, 7])
    each = prior[:, None] * rows / (prior @ rows)
    assert np.allclose(posterior_mean(counts, *maps(rows), prior), each @ counts / 10)


def test_posterior_refuses_a_prior_that_rules_reports_out() -> None:
    rows = np.array([[1.0, 0.0], [0.5, 0.5]])
    assert posterior_mean(np.array([3, 0]), *maps(rows), np.array([1.0, 0.0])).tolist() == [1, 0]
    with pytest.raises(ParameterError, match="prior must allow"):
        posterior_mean(np.array([3, 1]), *maps(rows), np.array([1.0, 0.0]))
