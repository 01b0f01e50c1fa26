"""Files of reports: Parquet with page checksums; the footer holds the spec and what the reports must add up to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from deniable.arrays import Column, Counts
from deniable.arrow import pa, pq
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import shown
from deniable.protocol.errors import FormatError
from deniable.reports.arrow_columns import arrow_type, from_arrow, is_integer, to_arrow
from deniable.reports.atomic_files import Stamp, written_whole
from deniable.reports.layout import Layout
from deniable.reports.packed_layout import PackedLayout
from deniable.reports.parquet import Footer, altered, batches, opened
from deniable.reports.places import Place
from deniable.reports.spec import canonical, parse

VERSION = "1"
NAME, KEPT = "report", b"deniable.kept"
GIVE_IT = "if another tool wrote it, give the spec too (--spec FILE)"
BATCH_BYTES = 1 << 24
MOST_ROWS = 1 << 20


def rows_per_batch(layout: Layout) -> int:
    """How many reports are read or written at once, so that memory stays bounded."""
    width = -(-layout.report_bits // 8)
    return max(1, min(MOST_ROWS, BATCH_BYTES // max(1, width)))


def counts_digest(counts: Counts) -> str:
    """SHA-256 of the counts as little-endian int64, in hexadecimal."""
    return hashlib.sha256(counts.astype("<i8").tobytes()).hexdigest()


@dataclass(slots=True)
class ReportWriter:
    """Takes columns of reports one after another and remembers their number, their hash and, if ``counted``, counts."""

    layout: Layout
    parquet: pq.ParquetWriter
    counted: bool = True
    n: int = 0
    hash: Any = field(default_factory=hashlib.sha256)
    counts: Counts | None = None
    public: pa.Schema | None = None
    """The columns that stand beside the reports; None where there are none."""

    def write(self, reports: Column, public: Sequence[pa.Array[Any]] = ()) -> None:
        """Add a column of well-formed reports, and the public columns beside them where there are any."""
        self.hash.update(_bytes(reports))
        self.n += len(reports)
        if self.counted:
            counts = self.layout.tally(reports)[1]
            self.counts = counts if self.counts is None else self.counts + counts
        batch = pa.record_batch([to_arrow(reports), *public], schema=_schema(self.layout, self.public))
        self.parquet.write_batch(batch, row_group_size=rows_per_batch(self.layout))

    def footer(self, spec: Spec) -> dict[str, str]:
        """What the file says of itself, by key."""
        written = canonical(spec)
        about = {
            "deniable.version": VERSION,
            "deniable.spec": written.decode(),
            "deniable.digest": hashlib.sha256(written).hexdigest(),
            "deniable.reports": str(self.n),
            "deniable.sha256": self.hash.hexdigest(),
        }
        public = {} if self.public is None else {KEPT.decode(): json.dumps(self.public.names)}
        counts = {} if self.counts is None else {"deniable.counts": counts_digest(self.counts)}
        return {**about, **counts, **public}


@contextmanager
def write_reports(
    path: Path | str, spec: Spec, layout: Layout, counted: bool = True, schema: pa.Schema | None = None
) -> Iterator[ReportWriter]:
    """A report file to write; it is at ``path`` when the block ends well, and nothing is there when it does not.

    Unless ``counted`` is False the footer also says what the reports add up to, so that counting them checks them.
    The columns of ``schema`` stand beside the reports as they are: they must be public.

    >>> import tempfile, deniable as dn
    >>> m = dn.Subset(16, 1.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with write_reports(Path(folder) / "reports.parquet", m.spec(), m.layout) as writer:
    ...         writer.write(m.privatize_many([3, 5, 7]))
    ...     ReportFile.open(Path(folder) / "reports.parquet").n
    3
    """
    with written_whole(path) as file, _parquet(file, layout, schema) as parquet:
        writer = ReportWriter(layout, parquet, counted, public=schema)
        yield writer
        parquet.add_key_value_metadata(writer.footer(spec))


def _parquet(file: Any, layout: Layout, schema: pa.Schema | None) -> pq.ParquetWriter:
    """A writer of the reports and the public columns beside them, without statistics.

    Reports are noise, which nothing packs: integers take about the bits that they need, and the size of a file bounds
    how many it can hold. Public columns repeat themselves.
    """
    integers = is_integer(layout)
    names: Any = [] if schema is None else schema.names  # the stubs know no list of columns with dictionaries
    return pq.ParquetWriter(
        file,
        _schema(layout, schema),
        compression={NAME: "none", **dict.fromkeys(names, "zstd")},
        use_dictionary=names,
        write_statistics=False,
        write_page_checksum=True,
        column_encoding={NAME: "DELTA_BINARY_PACKED" if integers else "PLAIN"},
    )


def _schema(layout: Layout, schema: pa.Schema | None = None) -> pa.Schema:
    return pa.schema([pa.field(NAME, arrow_type(layout), nullable=False), *(schema or ())])


def _bytes(reports: Column) -> memoryview:
    """The report bytes in order, integers little-endian."""
    return np.ascontiguousarray(reports, reports.dtype.newbyteorder("<")).data


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report file whose footer has been read: what made the reports, and how many there are."""

    path: Place
    spec_bytes: bytes
    """The spec as canonical JSON bytes."""
    groups: tuple[int, ...]
    """How many reports each row group holds."""
    stamp: Stamp
    """The size of the file and its last changes, when its footer was read."""
    sha256: str
    counts: str | None = None
    """What the reports add up to, as ``counts_digest`` says it; None where the writer did not count."""
    footer: pq.FileMetaData | None = field(default=None, repr=False, compare=False)
    """What row groups are read by, unless it must be read anew."""
    public: tuple[str, ...] = ()
    """The public columns beside the reports."""

    @classmethod
    def open(cls, path: Place | str) -> ReportFile:
        """Read the footer; a file that is not ours, not whole or not of this version is refused."""
        return cls.of(Footer.read(path))

    @classmethod
    def of(cls, footer: Footer) -> ReportFile:
        """The report file that a footer belongs to; one that is not ours or not of this version is refused."""
        entries, path = footer.entries, footer.place
        if b"deniable.spec" not in entries:
            raise FormatError(f"{path} must be a file of reports, got a Parquet file without their spec; {GIVE_IT}")
        if (version := entries.get(b"deniable.version", b"none").decode(errors="replace")) != VERSION:
            raise FormatError(f"{path} must have version {VERSION}, got {shown(version)}; a newer release may read it")
        try:
            written, digest = _spec_and_name(entries[b"deniable.spec"])
            is_whole = entries[b"deniable.reports"] == str(sum(footer.groups)).encode()
            is_whole = is_whole and entries[b"deniable.digest"].decode() == digest
            sha256, counts = entries[b"deniable.sha256"].decode(), entries.get(b"deniable.counts", b"").decode()
            public = tuple(map(str, json.loads(entries.get(KEPT, b"[]"))))
        except (KeyError, TypeError, ValueError) as error:
            raise altered(path) from error
        if not is_whole:
            raise altered(path)
        return cls(path, written, footer.groups, footer.stamp, sha256, counts or None, footer.metadata, public)

    @property
    def name(self) -> str:
        """The column."""
        return NAME

    @property
    def n(self) -> int:
        """How many reports there are."""
        return sum(self.groups)

    @property
    def spec(self) -> Spec:
        """What made the reports."""
        return parse(self.spec_bytes)

    def columns(self, layout: Layout) -> Iterator[Column]:
        """The reports, batch by batch. Only after the last one is it known that every byte is as it was written."""
        n, sha256 = 0, hashlib.sha256()
        with self._reports(layout, checksums=True) as parquet:
            for array in batches(parquet, NAME, range(len(self.groups)), rows_per_batch(layout)):
                column = from_arrow(layout, array)
                n += len(column)
                sha256.update(_bytes(column))
                yield column
        if n != self.n or sha256.hexdigest() != self.sha256:
            raise altered(self.path)

    @property
    def divisible(self) -> bool:
        """Whether row groups can be counted apart: else only the hash of all bytes in order can check them."""
        return self.counts is not None

    def part(self, layout: Layout, groups: Sequence[int], rows: int) -> Iterator[Column]:
        """The reports of some row groups, up to ``rows`` at once; only ``check`` tells whether they are as written.

        All the reports, and checked, where the file is not divisible.
        """
        if not self.divisible:
            yield from self.columns(layout)
            return
        with self._reports(layout, checksums=False) as parquet:
            for array in batches(parquet, NAME, groups, rows):
                yield from_arrow(layout, array)

    def verify(self, layout: Layout) -> None:
        """Read all of the file and refuse one that was altered."""
        for _ in self.columns(layout):
            pass

    def check(self, n: int, counts: Counts) -> None:
        """Refuse a file whose reports do not add up to what its writer counted, where it did."""
        if n != self.n or self.counts not in (None, counts_digest(counts)):
            raise altered(self.path)

    @contextmanager
    def _reports(self, layout: Layout, checksums: bool) -> Iterator[pq.ParquetFile]:
        with opened(self.path, checksums, self.footer) as parquet:
            schema = parquet.schema_arrow
            expected = schema.names[1:] == list(self.public) and schema.field(0).equals(_schema(layout).field(0))
            if not _fits(layout, self.n, self.stamp[0]) or not expected:
                raise altered(self.path)
            yield parquet


def is_described(footer: Footer) -> bool:
    """Whether a Parquet file says anything of what made its reports."""
    return any(key.startswith(b"deniable.") for key in footer.entries)


@lru_cache(maxsize=8)
def _spec_and_name(written: bytes) -> tuple[bytes, str]:
    """Canonical bytes and their digest. The files of a survey say the same: it is read and kept once."""
    parse(written)
    return written, hashlib.sha256(written).hexdigest()


def _fits(layout: Layout, n: int, size: int) -> bool:
    """Whether so many reports can come from a file of ``size`` bytes stored as ours are, not unfold out of nothing."""
    # integers, delta-packed in blocks of 128 with heads of their own, take at least 1/32 of a byte
    least = n * (layout.report_bits // 8) if isinstance(layout, PackedLayout) else n // 32
    return least <= size
