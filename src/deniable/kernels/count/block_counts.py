"""How many packed reports hold each label of their block, and which are malformed, in one pass.

A report is its block in two bytes, the lower one first, then one bit per label of the largest block.

Limit: an addition for every bit that is set; a report holds few.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from deniable.arrays import Counts, Packed
from deniable.kernels.compiled import compiled
from deniable.kernels.count.cohort_counts import HEAD
from deniable.kernels.early import SMALL
from deniable.kernels.threads import added, spread
from deniable.kernels.words import ones

Faults: TypeAlias = tuple[int, int, int]
"""How many reports name no block, hold a bit beyond its labels, or hold another number of bits than they must."""


@compiled(early=SMALL)
def _count(reports: Packed, starts: Counts, weights: Counts, counts: Counts) -> Faults:
    """Add to ``counts``, the blocks' labels one block after another; malformed reports may be counted in part."""
    strange = beyond = misweighed = 0
    n, width = reports.shape
    for i in range(n):
        block = np.int64(reports[i, 0]) | np.int64(reports[i, 1]) << np.int64(8)
        if block >= len(weights):
            strange += 1
            continue
        held, outside, start, end = np.int64(0), np.int64(0), starts[block], starts[block + 1]
        for at in range(HEAD, width):
            bits = np.uint64(reports[i, at])
            while bits:
                low = bits & (np.uint64(0) - bits)
                bits ^= low
                label = start + 8 * (at - HEAD) + ones(low - np.uint64(1))
                held += 1
                if label < end:
                    counts[label] += 1
                else:
                    outside += 1
        beyond += int(outside > 0)
        misweighed += int(held != weights[block])
    return strange, beyond, misweighed


def count_by_block(reports: Packed, sizes: Counts, weights: Counts) -> tuple[Counts, Faults]:
    """How many reports hold each label, the blocks' labels one block after another, and the malformed ones' numbers.

    Example:
        >>> count_by_block(np.array([[0, 0, 0b10], [1, 0, 0b101]], np.uint8), np.array([2, 3]), np.array([1, 2]))
        (array([0, 1, 1, 0, 1]), (0, 0, 0))
    """
    starts = np.concatenate(([0], np.cumsum(sizes)))

    def part(reports: Packed) -> tuple[Counts, Faults]:
        counts = np.zeros(starts[-1], np.int64)
        return counts, _count(np.ascontiguousarray(reports), starts, weights, counts)

    found, faults = zip(*spread(part, reports, 8 * int(starts[-1])), strict=True)
    strange, beyond, misweighed = (sum(numbers) for numbers in zip(*faults, strict=True))
    return added(found), (strange, beyond, misweighed)
