"""Histograms of integer reports, checked on the way.

Limit: one load, one addition and one store per report, which a processor with store forwarding does in a cycle. Equal
neighbours would each wait for the previous store, so neighbours go to different tables: four if these fit in the L1
cache, two if they fit in L2. Larger ones go to the counts themselves: a second table would only cause more cache
misses. A block is checked first and is then in the cache when it is counted. Each processor counts one part of a
column, since every part has its own counts that must be added up.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Integers
from deniable.kernels.compiled import compiled
from deniable.kernels.early import SMALL
from deniable.kernels.threads import added, cut, share

Table: TypeAlias = npt.NDArray[np.uint32]
BLOCK = 1 << 12
FOUR_TABLES = 1 << 12
TWO_TABLES = 1 << 16
MOST = 1 << 31
"""Reports per pass, so that no 32-bit count overflows."""


def out_of_range(reports: Integers, size: int) -> int:
    """How many reports are not below ``size``; if there are none, the maximum shows it at memory speed."""
    if len(reports) == 0 or int(reports.max()) < size:
        return 0
    return int(np.count_nonzero(reports >= size))


@compiled(early=SMALL)
def _beyond(reports: Integers, size: int) -> int:
    """How many reports are not below ``size``; the search for the maximum is vectorized."""
    largest = reports[0]
    for i in range(len(reports)):
        largest = max(largest, reports[i])
    if largest < size:
        return 0
    wrong = 0
    for report in reports:
        wrong += report >= size
    return wrong


@compiled(early=SMALL)
def _add_four(reports: Integers, a: Table, b: Table, c: Table, d: Table) -> None:
    whole = len(reports) // 4 * 4
    for i in range(0, whole, 4):
        a[reports[i]] += np.uint32(1)
        b[reports[i + 1]] += np.uint32(1)
        c[reports[i + 2]] += np.uint32(1)
        d[reports[i + 3]] += np.uint32(1)
    for i in range(whole, len(reports)):
        a[reports[i]] += np.uint32(1)


@compiled(early=SMALL)
def _straight(reports: Integers, counts: Counts) -> int:
    """As ``_histogram``, but adds to the counts directly, without tables."""
    wrong = 0
    for first in range(0, len(reports), BLOCK):
        block = reports[first : first + BLOCK]
        beyond = _beyond(block, len(counts))
        wrong += beyond
        if beyond == 0:
            for report in block:
                counts[report] += 1
    return wrong


@compiled(early=SMALL)
def _histogram(reports: Integers, counts: Counts, tables: int) -> int:
    """Add reports to the counts and return how many are out of range; a block with such a report is not counted."""
    wrong, size = 0, len(counts)
    # no two tables at the same offset in a page: a store would seem to alias the other table's load
    apart = -(-size // 1024) * 1024 + 272
    held = np.zeros((tables, apart), np.uint32)
    a, b, c, d = held[0], held[1 % tables], held[2 % tables], held[3 % tables]
    for first in range(0, len(reports), BLOCK):
        block = reports[first : first + BLOCK]
        beyond = _beyond(block, size)
        wrong += beyond
        if beyond == 0:
            _add_four(block, a, b, c, d)
    for k in range(tables):
        counts += held[k, :size]
    return wrong


def histogram(reports: Integers, size: int, onto: Counts | None = None) -> tuple[Counts, int]:
    """How often each integer below ``size`` is reported, added to ``onto`` if given; how many reports are out of range.

    The counts are complete only if no report is out of range.

    Example:
        >>> histogram(np.array([1, 2, 1], np.uint8), 3)
        (array([0, 2, 1]), 0)
    """
    parts = cut(reports, 8 * size)
    found = [np.zeros(size, np.int64) if i or onto is None else onto for i in range(len(parts))]
    wrong = share(lambda i: _add(parts[i], found[i]), range(len(parts)))
    return added(found), sum(wrong)


def _add(reports: Integers, counts: Counts) -> int:
    """Add reports to the counts in one thread and return how many are out of range."""
    if len(counts) > TWO_TABLES:
        return _straight(reports, counts)
    tables = 4 if len(counts) <= FOUR_TABLES else 2
    return sum(_histogram(reports[i : i + MOST], counts, tables) for i in range(0, len(reports), MOST))
