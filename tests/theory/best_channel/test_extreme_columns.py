"""The cone of columns: extreme rays against their definition and their known numbers, and the pricing oracle."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.theory.references import random_levels

from deniable.arrays import Matrix
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.theory.best_channel.extreme_columns import extreme_columns
from deniable.theory.best_channel.generation import neighbours
from deniable.theory.best_channel.pricing import best_column, reach, solve
from deniable.theory.levels import blocks, check_levels, closed, excess, high_low, plain


def brute_columns(levels: Matrix) -> set[tuple[float, ...]]:
    """Extreme rays by definition: every tree of tight pairs on every support, kept if it breaks no level."""
    found = set()
    d = len(levels)
    for size in range(1, d + 1):
        for support in itertools.combinations(range(d), size):
            arcs = [(x, y) for x in support for y in support if x != y and np.isfinite(levels[x, y])]
            for tree in itertools.combinations(arcs, size - 1):
                ray = _along(tree, support, levels)
                if ray is not None and excess(ray[:, None], levels) < 1e-9:
                    found.add(tuple((ray / ray.max()).round(7)))
    return found


def _along(tree: tuple[tuple[int, int], ...], support: tuple[int, ...], levels: Matrix) -> np.ndarray | None:
    logs = {support[0]: 0.0}
    for _ in support:
        for x, y in tree:
            if x in logs:
                logs[y] = logs[x] - levels[x, y]
            elif y in logs:
                logs[x] = logs[y] + levels[x, y]
    if len(logs) < len(support):
        return None
    return np.array([math.exp(logs[x]) if x in logs else 0.0 for x in range(len(levels))])


@pytest.mark.parametrize("infinite", [0.0, 0.3, 0.6])
@pytest.mark.parametrize(("d", "seed"), [(2, 0), (3, 1), (4, 2), (4, 3)])
def test_the_rays_are_those_of_the_definition(d: int, seed: int, infinite: float) -> None:
    levels = random_levels(d, seed, infinite)
    columns = extreme_columns(levels)
    assert {tuple(column.round(7)) for column in columns.T} == brute_columns(levels)
    assert columns.shape[1] == len(brute_columns(levels))


@pytest.mark.parametrize("d", [2, 3, 4])
def test_the_rays_of_special_levels_are_those_of_the_definition(d: int) -> None:
    for levels in (plain(d, 1.0), high_low(d, [0], 1.0), high_low(d, [0, 1], 0.5), blocks([1, d - 1], 1.0)):
        assert {tuple(column.round(7)) for column in extreme_columns(levels).T} == brute_columns(levels)


@pytest.mark.parametrize(
    ("levels", "count"),
    [
        (plain(5, 1.0), 2**5 - 2),
        (plain(12, 0.1), 2**12 - 2),
        (blocks([3, 4, 1], 1.0), 6 + 14 + 1),
        (blocks([2] * 40, 1.0), 80),
        (high_low(7, [0, 3, 6], 1.0), 2**3 - 1 + 4),
        (high_low(50, [4, 7], 1.0), 2**2 - 1 + 48),
        (plain(3, 0.0), 1),
    ],
)
def test_the_numbers_of_rays_that_are_known(levels: Matrix, count: int) -> None:
    assert extreme_columns(levels).shape == (len(levels), count)


def test_levels_in_general_position_have_the_most_rays_that_there_can_be() -> None:
    rng = np.random.default_rng(0)
    for d in range(2, 8):  # near a metric of ones no level is implied by others, as for a generic tropical simplex
        levels = check_levels(rng.uniform(1, 1.9, (d, d)))
        assert extreme_columns(levels).shape[1] == math.comb(2 * d - 2, d - 1)


@pytest.mark.parametrize("seed", range(6))
def test_every_ray_keeps_the_levels_to_the_last_digit_and_is_found_once(seed: int) -> None:
    levels = random_levels(6, seed, 0.2 * (seed % 3))
    columns = extreme_columns(levels)
    assert excess(columns, levels) < 3e-15
    assert (columns.max(axis=0) == 1).all()
    assert len(np.unique(columns.round(9), axis=1).T) == columns.shape[1]


def test_only_shortest_paths_count() -> None:
    levels = random_levels(5, 9)
    levels[0, 1] = 9.0
    assert closed(levels)[0, 1] < 9
    assert (closed(closed(levels)) == closed(levels)).all()
    np.testing.assert_array_equal(extreme_columns(levels), extreme_columns(closed(levels)))


def test_too_many_columns_are_refused() -> None:
    with pytest.raises(CapacityError, match="levels must have at most 10000 extreme columns to be listed, got more"):
        extreme_columns(plain(14, 1.0))
    with pytest.raises(CapacityError, match="levels must tie at most 13 labels together to be listed, got 20"):
        extreme_columns(random_levels(20, 0))


@pytest.mark.parametrize("seed", range(8))
def test_the_pricing_oracle_finds_the_best_of_the_listed_columns(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for levels in (random_levels(5, seed, 0.15 * (seed % 3)), plain(5, 0.5 + seed), high_low(5, [0, 1], 1.0)):
        weights, prior = rng.normal(size=5), rng.dirichlet(np.ones(5))
        columns = extreme_columns(levels)
        found = best_column(weights, levels, prior)
        assert prior @ found == pytest.approx(1)
        assert weights @ found == pytest.approx((weights @ columns / (prior @ columns)).max(), rel=1e-9, abs=1e-12)
        assert excess(found[:, None], levels) < 3e-15
        assert np.abs(columns / columns.max(axis=0) - (found / found.max())[:, None]).max(axis=0).min() < 1e-9


def test_the_short_cut_for_plain_levels_is_the_linear_program() -> None:
    rng = np.random.default_rng(4)
    for d, epsilon in [(3, 0.1), (8, 1.0), (20, 2.0)]:
        weights, prior, levels = rng.normal(size=d), rng.dirichlet(np.ones(d)), plain(d, epsilon)
        slow = solve(weights, levels, prior, *reach(levels, prior))
        assert weights @ best_column(weights, levels, prior) == pytest.approx(weights @ slow, rel=1e-9)


@pytest.mark.parametrize("infinite", [0.0, 0.4])
def test_small_moves_stay_in_the_cone_and_lead_away(infinite: float) -> None:
    levels = closed(random_levels(5, 3, infinite))
    for column in extreme_columns(levels).T[:10]:
        nearby = neighbours(column, levels)
        assert excess(nearby, levels) < 3e-15
        assert (np.abs(nearby - column[:, None]).max(axis=0) > 1e-3).sum() >= 5


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ([[0.0, 1.0]], r"levels must be a square matrix of at least 2 rows, got shape \(1, 2\)"),
        ([1.0, 2.0], r"levels must be a square matrix of at least 2 rows, got shape \(2,\)"),
        ([[0.0]], r"levels must be a square matrix of at least 2 rows, got shape \(1, 1\)"),
        ("high", "levels must be a square matrix of numbers, got str"),
        ([[0, 1], [0]], "levels must be a square matrix of numbers, got list"),
        ([[0, -1], [1, 0]], "levels must be numbers from 0 on, or inf, got -1"),
        ([[0, math.nan], [1, 0]], "levels must be numbers from 0 on, or inf, got NaN"),
        ([[0, 33], [1, 0]], "levels must be 0, inf or between 1e-06 and 32, got 33"),
        ([[0, 1e-7], [1, 0]], "levels must be 0, inf or between 1e-06 and 32, got 1e-07"),
    ],
)
def test_levels_that_are_none_are_refused(levels: object, message: str) -> None:
    with pytest.raises(ParameterError, match=f"^{message}$"):
        check_levels(levels)


def test_the_diagonal_is_not_read() -> None:
    assert check_levels([[math.nan, 1], [2, -5]]).tolist() == [[0, 1], [2, 0]]
