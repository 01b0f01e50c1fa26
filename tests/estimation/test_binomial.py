"""Bounds of a binomial's chance, held against the tails themselves, from one person to 2^63 - 1."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt
import pytest
from scipy import special, stats

from deniable.estimation.binomial import MANY, clopper_pearson, quantile
from deniable.estimation.intervals import COUNTABLE, holders, landed_holders, two_binomials

Counts = npt.NDArray[np.int64]
MOST = 2**63 - 1
PEOPLE = sorted(
    {1, 2, 3, 10, 999, 1000, 1001, 2000, *(int(10 ** (k / 4)) for k in range(12, 76)), MANY, MANY + 1, MOST}
)


def near(n: int) -> Counts:
    """Counts of about a thousand, or all but a thousand; around half; and the ends."""
    block = np.arange(900, 1101)
    half = np.array([0, 1, 2, 5, 30, n // 3, n // 2 - 1, n // 2, n // 2 + 1])
    some = np.concatenate([block, half, 10 ** np.arange(19)])
    some = some[(some >= 0) & (some <= n)]
    return np.unique(np.concatenate([some, n - some]))


@pytest.mark.parametrize("alpha", [0.3, 0.05, 1e-8])
def test_each_bound_has_its_tail(alpha: float) -> None:
    """From the smaller side, where a bound is known to all its digits; 1e-6 is what a double leaves at 2^50 people."""
    for n in PEOPLE:
        f = near(n)
        f = f[(f <= n // 2) & ((n <= MANY) | (f <= 10_000))]
        low, high = clopper_pearson(f, n, alpha).T
        assert np.allclose(special.betaincc(f + 1, n - f, high), alpha / 2, rtol=1e-6, atol=0)
        assert low[0] == 0
        assert np.allclose(special.betainc(f[1:], n - f[1:] + 1, low[1:]), alpha / 2, rtol=1e-6, atol=0)


@pytest.mark.parametrize("n", [2 * 10**8, 10**9, 10**10, 10**15, 10**18, MOST])
def test_a_count_of_a_thousand(n: int) -> None:
    """Where the chance is small the binomial is Poisson's: its bounds are quantiles of gamma laws, apart by f/n."""
    f = np.array([999, 1000, 1001])
    expected = np.stack([stats.gamma.ppf(0.025, f), stats.gamma.isf(0.025, f + 1)], axis=1) / n
    assert np.allclose(clopper_pearson(f, n, 0.05), expected, rtol=1e-5, atol=0)
    assert np.allclose(1 - clopper_pearson(n - f, n, 0.05)[:, ::-1], expected, rtol=1e-5, atol=3e-16)


@pytest.mark.parametrize("alpha", [0.3, 0.05, 1e-8])
def test_bounds_are_in_order(alpha: float) -> None:
    for n in PEOPLE:
        f = near(n)
        low, high = clopper_pearson(f, n, alpha).T
        assert (low <= f / n).all()
        assert (f / n <= high).all()
        assert low.min() >= 0
        assert high.max() <= 1
        # beyond 2^53 people neighbouring counts are closer than a double's last digit
        assert (np.diff(low) >= -1e-15 * low[1:]).all()
        assert (np.diff(high) >= -1e-15 * high[1:]).all()


@pytest.mark.parametrize("alpha", [0.3, 0.05, 1e-4])
@pytest.mark.parametrize("n", [MANY + 1, 10**17, MOST])
def test_great_counts_of_many_are_conservative(n: int, alpha: float) -> None:
    """Poisson's tails again, where counts are great but shares small: no bound is beyond its tail, none far within."""
    f = np.array([10_001, 50_000, 10**6])
    low, high = clopper_pearson(f, n, alpha).T
    for tail in (special.gammainc(f, low * float(n)), special.gammaincc(f + 1, high * float(n))):
        assert (tail <= alpha / 2 * (1 + 1e-6)).all()
        assert (tail >= alpha / 2 * 0.8).all()


@pytest.mark.parametrize(("g", "h"), [(0.75, 0.25), (0.9, 1e-5), (1.0, 0.2), (0.6, 0.0), (0.999999, 1e-18)])
@pytest.mark.parametrize("n", [COUNTABLE - 1, COUNTABLE + 1, 2**62, MOST])
def test_fixed_people_in_order(n: int, g: float, h: float) -> None:
    f = near(n)
    low, high = two_binomials(f, n, g, h, 0.05).T
    assert (low <= high).all()
    assert low.min() >= 0
    assert high.max() <= 1
    share = np.clip((f / n - h) / (g - h), 0, 1)
    assert (low <= share + 1e-15).all()
    assert (share - 1e-15 <= high).all()
    few = np.full(len(f), 1000)
    mixed = holders(np.minimum(f, 500), np.where(f > 500, n, few), g, h, 0.05)
    assert np.isfinite(mixed).all()


@pytest.mark.parametrize("n", [COUNTABLE - 1, COUNTABLE + 1, 2**62, MOST])
def test_landed_people_in_order(n: int) -> None:
    within = np.repeat(near(n // 2), 3)
    plus = within.copy()
    plus[1::3] //= 2
    plus[2::3] = 0
    low, high = landed_holders(plus, within, n, 0.3, 0.5, 0.05).T
    assert (low <= high).all()
    assert low.min() >= 0
    assert high.max() <= n


def test_many_fixed_people_are_covered() -> None:
    """30,000 draws of normal counts, which these are to 1e-8: more than 5.6% of misses has a chance below 1e-6."""
    draw, n, share, g, h = np.random.default_rng(5), 10**16, 0.3, 0.8, 0.2
    mean, spread = share * g + (1 - share) * h, share * g * (1 - g) + (1 - share) * h * (1 - h)
    f = n * mean + np.sqrt(n * spread) * draw.standard_normal(30_000)
    low, high = two_binomials(f.astype(np.int64), n, g, h, 0.05).T
    missed = np.mean((low > share) | (share > high))
    assert 0.001 < missed < 0.056


def test_checking_costs_little() -> None:
    f = np.random.default_rng(1).integers(0, 10**9, 20_000)
    start = time.process_time()
    clopper_pearson(f, 10**9, 1e-6)
    checked = time.process_time() - start
    start = time.process_time()
    special.betaincinv(f + 1.0, 10**9 - f, 1e-6), special.betaincinv(f + 1.0, 10**9 - f, 1 - 1e-6)
    assert checked < 4 * (time.process_time() - start)


def test_quantiles_are_those_of_scipy() -> None:
    """To some digits before the last, from the least positive numbers on; nothing is exceeded surely or never."""
    errors = np.concatenate([np.geomspace(1e-300, 0.5, 500), 1 - np.geomspace(1e-15, 0.5, 500)])
    found = [quantile(error) for error in errors.tolist()]
    np.testing.assert_allclose(found, -special.ndtri(errors), rtol=1e-13, atol=1e-13)
    assert (quantile(0.0), quantile(1.0)) == (np.inf, -np.inf)
