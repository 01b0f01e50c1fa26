"""Smooth densities: what they keep of F, their quantiles, and how near they come to smooth truths."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.estimation.numbers.block_worlds import surveyed

from deniable.arrays import Vector
from deniable.estimation.numbers.monotone import monotone
from deniable.estimation.numbers.number_reports import Density
from deniable.protocol.errors import ParameterError

SHARES = np.cumsum([0, 0.1, 0, 0, 0.3, 0.2, 0.2, 0.1, 0.1])


def through(shares: Vector) -> Density:
    """The curve where a cell is a place."""
    return Density.of(shares, np.arange(float(len(shares))))


def test_the_curve_keeps_the_shares_and_rises() -> None:
    found = through(SHARES)
    places = np.linspace(0, 8, 801)
    assert np.allclose(found.cdf(np.arange(9.0)), SHARES)
    assert (np.diff(found.cdf(places)) >= -1e-15).all()
    assert (found.at(places) >= 0).all()
    assert found.at(np.array([-0.1, 8.1])).tolist() == [0, 0]
    assert found.cdf(np.array([-5.0, 99.0])).tolist() == [0, 1]
    assert np.trapezoid(found.at(places), places) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("share", [0.001, 0.1, 0.25, 0.5, 0.999])
def test_a_quantile_is_where_the_share_lies(share: float) -> None:
    found = through(SHARES)
    assert float(found.cdf(np.array([found.quantile(share)]))[0]) == pytest.approx(share, abs=1e-4)


def test_a_quantile_on_a_plateau_is_its_first_place() -> None:
    assert through(SHARES).quantile(0.1) == pytest.approx(1, abs=1e-3)
    assert through(np.array([0, 1.0])).quantile(0.25) == pytest.approx(0.25)


def test_many_cells_are_drawn_through_sixteen() -> None:
    found = through(np.linspace(0, 1, 1001) ** 2)
    assert len(found.cuts) == 17
    assert found.quantile(0.25) == pytest.approx(500, rel=0.01)


def test_a_last_cell_of_less_width_is_as_dense_as_others() -> None:
    found = Density.of(np.array([0, 0.4, 0.8, 1]), np.array([0, 2.0, 4.0, 5.0]))
    assert np.allclose(found.at(np.array([0.5, 3.0, 4.9])), 0.2)
    assert found.cdf(np.array([5.0])).tolist() == [1]


def test_a_share_is_between() -> None:
    with pytest.raises(ParameterError, match="share must be above 0 and below 1"):
        through(SHARES).quantile(1.0)


def test_a_smooth_truth_is_met_as_the_study_says() -> None:
    """W1 of Beta(5, 2) from 100,000 people at eps 1 is .0054 in the mean."""
    edges = np.linspace(0, 1, 17)
    truth = np.diff(stats.beta.cdf(edges, 5, 2))
    places, rng, found = np.linspace(0, 16, 1601), np.random.default_rng(3), []
    for _ in range(40):
        cumulative = surveyed(truth, 100_000, 1.0, rng)
        curve = through(monotone(cumulative.network, cumulative.shares)).cdf(places)
        found.append(float(np.abs(curve - stats.beta.cdf(places / 16, 5, 2)).mean()))
    assert np.mean(found) == pytest.approx(0.0054, abs=4 * np.std(found) / np.sqrt(40))
