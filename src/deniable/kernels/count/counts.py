"""Histograms of integer reports, checked on the way.

Each processor counts one part of a column, since every part has its own counts that must be added up.
"""

from __future__ import annotations

import numpy as np

from deniable.arrays import Counts, Integers
from deniable.kernels._kernels import count_values
from deniable.kernels.threads import added, cut, share


def out_of_range(reports: Integers, size: int) -> int:
    """How many reports are not below ``size``; if there are none, the maximum shows it at memory speed."""
    if len(reports) == 0 or int(reports.max()) < size:
        return 0
    return int(np.count_nonzero(reports >= size))


def histogram(reports: Integers, size: int, onto: Counts | None = None) -> tuple[Counts, int]:
    """How often each integer below ``size`` is reported, added to ``onto`` if given; how many reports are out of range.

    The counts are complete only if no report is out of range.

    Example:
        >>> histogram(np.array([1, 2, 1], np.uint8), 3)
        (array([0, 2, 1]), 0)
    """
    parts = cut(reports, 8 * size)
    found = [np.zeros(size, np.int64) if i or onto is None else onto for i in range(len(parts))]
    wrong = share(lambda i: count_values(found[i], parts[i]), range(len(parts)))
    return added(found), sum(wrong)
