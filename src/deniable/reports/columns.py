"""Files of reports: Parquet with page checksums, the spec and a SHA-256 of every report byte in the footer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from deniable.errors import DenialError, FormatError
from deniable.reports.layout import Column, Layout, PackedLayout
from deniable.reports.spec import Spec, canonical, digest, parse
from deniable.reports.whole import written_whole

VERSION = "1"
NAME = "report"
BATCH_BYTES = 1 << 24
MOST_ROWS = 1 << 20


_FAILURES = (pa.ArrowException, ArithmeticError, AttributeError, LookupError, MemoryError, OSError, ValueError)
"""How altered bytes may show in a Parquet reader."""


def rows_per_batch(layout: Layout) -> int:
    """How many reports are read or written at once, so that memory stays bounded."""
    width = -(-layout.report_bits // 8)
    return max(1, min(MOST_ROWS, BATCH_BYTES // max(1, width)))


@dataclass(slots=True)
class ReportWriter:
    """Takes columns of reports one after another and remembers their number and hash."""

    layout: Layout
    parquet: pq.ParquetWriter
    n: int = 0
    hash: Any = field(default_factory=hashlib.sha256)

    def write(self, reports: Column) -> None:
        """Add a column of well-formed reports."""
        self.hash.update(_bytes(reports))
        self.n += len(reports)
        batch = pa.record_batch([self.layout.to_arrow(reports)], schema=_schema(self.layout))
        self.parquet.write_batch(batch, row_group_size=rows_per_batch(self.layout))


@contextmanager
def write_reports(path: Path | str, spec: Spec, layout: Layout) -> Iterator[ReportWriter]:
    """A report file to write; it is at ``path`` when the block ends well, and nothing is there when it does not.

    >>> import tempfile, deniable as dn
    >>> m = dn.Subset(16, 1.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with write_reports(Path(folder) / "reports.parquet", m.spec(), m.layout) as writer:
    ...         writer.write(m.privatize_many([3, 5, 7]))
    ...     ReportFile.open(Path(folder) / "reports.parquet").n
    3
    """
    with written_whole(path) as file, _parquet(file, layout) as parquet:
        writer = ReportWriter(layout, parquet)
        yield writer
        parquet.add_key_value_metadata(
            {
                "deniable.version": VERSION,
                "deniable.spec": canonical(spec).decode(),
                "deniable.digest": digest(spec),
                "deniable.reports": str(writer.n),
                "deniable.sha256": writer.hash.hexdigest(),
            }
        )


def _parquet(file: Any, layout: Layout) -> pq.ParquetWriter:
    """Nothing beside the reports: no dictionary, no statistics. Integers take about the bits that they need."""
    integers = pa.types.is_integer(layout.arrow_type)
    return pq.ParquetWriter(
        file,
        _schema(layout),
        compression="none",
        use_dictionary=False,
        write_statistics=False,
        write_page_checksum=True,
        column_encoding={NAME: "DELTA_BINARY_PACKED" if integers else "PLAIN"},
    )


def _schema(layout: Layout) -> pa.Schema:
    return pa.schema([pa.field(NAME, layout.arrow_type, nullable=False)])


def _bytes(reports: Column) -> memoryview:
    """The report bytes in order, integers little-endian."""
    return np.ascontiguousarray(reports, reports.dtype.newbyteorder("<")).data


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report file whose footer has been read: what made the reports, and how many there are."""

    path: Path
    spec: Spec
    n: int
    sha256: str

    @classmethod
    def open(cls, path: Path | str) -> ReportFile:
        """Read the footer; a file that is not ours, not whole or not of this version is refused."""
        path = Path(path)
        with _opened(path) as parquet:
            footer, rows = dict(parquet.metadata.metadata or {}), parquet.metadata.num_rows
        if b"deniable.spec" not in footer:
            raise FormatError(f"{path} must be a file of reports, got a Parquet file without their spec")
        if footer.get(b"deniable.version") != VERSION.encode():
            raise FormatError(f"{path} must have version {VERSION}, got another; a newer release may read it")
        try:
            spec, n = parse(footer[b"deniable.spec"]), rows
            same = footer[b"deniable.reports"] == str(rows).encode() and footer[b"deniable.digest"].decode() == digest(
                spec
            )
            sha256 = footer[b"deniable.sha256"].decode()
        except (KeyError, ValueError) as error:
            raise _altered(path) from error
        if not same:
            raise _altered(path)
        return cls(path, spec, n, sha256)

    def columns(self, layout: Layout) -> Iterator[Column]:
        """The reports, batch by batch. Only after the last one is it known that every byte is as it was written."""
        n, seen = 0, hashlib.sha256()
        with _opened(self.path) as parquet:
            if not _fits(layout, self.n, self.path.stat().st_size) or not parquet.schema_arrow.equals(_schema(layout)):
                raise _altered(self.path)
            for batch in parquet.iter_batches(rows_per_batch(layout)):
                column = layout.from_arrow(batch.column(0))
                n += len(column)
                seen.update(_bytes(column))
                yield column
        if n != self.n or seen.hexdigest() != self.sha256:
            raise _altered(self.path)


@contextmanager
def _opened(path: Path) -> Iterator[pq.ParquetFile]:
    """The file; whatever is wrong with its bytes, however it shows, becomes one error that names it."""
    with path.open("rb") as file:  # a missing file or a folder is the system's error, not the format's
        try:
            # read as it is asked for: reading ahead would keep the whole file in memory
            yield pq.ParquetFile(file, page_checksum_verification=True, pre_buffer=False, buffer_size=1 << 20)
        except DenialError:
            raise
        except _FAILURES as error:
            raise _altered(path) from error


def _fits(layout: Layout, n: int, size: int) -> bool:
    """Whether so many reports can come from a file of ``size`` bytes stored as ours are, not unfold out of nothing."""
    # integers, delta-packed in blocks of 128 with heads of their own, take at least 1/32 of a byte
    least = n * (layout.report_bits // 8) if isinstance(layout, PackedLayout) else n // 32
    return least <= size


def _altered(path: Path) -> FormatError:
    return FormatError(f"{path} must be a whole file of reports, got one that is truncated, altered or not of reports")
