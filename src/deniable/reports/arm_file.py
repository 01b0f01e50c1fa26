"""Files of a survey's answers: one Parquet file for each arm, a column for each part, the document in the footer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from deniable.arrays import Column, Counts
from deniable.arrow import pa, pq
from deniable.protocol.checks import shown
from deniable.protocol.errors import FormatError
from deniable.reports.arrow_columns import arrow_type, is_integer, to_arrow
from deniable.reports.atomic_files import written_whole
from deniable.reports.foreign_file import ForeignFile
from deniable.reports.layout import Layout
from deniable.reports.parquet import Footer, altered
from deniable.reports.places import Place
from deniable.reports.report_file import VERSION, counts_digest, rows_per_batch

DOCUMENT, ARM = b"deniable.survey", b"deniable.arm"


def column_name(part: int) -> str:
    """The column of a part's reports.

    >>> column_name(0)
    'part-0'
    """
    return f"part-{part}"


@dataclass(slots=True)
class ArmWriter:
    """Takes answers of one arm, as a column for each part, and remembers their number and each part's counts."""

    layouts: Sequence[Layout]
    parquet: pq.ParquetWriter
    n: int = 0
    counts: list[Counts] = field(init=False)

    def __post_init__(self) -> None:
        self.counts = [layout.tally(layout.empty(0))[1] for layout in self.layouts]

    def write(self, columns: Sequence[Column]) -> None:
        """Add answers: columns of one length, each well-formed."""
        parts = zip(self.layouts, columns, self.counts, strict=True)
        self.counts = [layout.tally(column, counts)[1] for layout, column, counts in parts]
        self.n += len(columns[0])
        arrays = [to_arrow(column) for column in columns]
        rows = min(rows_per_batch(layout) for layout in self.layouts)
        self.parquet.write_batch(pa.record_batch(arrays, schema=_schema(self.layouts)), row_group_size=rows)

    def footer(self, document: bytes, arm: int) -> dict[str, str]:
        """What the file says of itself, by key."""
        counts = {f"deniable.counts.{part}": counts_digest(each) for part, each in enumerate(self.counts)}
        about = {DOCUMENT.decode(): document.decode(), ARM.decode(): str(arm), "deniable.reports": str(self.n)}
        return {"deniable.version": VERSION, **about, **counts}


@contextmanager
def write_arm(path: Path | str, document: bytes, arm: int, layouts: Sequence[Layout]) -> Iterator[ArmWriter]:
    """A file of one arm's answers; it is there when the block ends well, and nothing is when it does not."""
    with written_whole(path) as file, _parquet(file, layouts) as parquet:
        writer = ArmWriter(layouts, parquet)
        yield writer
        parquet.add_key_value_metadata(writer.footer(document, arm))


@dataclass(frozen=True, slots=True)
class ArmFile:
    """A file of one arm whose footer has been read: the document and the number of the arm."""

    path: Place
    document: bytes
    arm: int
    footer: Footer

    @classmethod
    def of(cls, footer: Footer, known: dict[bytes, bytes] | None = None) -> ArmFile:
        """The file that a footer belongs to; one that is of no survey, or not of this version, is refused.

        A document that is ``known`` already is held once, however many files have it.
        """
        entries, path = footer.entries, footer.place
        if DOCUMENT not in entries:
            raise FormatError(f"{path} must be a file of a survey's answers, got one that names no survey")
        if (version := entries.get(b"deniable.version", b"none").decode(errors="replace")) != VERSION:
            raise FormatError(f"{path} must have version {VERSION}, got {shown(version)}; a newer release may read it")
        arm = entries.get(ARM, b"")
        if not arm.isdigit() or entries.get(b"deniable.reports") != str(sum(footer.groups)).encode():
            raise altered(path)
        document = entries[DOCUMENT] if known is None else known.setdefault(entries[DOCUMENT], entries[DOCUMENT])
        return cls(path, document, int(arm), replace(footer, entries={**entries, DOCUMENT: document}))

    def part(self, number: int) -> ForeignFile:
        """The reports of one part, to be counted like those of any file."""
        counts = self.footer.entries.get(f"deniable.counts.{number}".encode())
        if counts is None:
            raise altered(self.path)
        return replace(ForeignFile.of(self.footer, column_name(number)), counts=counts.decode())


def is_of_survey(footer: Footer) -> bool:
    """Whether a Parquet file says that it holds answers to a survey."""
    return DOCUMENT in footer.entries


def _schema(layouts: Sequence[Layout]) -> pa.Schema:
    return pa.schema(
        [pa.field(column_name(part), arrow_type(layout), nullable=False) for part, layout in enumerate(layouts)]
    )


def _parquet(file: Any, layouts: Sequence[Layout]) -> pq.ParquetWriter:
    """A writer of the reports alone, without statistics or packing, as in ``report_file``."""
    encoding = {
        column_name(part): "DELTA_BINARY_PACKED" if is_integer(layout) else "PLAIN"
        for part, layout in enumerate(layouts)
    }
    return pq.ParquetWriter(
        file, _schema(layouts), compression="none", use_dictionary=False, write_statistics=False,
        write_page_checksum=True, column_encoding=encoding,
    )  # fmt: skip
