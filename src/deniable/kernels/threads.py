"""One column on every processor: the kernels hold no lock, so plain threads share the work.

The threads stay and wait: to start two takes as long as to draw a million reports.

Limit: the slowest thread; a large column is cut finer than the processors are many, so that none waits for long,
unless each part would need counts of its own.
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
"""A processor's least share in bytes: to wake a thread costs what a tenth of a millisecond's work does."""
FINER = 4
_HERE = local()
"""What is known of this thread."""


def processors() -> int:
    """How many of the machine's processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def work_alone() -> None:
    """From now on this thread shares its work with no other: there are as many like it as processors.

    Nor may a thread of the pool wait for others of the pool, which may all be waiting too.
    """
    _HERE.alone = True


@lru_cache(maxsize=1)
def _pool(workers: int, _process: int) -> ThreadPoolExecutor:
    """The threads of this process: one that was forked has none of its parent's."""
    return ThreadPoolExecutor(workers, "deniable", work_alone)


def share(work: Callable[[Piece], Found], pieces: Sequence[Piece]) -> list[Found]:
    """``work`` on each piece, in order, on every processor.

    Example:
        >>> share(abs, [1, -2, 3])
        [1, 2, 3]
    """
    workers = min(processors(), len(pieces))
    if workers < 2 or hasattr(_HERE, "alone"):
        return [work(piece) for piece in pieces]
    return list(_pool(processors(), os.getpid()).map(work, pieces))


def added(parts: Sequence[Column], onto: Column | None = None) -> Column:
    """The sum of what the parts found, in the memory of the first, or of ``onto`` and with it.

    Example:
        >>> added([np.array([1, 2]), np.array([3, 4])])
        array([4, 6])
    """
    total, *rest = parts if onto is None else [onto, *parts]
    for part in rest:
        total += part
    return total


def cut(column: Column, own: int = 0) -> list[Column]:
    """The column's parts in order, worth sharing; a small column is one part.

    Where each part needs ``own`` bytes for what it finds, parts are no smaller than that and no more than processors.

    Example:
        >>> len(cut(np.zeros(10, np.uint8)))
        1
        >>> sum(map(len, cut(np.zeros(10_000_000, np.uint8))))
        10000000
    """
    shares = column.nbytes // max(ALONE, own)
    workers = min(processors(), shares)
    if workers < 2 or hasattr(_HERE, "alone"):
        return [column]
    return np.array_split(column, workers if own else min(workers * FINER, shares))


def spread(work: Callable[[Column], Found], column: Column, own: int = 0) -> list[Found]:
    """``work`` on the column's parts, in order, each with ``own`` bytes for what it finds.

    Example:
        >>> spread(len, np.zeros(10, np.uint8))
        [10]
    """
    return share(work, cut(column, own))
