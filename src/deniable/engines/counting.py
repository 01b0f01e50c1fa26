"""Counting a dataset: row groups are read and counted by threads, file by file added up, with bounded memory.

A thread reads a part of a file batch by batch and counts each while it is warm in the cache; PyArrow and the kernels
release the interpreter's lock, so that one thread reads while another counts. Limit: what PyArrow needs to decode the
same column; docs/cluster.md has the share reached.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby
from operator import add
from pathlib import Path
from threading import Event, Lock

import numpy as np

from deniable.arrays import Column
from deniable.engines.checkpoint import Checkpoint
from deniable.engines.dataset import BAD, Dataset, Refused, Source
from deniable.engines.simulate import Progress
from deniable.errors import FormatError, ReportError
from deniable.kernels.threads import processors, work_alone
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports.atomic_files import stamp
from deniable.reports.layout import Layout, stored_bytes
from deniable.reports.report_file import ReportFile
from deniable.reports.tally import Tally

PART_BYTES = 1 << 25
BATCH_BYTES = 1 << 21
"""A batch of reports, together with what it is decoded from, stays in a processor's cache."""
MOST_BATCH_BYTES = 1 << 22
ROWS_PER_CELL = 4
"""A batch has so many reports for each count if that fits: adding up batches should cost less than counting them."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The tally of a dataset, and the files that it leaves out."""

    tally: Tally
    files: int
    refused: tuple[Refused, ...]
    resumed: int
    """How many of the files an earlier run had counted."""


@dataclass(frozen=True, slots=True)
class Part:
    """Row groups that one thread reads."""

    source: Source
    groups: tuple[int, ...]


@dataclass(slots=True)
class Watch:
    """Tells of progress, one thread at a time, and when to stop."""

    progress: Progress | None
    stopped: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)

    def advance(self, reports: int) -> None:
        """So many more were counted."""
        if self.progress is not None:
            with self.lock:
                self.progress(reports)


def count_dataset(
    dataset: Dataset,
    progress: Progress | None = None,
    checkpoint: Path | None = None,
    threads: int | None = None,
) -> Counted:
    """One tally of all files. A bad one stops the count, or is left out and named where the dataset says so.

    With a ``checkpoint`` a count that was killed goes on where it was; remove it when the tally is safe.
    """
    done = Checkpoint.read(checkpoint, dataset.mechanism, dataset.files)
    resumed, rest, refused = len(done.files), done.rest(dataset.files), list(dataset.refused)
    watch = Watch(progress)
    watch.advance(done.total.n)
    try:
        with closing(_counted(dataset.mechanism, rest, watch, threads or processors())) as files:
            for source, parts in files:
                try:
                    done.add(source, _whole(dataset.mechanism, source, parts))
                except BAD as error:
                    if not dataset.skip_bad:
                        raise
                    refused.append(Refused(source.path, str(error)))
    except BaseException:
        done.save()
        raise
    if not done.files:
        raise FormatError(f"no file could be counted; the first: {refused[0].reason}")
    return Counted(done.total, len(done.files), tuple(refused), resumed)


def _counted(
    mechanism: Mechanism, sources: Sequence[Source], watch: Watch, threads: int
) -> Generator[tuple[Source, Iterator[Future[Tally]]]]:
    """Each file with the tallies of its parts, in order, a few parts ahead."""
    parts = (part for source in sources for part in _parts(source, mechanism.layout))
    with ThreadPoolExecutor(threads, initializer=work_alone) as pool:
        try:
            ahead = _ahead(pool, parts, lambda part: _count(mechanism, part, watch), 2 * threads)
            for source, group in groupby(ahead, key=lambda each: each[0].source):
                yield source, (future for _, future in group)
        finally:
            watch.stopped.set()
            pool.shutdown(cancel_futures=True)


def _ahead(
    pool: ThreadPoolExecutor, parts: Iterable[Part], count: Callable[[Part], Tally], most: int
) -> Iterator[tuple[Part, Future[Tally]]]:
    """The parts in their order, so many of them counted ahead and no more: memory stays bounded."""
    waiting: deque[tuple[Part, Future[Tally]]] = deque()
    for part in parts:
        waiting.append((part, pool.submit(count, part)))
        if len(waiting) > most:
            yield waiting.popleft()
    yield from waiting


def _parts(source: Source, layout: Layout) -> Iterator[Part]:
    """Neighbouring row groups of about PART_BYTES; one part where only a hash of all bytes in order can check them."""
    if isinstance(source, ReportFile) and source.counts is None:
        yield Part(source, tuple(range(len(source.groups))))
        return
    width, first, size = stored_bytes(layout), 0, 0
    for last, rows in enumerate(source.groups):
        size += rows * width
        if size >= PART_BYTES or last == len(source.groups) - 1:
            yield Part(source, tuple(range(first, last + 1)))
            first, size = last + 1, 0
    if not source.groups:
        yield Part(source, ())


def _count(mechanism: Mechanism, part: Part, watch: Watch) -> Tally:
    """The tally of a part; not all of it when nobody waits for it any more."""
    n, counts = 0, np.zeros(mechanism.layout.cells, np.int64)
    for column in _columns(mechanism, part):
        if watch.stopped.is_set():
            break
        rows, _ = mechanism.layout.tally(column, counts)
        n += rows
        watch.advance(rows)
    return Tally(n, counts, mechanism.spec_bytes)


def _columns(mechanism: Mechanism, part: Part) -> Iterator[Column]:
    if isinstance(part.source, ReportFile) and part.source.counts is None:
        return part.source.columns(mechanism.layout)
    return part.source.part(mechanism.layout, part.groups, rows_at_once(mechanism))


def rows_at_once(mechanism: Mechanism) -> int:
    """How many reports are counted together: few enough for the cache, unless the counts are many."""
    width = stored_bytes(mechanism.layout)
    return max(1, BATCH_BYTES // width, min(ROWS_PER_CELL * mechanism.layout.cells, MOST_BATCH_BYTES // width))


def _whole(mechanism: Mechanism, source: Source, parts: Iterator[Future[Tally]]) -> Tally:
    """The tally of a file whose every part was counted, and that adds up to what its writer counted."""
    try:
        total = _sum(mechanism, source, parts)
    except BAD:
        _check_unchanged(source)
        raise
    _check_unchanged(source)
    source.check(total.n, total.counts)
    return total


def _check_unchanged(source: Source) -> None:
    """Refuse a file that was replaced or written to after its footer was read: its parts may be of several files."""
    if stamp(source.path) != source.was:
        raise FormatError(f"{source.path} must stay as it is while it is counted, got one that was changed")


def _sum(mechanism: Mechanism, source: Source, parts: Iterator[Future[Tally]]) -> Tally:
    try:
        return reduce(add, (part.result() for part in parts))
    except ReportError as error:
        if isinstance(source, ReportFile):
            for _ in source.columns(mechanism.layout):  # an altered file is refused as one
                pass
        raise ReportError(f"{source.path}: {error}") from error
