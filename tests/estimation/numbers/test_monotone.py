"""The nearest rising F: its conditions of optimality, known cases, few and many cells."""

from __future__ import annotations

import time

import numpy as np
import pytest

from deniable.arrays import Vector
from deniable.estimation.numbers.monotone import monotone
from deniable.theory.numbers.staggered import network, parts


def unruly(cells: int, noise: float) -> Vector:
    """Cumulative shares that fall here and there, and leave 0..1."""
    found = np.linspace(0, 1, cells + 1) + noise * np.random.default_rng(cells).standard_normal(cells + 1)
    found[0], found[-1] = 0, 1
    return found


@pytest.mark.parametrize("noise", [0.02, 0.3, 30.0])
@pytest.mark.parametrize("cells", [2, 3, 16, 100])
def test_no_share_can_be_moved_with_gain(cells: int, noise: float) -> None:
    """The slope of the distance along each cell's share is least, and equal, where shares are positive."""
    found, shares = network(cells, parts(cells), 1.0), unruly(cells, noise)
    f = monotone(found, shares)
    assert (f[0], f[-1]) == (0, 1)
    assert (np.diff(f) >= 0).all()
    slopes = np.cumsum((found.laplacian @ (f - shares))[::-1])[::-1][1:]  # of adding to the share of each cell
    scale = np.abs(slopes).max() + np.abs(np.diff(slopes)).max() + 1e-12
    held = np.diff(f) > 1e-4
    level = slopes[held].mean()
    assert np.abs(slopes[held] - level).max() < 1e-4 * scale
    assert slopes.min() > level - 1e-4 * scale


def test_what_rises_is_left_as_it_is() -> None:
    shares = np.array([0, 0.2, 0.2, 0.9, 1.0])
    assert monotone(network(4, parts(4), 1.0), shares).tolist() == shares.tolist()


def test_many_cells() -> None:
    cells = 4096
    found, shares = network(cells, parts(cells), 1.0), unruly(cells, 0.05)
    started = time.process_time()
    f = monotone(found, shares)
    assert time.process_time() - started < 3
    assert np.abs(f - np.linspace(0, 1, cells + 1)).max() < 0.05
