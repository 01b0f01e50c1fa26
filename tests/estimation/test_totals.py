"""Shares of groups that are known: what is projected keeps them, and is as near as exact fractions are."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from tests.kernels import twins

from deniable.estimation.simplex import Totals


@pytest.mark.parametrize("seed", range(5))
def test_the_projection_keeps_the_shares_of_groups_and_is_the_exact_one_of_each(seed: int) -> None:
    """A group without a share, and one without labels, get 0."""
    rng = np.random.default_rng(seed)
    sizes, shares = rng.integers(1, 9, 7), rng.dirichlet(np.ones(7))
    sizes[5], shares[[2, 5]] = 0, 0
    shares /= shares.sum()
    known = Totals(rng.permutation(int(sizes.sum())), sizes, shares)
    unbiased = rng.normal(0.1, 0.2, int(sizes.sum()))
    found = known.projected(unbiased)
    for places, share in zip(np.split(known.order, np.cumsum(sizes)[:-1]), map(Fraction, shares.tolist()), strict=True):
        exact = twins.project_simplex([Fraction(v) / share for v in unbiased[places].tolist()] if share else [])
        assert found[places].tolist() == pytest.approx([float(share * part) for part in exact] or [0] * len(places))
        assert found[places].sum() == pytest.approx(float(share), abs=1e-12)
