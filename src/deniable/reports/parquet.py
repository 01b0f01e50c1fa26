"""Reading Parquet files: one column, and one kind of error that names the file, whatever is wrong with its bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deniable.arrow import pa, pq
from deniable.protocol.checks import near
from deniable.protocol.errors import DenialError, FormatError
from deniable.reports.atomic_files import Stamp
from deniable.reports.places import STORE_BUFFER_BYTES, Place, StorePath, arrow_file, place_of, stamp_of

BUFFER_BYTES = 1 << 17
"""A piece of a file stays in the cache until it is decoded."""
WHOLE_BYTES = 1 << 22
"""A row group of a smaller file is read at once. Page by page, Arrow makes room for as much as a page's head says
before it reads, and an altered head may say 2 GiB; of what is in memory it takes no more than there is."""
MOST_NAMES = 20
"""So many columns are named in an error."""
MOST_KEPT = 1 << 16
"""Footers up to so many bytes are kept: that of a file whose spec lists 100,000 texts has megabytes."""


@contextmanager
def opened(place: Place, checksums: bool = True, footer: pq.FileMetaData | None = None) -> Iterator[pq.ParquetFile]:
    """The file; whatever is wrong with its bytes, however it shows, becomes one error that names it.

    A ``footer`` that was read before is not read again.
    """
    _check_readable(place)
    with arrow_file(place) as file:
        try:
            yield pq.ParquetFile(
                file,
                metadata=footer,
                page_checksum_verification=checksums,
                pre_buffer=False,  # read as it is asked for: reading ahead would keep the whole file in memory
                buffer_size=_buffer(place, file.size()),
            )
        except DenialError:
            raise
        except _failures() as error:
            _check_reachable(place, error)
            raise altered(place) from error


def _failures() -> tuple[type[Exception], ...]:
    """How altered bytes may show in a Parquet reader."""
    return pa.ArrowException, ArithmeticError, AttributeError, LookupError, MemoryError, OSError, ValueError


def _check_readable(place: Place) -> None:
    """A missing file or a folder is the system's error, not the format's."""
    if isinstance(place, Path):
        with place.open("rb") as probe:
            if not probe.seekable():
                raise altered(place)


def _check_reachable(place: Place, error: BaseException) -> None:
    """Read a store's file again, so that the store's own error stands if it fails: that says nothing of the bytes."""
    if isinstance(place, StorePath) and isinstance(error, OSError):
        with place.open() as file:
            while file.read(STORE_BUFFER_BYTES):
                pass


def _buffer(place: Place, size: int) -> int:
    if isinstance(place, StorePath):
        return STORE_BUFFER_BYTES
    return BUFFER_BYTES if size > WHOLE_BYTES else 0


def altered(path: Place) -> FormatError:
    """The error for a file whose bytes were altered."""
    return FormatError(f"{path} must be a whole file of reports, got one that is truncated, altered or not of reports")


@dataclass(frozen=True, slots=True)
class Footer:
    """What the end of a Parquet file says, read once."""

    place: Place
    stamp: Stamp
    """The size of the file and its last changes, when its footer was read."""
    columns: tuple[str, ...]
    groups: tuple[int, ...]
    """How many rows each row group holds."""
    entries: Mapping[bytes, bytes]
    """What the writer said of the file, by key."""
    metadata: pq.FileMetaData | None
    """All of it, to read row groups by; None where it is too long to be kept for each of many files."""

    @classmethod
    def read(cls, path: Path | StorePath | str) -> Footer:
        """Read the end of a file and no report."""
        place = place_of(path)
        stamp = stamp_of(place)
        with opened(place) as parquet:
            metadata, names = parquet.metadata, tuple(parquet.schema_arrow.names)
            entries = dict(metadata.metadata or {})
            groups = _rows_of_groups(metadata)
            reusable = metadata if metadata.serialized_size <= MOST_KEPT else None
            return cls(place, stamp, names, groups, entries, reusable)

    def require(self, name: str, held: str) -> None:
        """Refuse a file without one column of this name, which should hold such things; the error lists the columns."""
        if self.columns.count(name) != 1:
            advice = "name the column of reports" if held == "reports" else "deniable privatize --keep keeps columns"
            hint = near(name, self.columns) or f"; {advice}"
            raise FormatError(
                f"{self.place} must have one column {name!r} of {held}, got columns: {listed(self.columns)}{hint}"
            )


def listed(columns: Sequence[str]) -> str:
    """The names of columns as an error lists them."""
    return ", ".join(columns[:MOST_NAMES]) + (" and more" if len(columns) > MOST_NAMES else "")


def _rows_of_groups(metadata: pq.FileMetaData) -> tuple[int, ...]:
    """How many rows each row group holds; altered bytes show where these numbers do not go together."""
    groups = tuple(metadata.row_group(i).num_rows for i in range(metadata.num_row_groups))
    if min(groups, default=0) < 0 or sum(groups) != metadata.num_rows:
        raise ValueError("a Parquet file's row groups must hold the rows that its footer says")
    return groups


def batches(parquet: pq.ParquetFile, name: str, groups: Sequence[int], rows: int) -> Iterator[pa.Array[Any]]:
    """A column of some row groups, so many rows at a time; callers bring their own threads."""
    for batch in parquet.iter_batches(rows, row_groups=list(groups), columns=[name], use_threads=False):
        yield batch.column(0)
