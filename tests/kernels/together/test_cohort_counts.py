"""Bits counted by cohort against a slow twin: every width, full counters, strangers among the cohorts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from tests.kernels import twins

from deniable.kernels import threads
from deniable.kernels.counts import HEAD, count_by_cohort

Reports = npt.NDArray[np.uint8]
FULL = 255
"""The most reports that a one-byte counter can hold."""


def random_reports(n: int, width: int, cohorts: int) -> Reports:
    """Reports of random cohorts with random bits."""
    source = np.random.default_rng((n, width, cohorts))
    reports = source.integers(0, 256, (n, HEAD + width), np.uint8)
    chosen = source.integers(0, cohorts, n)
    reports[:, 0], reports[:, 1] = chosen & 0xFF, chosen >> 8
    return reports


def check_counts(reports: Reports, cohorts: int) -> None:
    """The kernel counts as the twin counts, which is given no strangers."""
    own = reports[reports[:, 0] + 256 * reports[:, 1].astype(int) < cohorts]
    people, counts, strange = count_by_cohort(reports, cohorts)
    np.testing.assert_equal((people, counts, strange), (*twins.cohort_counts(own, cohorts), len(reports) - len(own)))


@pytest.mark.parametrize("width", [1, 2, 5, 6, 7, 8, 9, 16, 33])
@pytest.mark.parametrize(("n", "cohorts"), [(0, 3), (1, 1), (200, 7), (900, 2), (50, 65536)])
def test_bits_are_counted_as_the_twin_counts_them(n: int, width: int, cohorts: int) -> None:
    check_counts(random_reports(n, width, cohorts), cohorts)


@pytest.mark.parametrize("width", [4, 9])
@pytest.mark.parametrize("n", [FULL - 1, FULL, FULL + 1, 2 * FULL, 3 * FULL + 7])
def test_counters_of_a_byte_never_overflow(n: int, width: int) -> None:
    reports = np.full((n, HEAD + width), 0xFF, np.uint8)
    reports[:, :HEAD] = 1, 0
    people, counts, _ = count_by_cohort(reports, 2)
    assert people.tolist() == [0, n]
    assert counts.tolist() == [[0] * 8 * width, [n] * 8 * width]


def test_reports_of_no_cohort_are_told_and_left_out() -> None:
    """Also where rows do not lie beside each other."""
    reports = random_reports(500, 5, 9)
    check_counts(reports, 4)
    check_counts(reports[::2], 4)


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = random_reports(8000, 5, 40)
    alone = count_by_cohort(reports, 37)
    monkeypatch.setattr(threads, "ALONE", 100)
    monkeypatch.setattr(threads, "processors", lambda: 3)
    assert len(threads.cut(reports, 9 * 37 * 40)) == 3
    shared = count_by_cohort(reports, 37)
    for one, other in zip(alone, shared, strict=True):
        np.testing.assert_equal(one, other)
    assert alone[2] > 0
