"""The maps over tables of hashed candidates against twins that keep sets."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from deniable.kernels import threads
from deniable.kernels.cohorts import collect, mass, overlaps, pairs_held, quadratic_forms, sorted_filters

Matrix = npt.NDArray[np.float64]
Table = npt.NDArray[np.uint16]
SHAPES = [(1, 1, 1, 3), (0, 2, 3, 2), (150, 70, 5, 1), (30, 40, 300, 1), (20, 33, 8, 2), (9, 5, 6, 4), (5, 3, 2, 5)]


def world(shape: tuple[int, int, int, int]) -> tuple[Table, Matrix, np.random.Generator]:
    """A sorted table of S, C, r, h, and its incidence [S, C, r], from the unsorted one."""
    size, cohorts, r, hashes = shape
    rng = np.random.default_rng(shape)
    table = rng.integers(0, r, (size, cohorts, hashes), dtype=np.uint16)
    held = np.zeros((size, cohorts, r))
    for s, c in np.ndindex(size, cohorts):
        for y in set(table[s, c].tolist()):
            held[s, c, y] = 1
    return sorted_filters(table), held, rng


@pytest.mark.parametrize("shape", SHAPES)
def test_maps_equal_their_dense_twins(shape: tuple[int, int, int, int]) -> None:
    table, held, rng = world(shape)
    p, weights = rng.normal(size=shape[0]), rng.normal(size=held.shape[1:])
    p[::3] = 0
    np.testing.assert_allclose(mass(table, p, shape[2]), np.einsum("scy,s->cy", held, p), atol=1e-12)
    np.testing.assert_allclose(collect(table, weights), np.einsum("scy,cy->s", held, weights), atol=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_overlaps_and_pairs_equal_their_dense_twins(shape: tuple[int, int, int, int]) -> None:
    table, held, rng = world(shape)
    sizes, p, field = rng.random(shape[1]), rng.random(shape[0]), rng.normal(size=held.shape[1:])
    twin = np.einsum("scy,tcy,c->st", held, held, sizes)
    np.testing.assert_allclose(overlaps(table, sizes, shape[2]), twin, atol=1e-10)
    sums, squares = np.einsum("scy,cy->sc", held, field), np.einsum("scy,cy->sc", held, field**2)
    np.testing.assert_allclose(pairs_held(table, p, sizes, field), p @ (sums**2 - squares) @ sizes, atol=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
def test_quadratic_forms_equal_their_dense_twins(shape: tuple[int, int, int, int]) -> None:
    table, held, rng = world(shape)
    sizes, directions = rng.random(shape[1]), rng.normal(size=(shape[0], 130))  # more than two blocks of columns
    squares, line = rng.random(held.shape[1:]), rng.normal(size=held.shape[1:])
    z = np.einsum("scy,sk->cyk", held - 0.3, directions)
    bent = np.einsum("cy,cyk,c->k", squares, z**2, sizes) - sizes @ np.einsum("cy,cyk->ck", line, z) ** 2
    plain, width = sizes**2 @ (z**2).sum(axis=1), (z.max(axis=1) - z.min(axis=1)).max(axis=0)
    found = quadratic_forms(table, directions, 0.3, sizes, squares, line)
    np.testing.assert_allclose(found, [bent, plain, width], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
def test_figures_do_not_depend_on_how_many_processors_there_are(
    shape: tuple[int, int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last bit: each sum is one processor's, whoever takes what."""
    table, held, rng = world(shape)
    p, field, directions = rng.normal(size=shape[0]), rng.normal(size=held.shape[1:]), rng.normal(size=(shape[0], 130))
    sizes = rng.random(shape[1])

    def figures() -> list[Matrix]:
        forms = quadratic_forms(table, directions, 0.3, sizes, field**2, field)
        return [mass(table, p, shape[2]), collect(table, field), overlaps(table, sizes, shape[2]), forms]

    alone = figures()
    monkeypatch.setattr(threads, "ALONE", 8)
    monkeypatch.setattr(threads, "processors", lambda: 3)
    for one, three in zip(alone, figures(), strict=True):
        assert np.array_equal(one, three)


def test_equal_filters_become_equal_rows() -> None:
    table = sorted_filters(np.array([[[2, 1, 2]], [[1, 2, 1]], [[1, 1, 1]], [[3, 2, 1]]], np.uint16))
    assert table[:, 0].tolist() == [[1, 1, 2], [1, 1, 2], [1, 1, 1], [1, 2, 3]]
    assert sorted_filters(np.array([[5, 4]], np.uint32)).tolist() == [[[5], [4]]]


def test_a_large_table_takes_a_moment() -> None:
    table = np.random.default_rng(1).integers(0, 64, (20_000, 256, 1), dtype=np.uint16)
    p = np.full(20_000, 1 / 20_000)
    held = mass(table, p, 64)
    assert held.sum() == pytest.approx(256)
    assert collect(table, held).mean() == pytest.approx((held**2).sum(), rel=1e-9)
