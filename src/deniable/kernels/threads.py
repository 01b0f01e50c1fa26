"""One column on every processor: the kernels hold no lock, so plain threads share the work.

Limit: the slowest thread; a large column is cut finer than the processors are many, so that none waits for long.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Column: TypeAlias = npt.NDArray[Any]
Found = TypeVar("Found")

ALONE = 1 << 21
"""A processor's least share in bytes: a thread costs what a fifth of a millisecond's work does."""
FINER = 4


def spread(work: Callable[[Column], Found], column: Column) -> list[Found]:
    """``work`` on the column's parts in order; a small column is one part, done in the caller's own thread.

    Example:
        >>> spread(len, np.zeros(10, np.uint8))
        [10]
        >>> sum(spread(len, np.zeros(10_000_000, np.uint8)))
        10000000
    """
    shares = column.nbytes // ALONE
    workers = min(os.cpu_count() or 1, shares)
    if workers < 2:
        return [work(column)]
    parts = np.array_split(column, min(workers * FINER, shares))
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, parts))
