"""Threads of this machine that count files.

A thread reads a part of a file batch by batch and counts each while it is warm in the cache; PyArrow and the kernels
release the interpreter's lock, so that one thread reads while another counts. Limit: what PyArrow needs to decode the
same column; docs/cluster.md has the share reached.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from threading import Event, Lock

from deniable.engines.chunks import Progress
from deniable.engines.parts import PART_BYTES, RowGroups, Source, count_part, parts_of, submitted
from deniable.kernels.threads import processors, work_alone
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports.layout import stored_bytes
from deniable.reports.tally import Tally


@dataclass(frozen=True, slots=True)
class Threads:
    """So many threads, or one for each processor."""

    number: int | None = None

    def count(
        self, mechanism: Mechanism, sources: Sequence[Source], progress: Progress
    ) -> Generator[tuple[Source, Iterator[Tally]]]:
        """Each file with the tallies of its parts, in order, a few parts ahead."""
        listener, threads = _ProgressListener(progress), self.number or processors()
        width = stored_bytes(mechanism.layout)
        parts = (part for source in sources for part in parts_of(source, width, PART_BYTES))

        def count(part: RowGroups) -> Tally:
            return count_part(mechanism, part, listener.tell)

        with ThreadPoolExecutor(threads, initializer=work_alone) as pool:
            try:
                counted = submitted(pool, parts, count, 2 * threads)
                for source, group in groupby(counted, key=lambda each: each[0].source):
                    yield source, (future.result() for _, future in group)
            finally:
                listener.stopped.set()
                pool.shutdown(cancel_futures=True)


class _StoppedError(Exception):
    """Nobody waits for the part any more."""


@dataclass(slots=True)
class _ProgressListener:
    """Tells of progress, one thread at a time, and ends the work on parts that nobody waits for."""

    listener: Progress
    stopped: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)

    def tell(self, reports: int) -> None:
        """Tell of so many more that were counted; raises where nobody waits any more, which ends the thread's part."""
        if self.stopped.is_set():
            raise _StoppedError
        with self.lock:
            self.listener(reports)
