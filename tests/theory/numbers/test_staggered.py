"""Staggered blocks: their layout, what they cost, and what nothing can go below."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from deniable.protocol.errors import ParameterError
from deniable.theory.numbers.network import Network
from deniable.theory.numbers.staggered import (
    best_parts,
    cuts,
    labels,
    least_variance,
    mode_variance,
    network_risks,
    parts,
    prefix_bound,
    query_bound,
    risks,
)

KNOWN = {
    16: (5.886656, 7.008642, 7.117095),
    64: (10.947944, 15.035179, 13.512999),
    256: (17.806248, 26.605226, 21.767781),
    1024: (26.583574, 41.906010, 32.063631),
}
"""At eps 1 the mean over prefixes, the mean over ranges, the worst prefix."""


@pytest.mark.parametrize("cells", KNOWN)
def test_risks(cells: int) -> None:
    assert np.allclose(risks(cells, parts(cells), 1.0), KNOWN[cells], rtol=0, atol=6e-7)


def test_risks_by_all_pairs() -> None:
    """The shortcut for ranges against the resistance of every pair."""
    nodes = np.arange(6)
    found = Network(5, np.array([0, 1, 2, 3, 4, 0, 2]), np.array([1, 2, 3, 4, 5, 2, 5]), np.linspace(1, 2, 7))
    inverse = np.zeros((6, 6))
    inverse[1:-1, 1:-1] = np.linalg.inv(found.laplacian.toarray()[1:-1, 1:-1])
    pairs = [inverse[i, i] + inverse[j, j] - 2 * inverse[i, j] for j in nodes for i in nodes[:j]]
    assert network_risks(found).range == pytest.approx(float(np.mean(pairs)), rel=1e-12)


@pytest.mark.parametrize("cells", [2, 3, 4, 5, 16, 17, 1000, 1 << 20])
def test_sizes_share_the_people_evenly_and_so_do_their_offsets(cells: int) -> None:
    design = parts(cells)
    sizes = sorted({part.size for part in design})
    assert sizes == [4**level for level in range(20) if 4**level < cells]
    people = sum(part.weight for part in design)
    for size in sizes:
        weights = {part.weight for part in design if part.size == size}
        offsets = [part.offset for part in design if part.size == size]
        assert len(weights) == 1
        assert Fraction(len(offsets) * weights.pop(), people) == Fraction(1, len(sizes))
        assert offsets == [size * i // min(size, 8) for i in range(min(size, 8))]


def test_labels_and_cuts_belong_to_the_blocks() -> None:
    for cells in (2, 3, 5, 16, 37):
        for size, offset, _ in parts(cells):
            blocks = (np.arange(cells) + offset) // size
            assert labels(cells, size, offset) == len(set(blocks)) == blocks[-1] + 1
            inner = np.flatnonzero(np.diff(blocks)) + 1
            assert cuts(cells, size, offset).tolist() == [0, *inner.tolist(), cells]
    assert sum(labels(65536, size, offset) for size, offset, _ in parts(65536)) / 65536 == pytest.approx(2.7, abs=0.05)


def test_a_scale_has_at_least_two_cells() -> None:
    with pytest.raises(ParameterError, match="cells must be at least 2, got 1"):
        parts(1)


def test_the_largest_blocks_are_left_out_where_prefixes_gain() -> None:
    assert best_parts(256, 1.0) == parts(256)
    assert {part.size for part in best_parts(64, 5.0)} == {1, 4}
    assert sum(part.weight for part in best_parts(64, 5.0) if part.size == 4) == 4
    assert risks(64, best_parts(64, 5.0), 5.0).prefix < risks(64, parts(64), 5.0).prefix
    for cells in (2, 4, 5, 16, 256, 8192):
        assert best_parts(cells, 8.0)[0].size == 1


def test_the_bound_of_prefixes_is_that_of_queries() -> None:
    cells = 12
    prefixes = np.tri(cells - 1, cells)
    assert query_bound(prefixes, 1.0) == pytest.approx(prefix_bound(cells, 1.0), rel=1e-12)
    v0 = 4 * math.e / (math.e - 1) ** 2
    assert least_variance(1.0) == pytest.approx(v0, rel=1e-12)
    found = [prefix_bound(cells, 1.0) / v0 for cells in (64, 256, 1024)]
    assert np.allclose(found, [2.537729, 4.115624, 6.090743], atol=6e-7)
    of_people = (128**2 - 1) / (6 * 128)  # what drawing the people adds, at the uniform
    assert prefix_bound(128, 1.0) * 127 - of_people == pytest.approx(1511.26, abs=0.005)
    assert prefix_bound(1024, 1.0) < risks(1024, parts(1024), 1.0).prefix


def test_the_variance_of_a_unit_mode_by_subsets() -> None:
    """(D+kM)^2 (D-1)/(M^2 k (D-k) D), the best k among all."""
    for count in (2, 3, 10, 100):
        k, excess = np.arange(1, count), math.expm1(0.7)
        every = (count + k * excess) ** 2 * (count - 1) / (excess**2 * k * (count - k) * count)
        assert mode_variance(count, 0.7) == pytest.approx(float(every.min()), rel=1e-12)
