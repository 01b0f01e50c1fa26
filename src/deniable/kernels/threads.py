"""Share a column among all processors: the kernels release Python's lock, so plain threads run in parallel.

The threads stay alive between calls: starting two takes as long as drawing a million reports.

Limit: the slowest thread. A large column is cut into more parts than there are processors, so that none waits for long,
unless each part would need its own counts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from threading import local
from typing import TypeVar

import numpy as np

from deniable.arrays import Column

Piece = TypeVar("Piece")
Found = TypeVar("Found")

ALONE = 1 << 21
"""The smallest part for one processor, in bytes: waking a thread costs as much as a tenth of a millisecond of work."""
FINER = 4
_HERE = local()
"""Per thread: whether it shares its work with others."""


def processors() -> int:
    """How many of the machine's processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def work_alone() -> None:
    """Make this thread do all its work itself from now on, because there is already one such thread per processor.

    Threads of the pool are marked too: if they waited for others of the pool, all of them might wait for each other.
    """
    _HERE.alone = True


@lru_cache(maxsize=1)
def _pool(workers: int, _process: int) -> ThreadPoolExecutor:
    """The thread pool of this process; keyed by process, since a forked child does not inherit its parent's threads."""
    return ThreadPoolExecutor(workers, "deniable", work_alone)


def share(work: Callable[[Piece], Found], pieces: Sequence[Piece]) -> list[Found]:
    """The results of ``work`` on each piece, in the order of the pieces, computed on all processors.

    Example:
        >>> share(abs, [1, -2, 3])
        [1, 2, 3]
    """
    workers = min(processors(), len(pieces))
    if workers < 2 or hasattr(_HERE, "alone"):
        return [work(piece) for piece in pieces]
    return list(_pool(processors(), os.getpid()).map(work, pieces))


def added(parts: Sequence[Column], onto: Column | None = None) -> Column:
    """The sum of arrays, in place: they are added to ``onto`` if it is given, else to the first of them.

    Example:
        >>> added([np.array([1, 2]), np.array([3, 4])])
        array([4, 6])
    """
    total, *rest = parts if onto is None else [onto, *parts]
    for part in rest:
        total += part
    return total


def parts(size: int, own: int = 0) -> int:
    """Into how many parts it is worth to cut ``size`` bytes; 1 for few, and in a thread that works alone.

    If each part needs ``own`` bytes for its result, parts are no smaller than that and no more than the processors.

    Example:
        >>> parts(10), parts(10_000_000) >= 1
        (1, True)
    """
    shares = size // max(ALONE, own)
    workers = min(processors(), shares)
    if workers < 2 or hasattr(_HERE, "alone"):
        return 1
    return workers if own else min(workers * FINER, shares)


def cut(column: Column, own: int = 0) -> list[Column]:
    """The column cut into as many consecutive parts as are worth sharing among threads, see ``parts``.

    Example:
        >>> len(cut(np.zeros(10, np.uint8)))
        1
        >>> sum(map(len, cut(np.zeros(10_000_000, np.uint8))))
        10000000
    """
    count = parts(column.nbytes, own)
    return [column] if count == 1 else np.array_split(column, count)


def spread(work: Callable[[Column], Found], column: Column, own: int = 0) -> list[Found]:
    """The results of ``work`` on the column's parts, in order; each result takes ``own`` bytes, see ``cut``.

    Example:
        >>> spread(len, np.zeros(10, np.uint8))
        [10]
    """
    return share(work, cut(column, own))
