"""The core of every count: columns of reports, checked and added up, become one tally, and tallies become one.

Threads, Spark's tasks and whoever else takes reports in count with this and with nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from deniable.arrays import Counts
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports.layout import stored_bytes
from deniable.reports.tally import Tally

BATCH_BYTES = 1 << 21
"""A batch of reports, together with what it is decoded from, stays in a processor's cache."""
MOST_BATCH_BYTES = 1 << 22
ROWS_PER_CELL = 4
"""A batch has so many reports for each count if that fits: adding up batches should cost less than counting them."""


class Accumulator:
    """The sum of the columns added so far. One that refuses a column is spoilt and must be dropped.

    >>> import deniable as dn
    >>> counting = Accumulator(dn.RandomizedResponse(["yes", "no"], 1.0))
    >>> counting.add([0, 1, 1]), counting.add([1])
    (3, 1)
    >>> counting.tally().n, counting.tally().counts.tolist()
    (4, [1, 3])
    """

    __slots__ = ("_counts", "_mechanism", "_n")

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism, self._n = mechanism, 0
        self._counts: Counts = np.zeros(mechanism.layout.cells, np.int64)

    def add(self, reports: Any) -> int:
        """Check and count a column; how many reports it holds."""
        rows, self._counts = self._mechanism.layout.tally(reports, self._counts)
        self._n += rows
        return rows

    def tally(self) -> Tally:
        """What was added."""
        return Tally(self._n, self._counts, self._mechanism.spec_bytes)


def merged(mechanism: Mechanism, tallies: Iterable[Tally]) -> Tally:
    """One tally of many, in whatever order they come; that of no reports where there are none."""
    return sum(tallies, empty_tally(mechanism))


def empty_tally(mechanism: Mechanism) -> Tally:
    """The tally of no reports: adding it changes nothing."""
    return Accumulator(mechanism).tally()


def tally_bytes(mechanism: Mechanism) -> int:
    """The bytes of a tally's counts, which grow with the labels and not with the reports."""
    return 8 * mechanism.layout.cells


def rows_at_once(mechanism: Mechanism) -> int:
    """How many reports are counted together: few enough for the cache, unless the counts are many."""
    width = stored_bytes(mechanism.layout)
    return max(1, BATCH_BYTES // width, min(ROWS_PER_CELL * mechanism.layout.cells, MOST_BATCH_BYTES // width))
