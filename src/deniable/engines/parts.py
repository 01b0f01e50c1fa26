"""Parts of files: neighbouring row groups that a thread or a task of a cluster counts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from deniable.engines.accumulate import Accumulator, rows_at_once
from deniable.engines.chunks import Progress
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import FormatError, ReportError, TallyError
from deniable.reports.foreign_file import ForeignFile
from deniable.reports.places import stamp_of
from deniable.reports.report_file import ReportFile
from deniable.reports.tally import Tally

Source: TypeAlias = ReportFile | ForeignFile
"""A file whose footer was read, and whose reports can be counted."""
Item = TypeVar("Item")
Found = TypeVar("Found")

PART_BYTES = 1 << 25
BAD = (FormatError, ReportError, TallyError)
"""What is wrong with a file that may be skipped; a file that is missing or locked is the system's error."""


@dataclass(frozen=True, slots=True)
class RowGroups:
    """Row groups of one file that are counted together."""

    source: Source
    groups: tuple[int, ...]


def parts_of(source: Source, width: int, size: int) -> Iterator[RowGroups]:
    """Neighbouring row groups of about ``size`` bytes, where each report takes ``width``.

    One part of a file whose groups must stay together.
    """
    first_group, size_held, last = 0, 0, len(source.groups) - 1
    for group, rows in enumerate(source.groups):
        size_held += rows * width
        if group == last or (source.divisible and size_held >= size):
            yield RowGroups(source, tuple(range(first_group, group + 1)))
            first_group, size_held = group + 1, 0
    if not source.groups:
        yield RowGroups(source, ())


def count_part(mechanism: Mechanism, part: RowGroups, progress: Progress) -> Tally:
    """The tally of a part. A malformed report refuses the file, and an altered file is refused as one."""
    counting, source = Accumulator(mechanism), part.source
    try:
        for column in source.part(mechanism.layout, part.groups, rows_at_once(mechanism)):
            progress(counting.add(column))
    except ReportError as error:
        source.verify(mechanism.layout)
        raise ReportError(f"{source.path}: {error}") from error
    return counting.tally()


def check_unchanged(source: Source, fields: int | None = None) -> None:
    """Refuse a file that was replaced or written to after its footer was read: its parts may be of several files.

    A machine that may have a copy of its own compares the first ``fields`` of the stamp alone.
    """
    if stamp_of(source.path)[:fields] != source.stamp[:fields]:
        raise FormatError(f"{source.path} must stay as it is while it is counted, got one that was changed")


def submitted(
    pool: Executor, items: Iterable[Item], work: Callable[[Item], Found], most: int
) -> Iterator[tuple[Item, Future[Found]]]:
    """The items in their order with the results of ``work``, ``most`` of them under way, so that memory is bounded."""
    waiting: deque[tuple[Item, Future[Found]]] = deque()
    for item in items:
        waiting.append((item, pool.submit(work, item)))
        if len(waiting) > most:
            yield waiting.popleft()
    while waiting:
        yield waiting.popleft()
