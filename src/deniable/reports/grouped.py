"""Places in a column, grouped by a number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deniable.arrays import Indices


def grouped(numbers: Indices) -> Iterator[tuple[int, Indices]]:
    """Each number that occurs, ascending, with its places, ascending: one sort, however many numbers there are.

    >>> [(number, places.tolist()) for number, places in grouped(np.array([7, 2, 7]))]
    [(2, [1]), (7, [0, 2])]
    """
    order = np.argsort(numbers, kind="stable")
    found, starts = np.unique(numbers[order], return_index=True)
    for number, first, end in zip(found.tolist(), starts, [*starts[1:], len(numbers)], strict=True):
        yield number, order[first:end]
