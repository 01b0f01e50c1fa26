"""Distributions of truth: their shares by definition, their means and what they refuse."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from deniable.arrays import Vector
from deniable.protocol.errors import ParameterError
from deniable.theory import truths

FALSE_ALARM = 1e-9
LAWS: dict[str, Callable[[int], Vector]] = {
    "uniform": truths.uniform,
    "geometric": lambda d: truths.geometric(d, 0.9),
    "geometric of mean": lambda d: truths.geometric_of_mean(d, d / 5),
    "zipf": truths.zipf,
    "binomial": lambda d: truths.binomial(d, 0.3),
    "dirichlet": lambda d: truths.dirichlet(d, np.random.default_rng(1)),
}


@pytest.mark.parametrize("d", [1, 2, 7, 1000])
@pytest.mark.parametrize("name", LAWS)
def test_every_law_is_a_distribution(name: str, d: int) -> None:
    p = LAWS[name](d)
    assert p.shape == (d,)
    assert p.min() >= 0
    assert p.sum() == pytest.approx(1, abs=1e-12)


def test_ratios_of_neighbours() -> None:
    assert truths.geometric(50, 0.8)[1:] / truths.geometric(50, 0.8)[:-1] == pytest.approx(0.8)
    zipf = truths.zipf(50, 2.0)
    assert zipf[0] / zipf == pytest.approx(np.arange(1, 51) ** 2.0)


@pytest.mark.parametrize(("mean", "first"), [(0.4, 0), (12.0, 0), (12.0, 1)])
def test_a_geometric_law_has_the_mean_where_nothing_is_cut_off(mean: float, first: int) -> None:
    p = truths.geometric_of_mean(2000, mean, first)
    assert p @ np.arange(first, 2000 + first) == pytest.approx(mean)


def test_the_truth_of_kairouz2016_has_its_exact_baselines() -> None:
    """To guess the uniform distribution errs by .973 (the sheet's value)."""
    p = truths.geometric_of_mean(256, 51.2, first=1)
    assert np.abs(p - 1 / 256).sum() == pytest.approx(0.973, abs=5e-4)


def test_binomial_is_the_law_of_coins() -> None:
    assert truths.binomial(4, 0.5).tolist() == pytest.approx([0.125, 0.375, 0.375, 0.125])


def test_dirichlet_draws_are_uniform_on_the_simplex() -> None:
    """The first of d shares is Beta(1, d - 1); a more concentrated law fails the same test."""
    generator = np.random.default_rng(7)
    flat = [truths.dirichlet(5, generator)[0] for _ in range(2000)]
    tight = [truths.dirichlet(5, generator, 2.0)[0] for _ in range(2000)]
    assert stats.kstest(flat, stats.beta(1, 4).cdf).pvalue > FALSE_ALARM
    assert stats.kstest(tight, stats.beta(1, 4).cdf).pvalue < FALSE_ALARM


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: truths.uniform(0), "d must be an int of at least 1"),
        (lambda: truths.geometric(5, 1.0), "ratio must be between 0 and 1, got ratio=1.0"),
        (lambda: truths.geometric(5, math.nan), "ratio must be between 0 and 1"),
        (lambda: truths.geometric_of_mean(5, 1.0, first=1), "mean must be above 1"),
        (lambda: truths.zipf(5, 0.0), "exponent must be above 0"),
        (lambda: truths.binomial(5, 0.0), "chance must be between 0 and 1"),
        (lambda: truths.dirichlet(5, np.random.default_rng(1), -1.0), "concentration must be above 0"),
    ],
)
def test_refusals(make: Callable[[], Vector], reason: str) -> None:
    with pytest.raises(ParameterError, match=reason):
        make()
