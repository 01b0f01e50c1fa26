"""Reports that were seen so many times count as if each had come by itself, and are refused as they would be."""

from __future__ import annotations

import numpy as np
import pytest

import deniable as dn
from deniable.reports.index_layout import IndexLayout

LAYOUT = IndexLayout(5, silent=(4,))


def test_times_count_as_many_reports() -> None:
    reports = np.random.default_rng(1).integers(0, 4, 1000)
    seen, times = np.unique(reports, return_counts=True)
    n, counts = LAYOUT.tally_of_times(seen.astype(np.int64), times)
    alone, expected = LAYOUT.tally(reports.astype(np.uint8))
    assert (n, counts.tolist()) == (alone, expected.tolist())


def test_nothing_is_nothing() -> None:
    n, counts = LAYOUT.tally_of_times(np.empty(0, np.int16), np.empty(0, np.int64))
    assert (n, counts.tolist()) == (0, [0] * 5)


@pytest.mark.parametrize(
    ("reports", "missing", "why"),
    [
        ([0, 5], 0, "got 7 of 10 that are out of range"),
        ([0, -1], 0, "that are below 0"),
        ([0, 1], 2, "got 2 of 12 that are null"),
        ([0, 4], 0, "reports must be ones that some label sends, got 7 that none does"),
        ([0.0, 1.0], 0, "that are float64"),
    ],
)
def test_wrong_reports_refuse_them_all(reports: list[float], missing: int, why: str) -> None:
    with pytest.raises(dn.ReportError, match=why):
        LAYOUT.tally_of_times(np.array(reports), np.array([3, 7]), missing)
