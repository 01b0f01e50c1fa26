"""Tails of a sum of two binomials against convolution and SciPy; never too small."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deniable.kernels._kernels import upper_tail
from deniable.kernels.tails import least_holders

chances = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.5, 1e-9, 1 - 1e-9]))


def tail(least: int, x: int, g: float, others: int, h: float) -> float:
    return float(upper_tail(least, x, g, 1 - g, others, h, 1 - h))


def convolved(least: int, x: int, g: float, others: int, h: float) -> float:
    """The same tail from both laws in full."""
    law = np.convolve(stats.binom.pmf(np.arange(x + 1), x, g), stats.binom.pmf(np.arange(others + 1), others, h))
    return float(law[max(least, 0) :].sum())


@given(st.integers(0, 120), st.integers(0, 120), chances, chances, st.integers(-2, 245))
def test_tail_is_the_convolution(x: int, others: int, g: float, h: float, least: int) -> None:
    exact = convolved(least, x, g, others, h)
    assert tail(least, x, g, others, h) >= exact * (1 - 1e-10)
    assert tail(least, x, g, others, h) == pytest.approx(exact, rel=1e-8, abs=1e-16)


@pytest.mark.parametrize("chance", [1e-8, 1e-3, 0.3])
@pytest.mark.parametrize("z", [-3, 0, 2, 6])
def test_tail_of_equal_chances_is_binomial(chance: float, z: float) -> None:
    n = 10**9 if chance < 1e-4 else 10**6
    least = round(n * chance + z * (n * chance * (1 - chance)) ** 0.5)
    exact = float(stats.binom.sf(least - 1, n, chance))
    assert tail(least, n // 3, chance, n - n // 3, chance) == pytest.approx(exact, rel=1e-7)


def test_windows_cut_nothing_that_counts() -> None:
    """Far out the tail is what was cut off, a bound: above the truth, and still tiny."""
    assert 0 < tail(10_000, 100, 0.5, 20_000, 0.25) < 1e-17
    assert tail(20_101, 100, 0.5, 20_000, 0.25) == 0
    assert tail(0, 100, 0.5, 20_000, 0.25) == 1


@given(st.integers(0, 40), st.floats(0.05, 1), st.floats(0, 0.9), st.sampled_from([0.025, 0.001, 0.3]), st.data())
def test_least_holders_by_linear_search(n: int, g: float, fall: float, error: float, data: st.DataObject) -> None:
    h = g * fall
    f, guess = data.draw(st.integers(0, n)), data.draw(st.integers(-3, n + 3))
    found = least_holders(np.array([f]), np.array([n]), g, 1 - g, h, 1 - h, error, np.array([guess]))[0]
    holding = [x for x in range(n + 1) if tail(f, x, g, n - x, h) > error]
    assert found == (holding[0] if holding else n)
