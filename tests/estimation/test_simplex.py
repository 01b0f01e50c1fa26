"""Both ways to the simplex: golden values, and what defines them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable.estimation.simplex import normalize, project

Vector = npt.NDArray[np.float64]

vectors = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30).map(np.array)
surveys = st.tuples(st.lists(st.integers(0, 60), min_size=2, max_size=12), st.sampled_from([0.1, 1.0, 1.3, 2.0, 3.0]))


def sorted_projection(v: Vector) -> Vector:
    """The formula, by sorting."""
    u = np.sort(v)[::-1]
    levels = (1 - np.cumsum(u)) / np.arange(1, len(u) + 1)
    rho = np.flatnonzero(u + levels > 0)[-1]
    nearest: npt.NDArray[np.float64] = np.maximum(v + levels[rho], 0)
    return nearest


def test_golden_values() -> None:
    unbiased = ((np.e + 4) * np.array([0.5, 0.3, 0.15, 0.05, 0]) - 1) / (np.e - 1)
    assert np.allclose(project(unbiased), [0.89098835, 0.10901165, 0, 0, 0], atol=5e-9)
    assert normalize(np.array([3.0, 1.0, -2.0])).tolist() == [0.75, 0.25, 0]


def test_nothing_left_is_uniform() -> None:
    assert normalize(np.array([-1.0, 0.0, -0.5, -3.0])).tolist() == [0.25] * 4


@given(vectors)
def test_both_are_distributions(v: Vector) -> None:
    for p in (normalize(v), project(v)):
        assert np.isfinite(p).all()
        assert p.min() >= 0
        assert p.sum() == pytest.approx(1, abs=1e-12)


@given(vectors)
def test_projection_is_the_nearest(v: Vector) -> None:
    """Variational inequality: no vertex lies beyond the projection, seen from v."""
    p = project(v)
    assert np.allclose(p, sorted_projection(v), atol=1e-9 * (1 + np.abs(v).max()))
    assert ((v - p) @ (np.eye(len(v)) - p).T).max() <= 1e-8 * (1 + np.abs(v).max() ** 2)


@given(surveys)
def test_projection_of_shares_ends(survey: tuple[list[int], float]) -> None:
    """Entries that tie with the level up to rounding, which shares of small surveys do, do not stall the sweeps."""
    counts, stretch = survey
    v = stretch * np.array(counts) / 60 - 0.25
    assert np.allclose(project(v), sorted_projection(v), atol=1e-12)


@pytest.mark.parametrize(
    "v",
    [
        [0.5862068965517241, 1.0, 0.3448275862068966, 0.4482758620689655, 0.3103448275862069],
        [1 / 3, -1 / 3, 0.5, -5 / 12, -0.25, -0.5, 1 / 12, -0.25, 5 / 12, 1 / 12],
        [1e12, 1e12, 1e12 + 1, -1e12],
        [7.0],
        [0.0035999, 0.0154315, 0.00141254, 0.00212089, 0.02149027, 0.01754734, -0.1563996],
        [
            0.00359991110869886,
            0.015431453041230125,
            0.0014125357249339002,
            0.002120893622644334,
            0.021490267206784035,
            0.017547341443721155,
            -0.15639959964199793,
        ],
    ],
)
def test_projection_ends_where_rounding_ties(v: list[float]) -> None:
    assert project(np.array(v)).sum() == pytest.approx(1, abs=1e-12)


@given(vectors, st.integers(0, 2**32 - 1))
def test_projection_never_moves_away_from_a_distribution(v: Vector, seed: int) -> None:
    truth = np.random.default_rng(seed).dirichlet(np.ones(len(v)))
    assert np.linalg.norm(project(v) - truth) <= np.linalg.norm(v - truth) * (1 + 1e-9) + 1e-9


@given(st.integers(0, 2**32 - 1), st.integers(1, 20))
def test_weighted_projection_is_the_nearest_in_its_metric(seed: int, d: int) -> None:
    draw = np.random.default_rng(seed)
    v, metric = draw.normal(size=d), draw.uniform(0.1, 3, d)
    p = project(v, metric)
    assert p.sum() == pytest.approx(1)
    assert p.min() >= 0
    assert ((np.eye(d) - p) @ ((v - p) / metric)).max() <= 1e-9
