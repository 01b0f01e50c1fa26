"""Reading a column of labels from CSV or Parquet, batch by batch, with its blank values."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast

import numpy as np

from deniable.arrays import Indices
from deniable.arrow import csv, pa, pc, pq
from deniable.engines.csv_columns import named_twice, other_rows, read_header
from deniable.protocol.checks import near
from deniable.protocol.errors import DenialError, FormatError, LabelError, ParameterError
from deniable.reports.magic import PARQUET
from deniable.reports.parquet import WHOLE_BYTES, listed
from deniable.reports.places import arrow_file
from deniable.reports.report_file import NAME
from deniable.values.columns import MISSING, unquoted
from deniable.values.values import Values

Batch: TypeAlias = "pa.Array[Any]"
BLOCK_BYTES = 1 << 22
ROWS = 1 << 18
INTEGER = "^-?[0-9]{1,18}$"


@dataclass(slots=True)
class LabelColumn:
    """A column that is being read. ``share`` is about how much of it is done, if that can be known."""

    name: str
    """What errors call the file."""
    parts: Iterator[tuple[pa.RecordBatch, float | None]]
    """The column and those kept beside it, batch by batch, with how much of the file is read by then."""
    share: float | None = None

    def batches(self) -> Iterator[Batch]:
        """The values, as many at a time as the input holds together."""
        for table in self.tables():
            yield table.column(0)

    def tables(self) -> Iterator[pa.RecordBatch]:
        """The same with the columns that are kept beside the values."""
        for table, share in self.parts:
            self.share = share
            yield table


@contextmanager
def open_labels(source: Path | str | BinaryIO, column: str, keep: Sequence[str] = ()) -> Iterator[LabelColumn]:
    r"""A column of a CSV file with a header, of a Parquet file, or of CSV from a stream such as the standard input.

    >>> with open_labels(io.BytesIO(b"id,answer\n1,yes\n2,no\n"), "answer") as labels:
    ...     [batch.to_pylist() for batch in labels.batches()]
    [['yes', 'no']]
    """
    columns = [column, *keep]
    if len({*columns, NAME}) < len(columns) + (column != NAME):
        raise ParameterError("keep must name public columns, each once, and never that of the values, got one again")
    if not isinstance(source, Path | str):
        file = source if isinstance(source, io.BufferedReader) else io.BufferedReader(cast("Any", source))
        yield LabelColumn("the input", _batches(file, "the input", columns))
        return
    path = Path(source)
    with path.open("rb") as file:
        yield LabelColumn(str(path), _batches(file, str(path), columns, path if file.seekable() else None))


def _batches(
    file: io.BufferedReader, name: str, columns: Sequence[str], path: Path | None = None
) -> Iterator[tuple[pa.RecordBatch, float | None]]:
    """The columns of a stream, or of the file at ``path``."""
    if not file.peek(len(PARQUET)).startswith(PARQUET):
        yield from _csv(file, name, columns, path)
    elif path:
        yield from _parquet(path, columns)
    else:
        raise FormatError(f"{name} must be CSV, for Parquet is read from files alone, got Parquet from a stream")


def _position(names: list[str], column: str) -> int:
    """The index of the column of a Parquet file, whose schema is no row of answers and may be listed."""
    if names.count(column) == 1:
        return names.index(column)
    if column in names:
        raise ParameterError(named_twice(column, names.count(column)))
    raise ParameterError(f"column must be one of: {listed(names)}; got column={column!r}{near(column, names)}")


def _csv(
    file: io.BufferedReader, name: str, columns: Sequence[str], path: Path | None
) -> Iterator[tuple[pa.RecordBatch, float | None]]:
    """The columns of a CSV file as text. The header is read here, so that an error can describe it."""
    header = read_header(file, name, *columns)
    names, positions = header.names, [str(header.position(column)) for column in columns]
    if not file.peek(1):
        return
    size = path.stat().st_size if path else None
    with suppress(pa.ArrowException, ValueError):  # not chained: its message may show the row
        reader = csv.open_csv(
            _csv_rows(path, file.tell()) if path else file,
            csv.ReadOptions(column_names=[str(i) for i in range(len(names))], block_size=BLOCK_BYTES),
            # in a single-column file an empty line is a blank value
            csv.ParseOptions(delimiter=header.separator, newlines_in_values=True, ignore_empty_lines=len(names) > 1),
            csv.ConvertOptions(include_columns=positions, column_types=dict.fromkeys(positions, pa.string())),
        )
        for number, batch in enumerate(reader, 1):  # each is a block of the file
            table = pa.RecordBatch.from_arrays(batch.columns, names=list(columns))
            yield table, min(1.0, number * BLOCK_BYTES / size) if size else None
        return
    raise other_rows(name, header)


def _csv_rows(path: Path, start: int) -> BinaryIO:
    """The rows after the header, read by Arrow alone, without Python objects in its threads."""
    file = arrow_file(path)
    file.seek(start)
    return cast("BinaryIO", file)  # it is, although the types do not say so


def _parquet(path: Path, columns: Sequence[str]) -> Iterator[tuple[pa.RecordBatch, float | None]]:
    """The columns of a Parquet file with their stored types."""
    try:
        with arrow_file(path) as file:
            buffered = BLOCK_BYTES if file.size() > WHOLE_BYTES else 0
            parquet = pq.ParquetFile(file, pre_buffer=False, buffer_size=buffered)
            for column in columns:
                _position(parquet.schema_arrow.names, column)
            for number, batch in enumerate(parquet.iter_batches(ROWS, columns=list(columns)), 1):
                yield batch.select(list(columns)), min(1.0, number * ROWS / parquet.metadata.num_rows)
        return
    except DenialError:
        raise
    except (pa.ArrowException, MemoryError, OSError, ValueError):  # not chained: it may show a value
        pass
    raise FormatError(f"{path} must be a whole Parquet file, got one that cannot be read")


def label_indices(values: Values, batch: Batch, skip_blank: bool) -> Indices:
    """The indices of the values that are not blank; a blank one is refused unless it may be skipped."""
    refusal = LabelError(f"a column of labels must be text, numbers or dates, got {batch.type}")
    return unquoted(lambda: _indices(values, plain_array(batch), skip_blank), refusal)


def in_rows(error: LabelError, name: str, row: str, before: int, count: int) -> LabelError:
    """The error of some rows of a file, where the first of them stands by the file's own numbers, which begin at 1.

    >>> str(in_rows(LabelError("got 1 that is not (the first at position 6)", 6), "people.csv", "row", 100, 50))
    'people.csv, rows 101 to 150: got 1 that is not (the first is row 107)'
    """
    place_named = str(error) if error.first is None else error.placed(f"is {row} {before + error.first + 1}")
    return LabelError(f"{name}, {row}s {before + 1} to {before + count}: {place_named}")


def have_values(values: Values, table: pa.RecordBatch) -> pa.RecordBatch:
    """The rows whose value is not blank."""
    return table.filter(pc.invert(_is_blank(values, plain_array(table.column(0)))))


def _without_blanks(batch: Batch, blank: Any, skip_blank: bool) -> Batch:
    """The values that are not blank; blanks are refused unless they may be skipped."""
    blanks = int(pc.sum(blank, min_count=0).as_py())
    if blanks and not skip_blank:
        first, are = int(np.flatnonzero(np.asarray(blank))[0]), "is" if blanks == 1 else "are"
        raise LabelError(
            f"no value may be blank, got {blanks} of {len(batch)} that {are} (the first at position {first}); "
            "give them a label of their own, or leave them out with skip_blank (--skip-blank)",
            first,
        )
    return batch.filter(pc.invert(blank)) if blanks else batch


def _indices(values: Values, batch: Batch, skip_blank: bool) -> Indices:
    """``label_indices`` of a plain array; errors name positions in the column, blanks counted too."""
    blank = _is_blank(values, batch)
    filled = _without_blanks(batch, blank, skip_blank)
    if not len(filled):
        return np.empty(0, np.int64)
    try:
        return _indices_of(values, filled)
    except LabelError as error:
        if error.first is None:
            raise
        first = int(np.flatnonzero(~np.asarray(blank))[error.first])  # in the column, blanks among it
        raise LabelError(error.placed(f"at position {first}"), first) from None


def _indices_of(values: Values, filled: Batch) -> Indices:
    """The indices of values that are not blank, read as text or as whole numbers as the labels are."""
    if pa.types.is_integer(filled.type) and values.kind == "text":
        return values.indices(filled.cast(pa.string()))
    if not is_text(filled.type) or values.kind != "integers":
        return values.indices(filled)
    indices = values.column(_whole_numbers(filled))
    indices[indices == MISSING] = -1  # a text that is no number is none of the labels, and not missing
    values.check(indices)
    return indices


def plain_array(batch: Batch) -> Batch:
    """Dictionary-encoded and view columns as plain arrays."""
    if pa.types.is_dictionary(batch.type):
        return plain_array(batch.cast(batch.type.value_type))
    return batch.cast(pa.string()) if pa.types.is_string_view(batch.type) else batch


def _is_blank(values: Values, batch: Batch) -> Any:
    """Which values are blank: nulls, and empty text if that is no answer."""
    missing = pc.is_null(batch)
    if not is_text(batch.type) or not values.empty_is_blank:
        return missing
    return pc.or_(missing, pc.equal(batch.fill_null(""), pa.scalar("", batch.type)))


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of this type holds text."""
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _whole_numbers(texts: Batch) -> Any:
    """Text as integers, null where it is none."""
    digits = pc.match_substring_regex(texts, INTEGER)
    return pc.if_else(digits, texts, pa.scalar(None, texts.type)).cast(pa.int64())
