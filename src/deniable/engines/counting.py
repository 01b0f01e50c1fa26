"""Counting a dataset into one tally, file by file, whoever counts the parts; an interrupted count is resumed."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from deniable.engines.accumulate import empty_tally, merged
from deniable.engines.checkpoint import Checkpoint, Records, records_of
from deniable.engines.chunks import Progress, unheard
from deniable.engines.dataset import Dataset, Refused
from deniable.engines.local_workers import Threads
from deniable.engines.parts import BAD, Source, check_unchanged
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import FormatError
from deniable.reports.atomic_files import check_apart, target_of, written_whole
from deniable.reports.layout import stored_bytes
from deniable.reports.tally import Tally

SAVE_BYTES = 1 << 30
"""So many bytes of reports are counted between two saves of the checkpoint: about a second's work for two threads."""


class Workers(Protocol):
    """Whoever counts the parts of files: the threads of this machine, or the tasks of a cluster."""

    def count(
        self, mechanism: Mechanism, sources: Sequence[Source], progress: Progress
    ) -> Generator[tuple[Source, Iterator[Tally]]]:
        """Each file with the tallies of its parts, in order. What is wrong with a part is raised where it is due."""
        ...


@dataclass(frozen=True, slots=True)
class Counted:
    """The tally of a dataset, and the files that it leaves out."""

    tally: Tally
    files: int
    refused: tuple[Refused, ...]
    resumed: int
    """How many of the files an earlier run had counted."""


def count_into(
    dataset: Dataset,
    out: Path | str,
    progress: Progress | None = None,
    workers: Workers | None = None,
    checkpoint: Checkpoint | None = None,
) -> Counted:
    """Count a dataset into a tally file. An interrupted count goes on where it was when it is asked for again.

    What is done is kept in a checkpoint beside ``out`` until the tally is there, or for later runs where the one given
    says so: these count only what it does not hold yet, and their files may be others.
    """
    target_of(out)  # which refuses what can be no file
    check_apart(out, [file.path for file in dataset.files if isinstance(file.path, Path)])
    checkpoint = checkpoint or Checkpoint.beside(out)
    counted = _counted(dataset, progress, workers, checkpoint)
    with written_whole(out) as file:
        file.write(counted.tally.to_bytes())
    if not checkpoint.later:
        checkpoint.remove()
    return counted


def count_dataset(dataset: Dataset, progress: Progress | None = None, workers: Workers | None = None) -> Counted:
    """One tally of all files. A bad one stops the count, or is left out and named where the dataset says so.

    It is counted by this machine's threads unless other ``workers`` are given.
    """
    return _counted(dataset, progress, workers, None)


def _counted(
    dataset: Dataset, progress: Progress | None, workers: Workers | None, checkpoint: Checkpoint | None
) -> Counted:
    listener = progress or unheard
    count, records = _Counting.begin(dataset, checkpoint)
    resumed = len(count.files)
    listener(count.total.n)
    uncounted = [source for name, source in zip(records, dataset.files, strict=True) if name not in count.files]
    try:
        with closing((workers or Threads()).count(dataset.mechanism, uncounted, listener)) as files:
            for source, tallies in files:
                count.add(source, tallies)
    except BaseException:
        count.save()
        raise
    if checkpoint is not None and checkpoint.later:
        count.save()
    if not count.files:
        raise FormatError(f"no file could be counted; the first: {count.refused[0].reason}")
    return Counted(count.total, len(count.files), tuple(count.refused), resumed)


@dataclass(slots=True)
class _Counting:
    """A count under way: the sum so far, the files that are in it and those that were refused."""

    dataset: Dataset
    total: Tally
    files: Records
    refused: list[Refused]
    checkpoint: Checkpoint | None
    unsaved: int = 0
    """Bytes of reports that the checkpoint does not hold yet."""

    @classmethod
    def begin(cls, dataset: Dataset, checkpoint: Checkpoint | None) -> tuple[_Counting, Records]:
        """From what an earlier run left, if there is any; with it the records of the files as they are now."""
        records = records_of(dataset.files)
        if checkpoint is None:
            total, files = empty_tally(dataset.mechanism), Records()
        else:
            total, files = checkpoint.load(dataset.mechanism, records)
        return cls(dataset, total, files, list(dataset.refused), checkpoint), records

    def add(self, source: Source, tallies: Iterable[Tally]) -> None:
        """Count a file in if it is good; a bad one is refused, and ends the count unless it may be skipped."""
        try:
            self.total += _tally_of_file(self.dataset.mechanism, source, tallies)
        except BAD as error:
            if not self.dataset.skip_bad:
                raise
            self.refused.append(Refused(source.path, str(error)))
            return
        self.files |= records_of([source])
        self.unsaved += source.n * stored_bytes(self.dataset.mechanism.layout)
        if self.unsaved >= SAVE_BYTES:
            self.save()

    def save(self) -> None:
        """Bring the checkpoint up to date, where there is one and anything to keep."""
        if self.checkpoint is not None and self.unsaved:
            self.checkpoint.save(self.total, self.files)
            self.unsaved = 0


def _tally_of_file(mechanism: Mechanism, source: Source, tallies: Iterable[Tally]) -> Tally:
    """The sum of a file's parts, refused where the file has changed or its writer counted something else."""
    try:
        total = merged(mechanism, tallies)
    except BAD:
        check_unchanged(source)
        raise
    check_unchanged(source)
    source.check(total.n, total.counts)
    return total
