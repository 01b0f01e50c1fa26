"""Shares of a part within a whole, of which there may be thousands: nothing of theirs is a matrix for all pairs."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import scipy

import deniable as dn
from deniable.estimation import sparse_rows
from deniable.estimation.joint_source import JointSource, source_of
from deniable.estimation.sources import SingleSource, Source

ROWS, COLUMNS, PEOPLE = 60, 20, 50_000
ESTIMATE = dn.simulate(dn.RandomizedResponse(6, 1.0), [0.3, 0.3, 0.2, 0.1, 0.1, 0.0], users=3000, seed=1)


@pytest.mark.parametrize("source", [source_of(ESTIMATE.evidence), SingleSource(ESTIMATE.evidence)])
def test_differences_of_sums_vary_as_sums_of_differences_do(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all pairs of some sums, a few pairs at a time."""
    monkeypatch.setattr(sparse_rows, "AT_ONCE", 20)
    weights, pairs = np.random.default_rng(1).normal(size=(9, 6)), np.stack(np.triu_indices(9, 1), axis=1)
    sparse = scipy.sparse.csr_array(weights)
    exact = source.sums(weights[pairs[:, 0]] - weights[pairs[:, 1]]).variances
    assert source.difference_variances(sparse, pairs) == pytest.approx(exact, rel=1e-9)
    assert len(source.difference_variances(sparse, pairs[:0])) == 0


def test_both_kinds_of_sources_are_tried() -> None:
    assert isinstance(source_of(ESTIMATE.evidence), JointSource)


def test_the_clearest_of_thousands_of_pairs_takes_little_memory() -> None:
    """1,770 pairs of rows in 20 columns: matrices of what their differences are made of took 280 MB."""
    asked = [dn.OneOf("row", range(ROWS)), dn.OneOf("column", range(COLUMNS))]
    survey = dn.Survey.plan("large", asked, 12.0, PEOPLE, cross=[("row", "column")])
    cells = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]
    shares = np.full((ROWS, COLUMNS), 0.9)
    shares[0, 0] = 9
    people = np.random.default_rng(1).multinomial(PEOPLE, (shares / shares.sum()).ravel())
    table = {"row": [row for row, _ in cells], "column": [column for _, column in cells]}
    tally = survey.draw_tally(table, people, np.random.default_rng(2))
    within = survey.estimate(tally).cross("row", "column").within_rows()
    tracemalloc.start()
    try:
        found = within.clearest()
        bounds = within.interval()
        assert tracemalloc.get_traced_memory()[1] < 72 << 20
    finally:
        tracemalloc.stop()
    assert len(within.places) == ROWS
    assert np.isfinite(within.stderr).all()
    assert bounds.shape == (ROWS, COLUMNS, 2)
    assert found is not None
    assert (0 in (found.first, found.second), found.column) == (True, 0)
