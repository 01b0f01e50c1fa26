"""Reading Parquet files: one column, and one kind of error that names the file, whatever is wrong with its bytes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from deniable.errors import DenialError, FormatError

MAGIC = b"PAR1"
"""The first bytes of every Parquet file."""
BUFFER_BYTES = 1 << 17
"""A piece of a file stays in the cache until it is decoded."""
WHOLE_BYTES = 1 << 22
"""A row group of a smaller file is read at once. Page by page, Arrow makes room for as much as a page's head says
before it reads, and an altered head may say 2 GiB; of what is in memory it takes no more than there is."""

_FAILURES = (pa.ArrowException, ArithmeticError, AttributeError, LookupError, MemoryError, OSError, ValueError)
"""How altered bytes may show in a Parquet reader."""


def is_parquet(path: Path) -> bool:
    """Whether a file begins like a Parquet file; only its first bytes are read."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


@contextmanager
def opened(path: Path, checksums: bool = True) -> Iterator[pq.ParquetFile]:
    """A context in which any error from a file's bytes becomes one FormatError that names the file."""
    with path.open("rb") as probe:  # a missing file or a folder is the system's error, not the format's
        if not probe.seekable():
            raise altered(path)
    with arrow_file(path) as file:
        try:
            # read as it is asked for: reading ahead would keep the whole file in memory
            buffered = BUFFER_BYTES if file.size() > WHOLE_BYTES else 0
            yield pq.ParquetFile(file, page_checksum_verification=checksums, pre_buffer=False, buffer_size=buffered)
        except DenialError:
            raise
        except _FAILURES as error:
            raise altered(path) from error


def arrow_file(path: Path) -> pa.OSFile:
    """The file as Arrow reads it: without Python's lock, and with no thread that outlives the interpreter."""
    return pa.OSFile(cast("str", os.fsencode(path)), "rb")  # bytes may be any name at all, though its types say text


def altered(path: Path) -> FormatError:
    """The error for a file whose bytes were altered."""
    return FormatError(f"{path} must be a whole file of reports, got one that is truncated, altered or not of reports")


def rows_of_groups(parquet: pq.ParquetFile) -> tuple[int, ...]:
    """How many rows each row group holds; altered bytes show where these numbers do not go together."""
    metadata = parquet.metadata
    groups = tuple(metadata.row_group(i).num_rows for i in range(metadata.num_row_groups))
    if min(groups, default=0) < 0 or sum(groups) != metadata.num_rows:
        raise ValueError("a Parquet file's row groups must hold the rows that its footer says")
    return groups


def batches(parquet: pq.ParquetFile, name: str, groups: Sequence[int], rows: int) -> Iterator[pa.Array[Any]]:
    """A column of some row groups, so many rows at a time; callers bring their own threads."""
    for batch in parquet.iter_batches(rows, row_groups=list(groups), columns=[name], use_threads=False):
        yield batch.column(0)
