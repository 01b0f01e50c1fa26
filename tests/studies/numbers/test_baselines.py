"""Baselines against what is known of them, and against sums over all numbers and all pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from deniable.protocol.errors import ParameterError
from deniable.theory.numbers.staggered import Risks, parts, risks
from studies.numbers.baselines import MEANS, haar, three_outputs, tree

KNOWN = {
    "Laplace": (32, 8, 2, 0.889),
    "staircase": (31.668069, 7.672414, 1.690931, 0.610695),
    "Duchi": (16.670792, 4.682694, 1.724062, 1.220564),
    "piecewise": (21.222569, 5.223597, 1.227565, 0.492947),
    "hybrid": (16.670792, 4.288992, 1.042336, 0.432170),
    "three outputs": (16.670792, 4.455452, 0.999918, 0.456034),
}
"""Worst variances at eps .5, 1, 2 and 3."""


@pytest.mark.parametrize("name", KNOWN)
def test_means(name: str) -> None:
    found = [MEANS[name](epsilon) for epsilon in (0.5, 1.0, 2.0, 3.0)]
    assert np.allclose(found, KNOWN[name], rtol=0, atol=6e-7 if name != "Laplace" else 2e-4)


def test_three_outputs_keep_their_level() -> None:
    """The published shares at eps 2, by a search over all channels of this form on a grid of z."""
    odds, u = math.exp(2), np.linspace(0, 1, 2001)
    best = math.inf
    for z in np.linspace(0, 1 / odds, 2000, endpoint=False):
        ends = np.array([odds * (1 - z), 1 - z]) / (odds + 1)
        middle = (1 - z * odds) / 2
        if middle * odds >= ends[0] - 1e-12:  # the likelier output of an end is not more than E times likelier
            b = 1 / (ends[0] - ends[1])
            best = min(best, float((b**2 * (1 - z * odds + z * (odds - 1) * u) - u**2).max()))
    assert three_outputs(2.0) == pytest.approx(best, rel=1e-3)
    assert three_outputs(2.0) <= best + 1e-9


@pytest.mark.parametrize(
    ("cells", "of_tree", "of_haar"),
    [
        (64, (15.9, 24.2, 23.3), (15.9, 24.4, 21.8)),
        (256, (26.5, 43.5, 39.0), (27.2, 44.8, 37.5)),
        (1024, (39.9, 68.2, 58.7), (41.7, 71.6, 57.2)),
    ],
)
def test_trees(cells: int, of_tree: Risks, of_haar: Risks) -> None:
    assert np.allclose(tree(cells, 4, 1.0), of_tree, atol=0.051)
    assert np.allclose(haar(cells, 1.0), of_haar, atol=0.051)


def test_haar_by_all_pairs() -> None:
    cells, scale = 8, ((math.e + 1) / (math.e - 1)) ** 2 * 3
    vectors = np.zeros((cells + 1, 7))
    for cut in range(cells):
        for column, (size, block) in enumerate([(2, 0), (2, 1), (2, 2), (2, 3), (4, 0), (4, 1), (8, 0)]):
            if cut // size == block:
                vectors[cut, column] = min(cut % size, size - cut % size) / size
    squares = scale * ((vectors[:, None] - vectors) ** 2).sum(axis=2)
    found = haar(cells, 1.0)
    assert found.prefix == pytest.approx(squares[0, 1:-1].mean())
    assert found.range == pytest.approx(squares[np.triu_indices(cells + 1, 1)].mean())
    assert found.worst_prefix == pytest.approx(squares[0].max())


def test_staggered_blocks_beat_every_tree() -> None:
    """At most .72 of the best tree's mean variance of prefixes, even if that uses the best subsets at each level."""
    best = min(tree(1024, arity, 1.0, subsets=True).prefix for arity in range(2, 17))
    assert best < min(tree(1024, arity, 1.0).prefix for arity in range(2, 17))
    assert risks(1024, parts(1024), 1.0).prefix < 0.72 * best


def test_layouts_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ParameterError, match="cells must be a power of 2"):
        haar(12, 1.0)
    with pytest.raises(ParameterError, match="arity and cells must be at least 2"):
        tree(16, 1, 1.0)
