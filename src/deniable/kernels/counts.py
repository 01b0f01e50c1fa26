"""Counts of reports, checked on the way: integers, and packed bits by label, block and cohort; sums over set bits.

Each processor counts one part of a column of integers, since every part has its own counts that must be added up. Of
packed bits each thread takes some of short reports, and of long ones some of the bytes: its digits stay in the cache,
and no other thread needs counts of the same symbols. A report by cohort is a cohort in two bytes and then its bits.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Integers, Packed, Vector
from deniable.kernels import _kernels
from deniable.kernels._kernels import count_blocks, count_cohorts, count_runs, count_values
from deniable.kernels.contiguous import integers, reals
from deniable.kernels.threads import added, cut, parts, share, spread

TILE = 512
"""Bytes of a row that go through the adders together."""
PANEL = 16 * TILE
"""Bytes of a long report that are counted together, down all reports."""
SHARE = 1 << 19
"""How many bytes of short reports lengthen their rows of the adders by a tile."""
ANY_WEIGHT = -1
"""Stands for any weight."""
NO_WEIGHTS = np.empty(0, np.int64)
START = np.zeros(1, np.int64)
Faults: TypeAlias = tuple[int, int, int]
"""How many reports name no block, hold a bit beyond its labels, or hold another number of bits than they must."""
HEAD = 2
"""Bytes of the cohort, the lower one first."""


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


def _zero_counts(width: int) -> Counts:
    """Counts for so many bytes, in whole tiles."""
    return np.zeros(-(-width // TILE) * TILE * 8, np.int64)


def _row_bytes(size: int) -> int:
    """The bytes of short reports that stand side by side in a row of the adders, if there are ``size`` in all.

    Long rows are read faster; of few reports they would be mostly empty.
    """
    return TILE * min(max(1, size // SHARE), PANEL // TILE // 2)


def _count_rows(reports: Packed, weight: int) -> tuple[Counts, int]:
    """``count_packed`` of one part of a column, in one thread."""
    width = reports.shape[1]
    beside = max(1, _row_bytes(reports.nbytes) // width)
    counts = _zero_counts(beside * width)
    wrong = count_runs(reports, beside * width, START, beside * width, weight, NO_WEIGHTS, counts)
    return counts[: 8 * beside * width].reshape(beside, 8 * width).sum(axis=0), wrong


def _count_across(reports: Packed, weight: int) -> tuple[Counts, int]:
    """``count_packed`` of a column of long reports."""
    n, width = reports.shape
    counts = _zero_counts(width)

    def work(starts: npt.NDArray[np.intp]) -> Counts:
        weights = np.zeros(0 if weight == ANY_WEIGHT else n, np.int64)
        count_runs(reports, width, starts, PANEL, weight, weights, counts)
        return weights

    panels = np.array_split(np.arange(0, width, PANEL), parts(reports.nbytes, own=8 * PANEL))
    weights = added(share(work, panels))
    return counts[: 8 * width], int((weights != weight).sum())


def count_packed(reports: Packed, weight: int = ANY_WEIGHT) -> tuple[Counts, int]:
    """How many of the packed ``reports`` (n, bytes) hold each bit, pad bits too, and how many have another weight.

    Example:
        >>> count_packed(np.array([[1], [3], [2]], np.uint8), weight=1)
        (array([2, 2, 0, 0, 0, 0, 0, 0]), 1)
    """
    reports = np.ascontiguousarray(reports)
    if reports.shape[1] > PANEL:
        return _count_across(reports, weight)
    found = spread(lambda part: _count_rows(part, weight), reports, 64 * reports.shape[1])
    return added([counts for counts, _ in found]), sum(wrong for _, wrong in found)


def count_by_block(reports: Packed, sizes: Counts, weights: Counts) -> tuple[Counts, Faults]:
    """How many reports hold each label, the blocks' labels one block after another, and the malformed ones' numbers.

    Of each block, ``sizes`` says how many labels it has, and ``weights`` how many of them a report holds.

    Example:
        >>> count_by_block(np.array([[0, 0, 0b10], [1, 0, 0b101]], np.uint8), np.array([2, 3]), np.array([1, 2]))
        (array([0, 1, 1, 0, 1]), (0, 0, 0))
    """
    starts, wanted = integers(np.concatenate(([0], np.cumsum(sizes)))), integers(weights)

    def part(reports: Packed) -> tuple[Counts, Faults]:
        counts = np.zeros(starts[-1], np.int64)
        return counts, count_blocks(np.ascontiguousarray(reports), starts, wanted, counts)

    found, faults = zip(*spread(part, reports, 8 * int(starts[-1])), strict=True)
    no_block, beyond_labels, wrong_weight = (sum(numbers) for numbers in zip(*faults, strict=True))
    return added(found), (no_block, beyond_labels, wrong_weight)


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


def mass_packed(reports: Packed, p: Vector) -> Vector:
    """For each report, the sum of ``p`` over its set bits.

    >>> mass_packed(np.array([[1], [3]], np.uint8), np.array([0.25, 0.5])).tolist()
    [0.25, 0.75]
    """
    sums = np.empty(len(reports))
    _kernels.mass_packed(np.ascontiguousarray(reports), reals(p), sums)
    return sums


def collect_packed(reports: Packed, weights: Vector, symbols: int) -> Vector:
    """For each symbol, the sum of ``weights`` over the reports that hold it.

    >>> collect_packed(np.array([[1], [3]], np.uint8), np.array([0.25, 0.5]), 2).tolist()
    [0.75, 0.5]
    """
    sums = np.empty(symbols)
    _kernels.collect_packed(np.ascontiguousarray(reports), reals(weights), sums)
    return sums
