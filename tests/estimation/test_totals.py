"""Shares of groups that are known: the projection of all groups at once is that of each group on its own."""

from __future__ import annotations

import numpy as np
import pytest

from deniable.estimation.simplex import project
from deniable.estimation.totals import Totals


@pytest.mark.parametrize("seed", range(5))
def test_the_projection_keeps_the_shares_of_groups_and_is_that_of_each(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, 6)
    shares = rng.dirichlet(np.ones(6)) * (np.arange(6) != 2)  # a group without a share
    shares /= shares.sum()
    known = Totals(rng.permutation(int(sizes.sum())), sizes, shares)
    unbiased = rng.normal(0.1, 0.2, int(sizes.sum()))
    found = known.projected(unbiased)
    assert found == pytest.approx(known.kept(project, unbiased), abs=1e-15)
    held = np.add.reduceat(found[known.order], np.cumsum(sizes) - sizes)
    assert held == pytest.approx(shares, abs=1e-12)
    assert found.min() >= 0
