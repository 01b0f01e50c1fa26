"""How many packed reports hold each symbol, and how many have another weight than they must.

Each thread takes some of short reports, and of long ones some of the bytes: its digits stay in the cache, and no other
thread needs counts of the same symbols.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Packed
from deniable.kernels._kernels import count_runs
from deniable.kernels.threads import added, parts, share, spread

TILE = 512
"""Bytes of a row that go through the adders together."""
PANEL = 16 * TILE
"""Bytes of a long report that are counted together, down all reports."""
SHARE = 1 << 19
"""How many bytes of short reports lengthen their rows of the adders by a tile."""
ANY = -1
"""Stands for any weight."""
UNWEIGHED = np.empty(0, np.int64)
START = np.zeros(1, np.int64)


def _room(width: int) -> Counts:
    """Counts for so many bytes, in whole tiles."""
    return np.zeros(-(-width // TILE) * TILE * 8, np.int64)


def _row_of(size: int) -> int:
    """The bytes of short reports that stand side by side in a row of the adders, if there are ``size`` in all.

    Long rows are read faster; of few reports they would be mostly empty.
    """
    return TILE * min(max(1, size // SHARE), PANEL // TILE // 2)


def _count_rows(reports: Packed, weight: int) -> tuple[Counts, int]:
    """``count_packed`` of one part of a column, in one thread."""
    width = reports.shape[1]
    beside = max(1, _row_of(reports.nbytes) // width)
    counts = _room(beside * width)
    wrong = count_runs(reports, beside * width, START, beside * width, weight, UNWEIGHED, counts)
    return counts[: 8 * beside * width].reshape(beside, 8 * width).sum(axis=0), wrong


def _count_across(reports: Packed, weight: int) -> tuple[Counts, int]:
    """``count_packed`` of a column of long reports."""
    n, width = reports.shape
    counts = _room(width)

    def work(starts: npt.NDArray[np.intp]) -> Counts:
        held = np.zeros(0 if weight == ANY else n, np.int64)
        count_runs(reports, width, starts, PANEL, weight, held, counts)
        return held

    panels = np.array_split(np.arange(0, width, PANEL), parts(reports.nbytes, own=8 * PANEL))
    held = added(share(work, panels))
    return counts[: 8 * width], int((held != weight).sum())


def count_packed(reports: Packed, weight: int = ANY) -> tuple[Counts, int]:
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
