"""How many packed reports hold each label of their block, and which are malformed, in one pass."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from deniable.arrays import Counts, Packed
from deniable.kernels._kernels import count_blocks
from deniable.kernels.contiguous import integers
from deniable.kernels.threads import added, spread

Faults: TypeAlias = tuple[int, int, int]
"""How many reports name no block, hold a bit beyond its labels, or hold another number of bits than they must."""


def count_by_block(reports: Packed, sizes: Counts, weights: Counts) -> tuple[Counts, Faults]:
    """How many reports hold each label, the blocks' labels one block after another, and the malformed ones' numbers.

    Example:
        >>> count_by_block(np.array([[0, 0, 0b10], [1, 0, 0b101]], np.uint8), np.array([2, 3]), np.array([1, 2]))
        (array([0, 1, 1, 0, 1]), (0, 0, 0))
    """
    starts, wanted = integers(np.concatenate(([0], np.cumsum(sizes)))), integers(weights)

    def part(reports: Packed) -> tuple[Counts, Faults]:
        counts = np.zeros(starts[-1], np.int64)
        return counts, count_blocks(np.ascontiguousarray(reports), starts, wanted, counts)

    found, faults = zip(*spread(part, reports, 8 * int(starts[-1])), strict=True)
    strange, beyond, misweighed = (sum(numbers) for numbers in zip(*faults, strict=True))
    return added(found), (strange, beyond, misweighed)
