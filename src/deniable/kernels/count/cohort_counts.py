"""How many packed reports of each cohort hold each bit; a report is a cohort in two bytes and then its bits."""

from __future__ import annotations

import numpy as np

from deniable.arrays import Counts, Packed
from deniable.kernels._kernels import count_cohorts
from deniable.kernels.threads import added, spread

HEAD = 2
"""Bytes of the cohort, the lower one first."""


def count_by_cohort(reports: Packed, cohorts: int) -> tuple[Counts, Counts, int]:
    """The people [cohorts], how many hold each bit [cohorts, bits], pad bits too, and the reports of no valid cohort.

    Example:
        >>> count_by_cohort(np.array([[1, 0, 0b101], [1, 0, 0b100], [9, 0, 1]], np.uint8), 2)
        (array([0, 2]), array([[0, 0, 0, 0, 0, 0, 0, 0],
               [1, 0, 2, 0, 0, 0, 0, 0]]), 1)
    """

    def part(reports: Packed) -> tuple[Counts, Counts]:
        people = np.zeros(cohorts, np.int64)
        counts = np.zeros((cohorts, 8 * (reports.shape[1] - HEAD)), np.int64)
        count_cohorts(np.ascontiguousarray(reports), people, counts)
        return people, counts

    own = 9 * cohorts * 8 * (reports.shape[1] - HEAD)  # a small and a wide counter for every bit
    found, counts = zip(*spread(part, reports, own), strict=True)
    people = added(found)
    return people, added(counts), len(reports) - int(people.sum())
