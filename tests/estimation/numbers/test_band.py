"""How wide a band must be, against a plain simulation and known values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from deniable.estimation.numbers.band import SIMULATED, band_factor
from deniable.theory.numbers.network import Network
from deniable.theory.numbers.staggered import network, parts


@pytest.mark.parametrize(("cells", "known"), [(16, 2.88), (64, 3.24), (256, 3.63), (1024, 3.95)])
def test_known_factors(cells: int, known: float) -> None:
    assert band_factor(network(cells, parts(cells), 1.0), 0.95) == pytest.approx(known, abs=0.03)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("cells", [2, 3, 16])
def test_the_factor_by_a_plain_simulation(cells: int, level: float) -> None:
    """The share of 200,000 draws that stay below is the level, within five standard errors and the factor's own."""
    found = network(cells, parts(cells), 1.0)
    covariance = np.linalg.inv(found.laplacian.toarray()[1:-1, 1:-1])
    errors = np.sqrt(np.diag(covariance))
    draws = np.random.default_rng(1).standard_normal((200_000, cells - 1)) @ np.linalg.cholesky(covariance).T
    below = float((np.abs(draws / errors).max(axis=1) < band_factor(found, level)).mean())
    assert below == pytest.approx(level, abs=0.03 * (1 - level) + 5 * np.sqrt(level * (1 - level) / 200_000))


def test_many_cells_have_the_factor_of_independent_normals() -> None:
    """It is never too small, and hardly larger where both are known."""
    cells = 2 * SIMULATED
    found = band_factor(network(cells, parts(cells), 1.0), 0.95)
    assert found == pytest.approx(stats.norm.isf((1 - 0.95 ** (1 / (cells - 1))) / 2), rel=1e-9)
    fewer = band_factor(network(1024, parts(1024), 1.0), 0.95)
    assert 1 < stats.norm.isf((1 - 0.95 ** (1 / 1023)) / 2) / fewer < 1.05


def test_a_band_over_no_cut_is_that_of_one() -> None:
    assert band_factor(Network.of(1, []), 0.95) == pytest.approx(1.959964, abs=1e-6)


def test_the_factor_is_drawn_alike_every_time() -> None:
    found = network(64, parts(64), 1.0)
    assert band_factor(found, 0.9) == band_factor(found, 0.9)
