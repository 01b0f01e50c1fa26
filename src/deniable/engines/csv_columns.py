"""CSV files as spreadsheets write them: the names in the first row, what separates fields, and columns of text."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import chain, islice
from typing import BinaryIO, NamedTuple, TextIO

from deniable.protocol.errors import FormatError, ParameterError
from deniable.values.columns import unquoted

LONGEST_HEADER = 1 << 20
ROWS, PIECES = 1 << 11, 1 << 5
"""So many rows are turned into columns at once, and so many of these pieces are handed on together."""
SEPARATORS = (",", ";", "\t", "|")
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Header(NamedTuple):
    """The names of the columns, and what separates them."""

    names: list[str]
    separator: str

    def position(self, column: str) -> int:
        """The index of the column. No error shows the names, which may be somebody's answers."""
        times = self.names.count(column)
        if times > 1:
            raise ParameterError(named_twice(column, times))
        if not times:
            wanted = f"one of the {len(self.names)} names" if len(self.names) > 1 else "the only name"
            raise ParameterError(
                f"column must be {wanted} in the first row of the CSV, "
                f"got column={column!r}, which is not"
                + (near_name_hint(column, self.names) or "; the first row must hold names, not answers")
            )
        return self.names.index(column)


def near_name_hint(column: str, names: Iterable[str]) -> str:
    """Which name is nearly the column's, without showing it, for it may be somebody's answer; or nothing.

    >>> near_name_hint("Way", ["late", "way"]), near_name_hint("comute", ["commute"]), near_name_hint("way", ["late"])
    ('; name 2 is that but for capitals or blanks around it', '; name 1 is nearly that', '')
    """
    folded = [_folded_case(name) for name in names]
    for close in get_close_matches(_folded_case(column), folded, 1):
        how = "that but for capitals or blanks around it" if close == _folded_case(column) else "nearly that"
        return f"; name {folded.index(close) + 1} is {how}"
    return ""


def named_twice(column: str, count: int) -> str:
    """The message for a name that several columns have."""
    return f"column must be named once in the header, got {count} of column={column!r}"


def read_header(file: BinaryIO, name: str, *columns: str) -> Header:
    r"""The first row, which may span lines within quotes.

    >>> read_header(io.BytesIO(b"id;answer\n1;yes\n"), "answers.csv", "answer")
    Header(names=['id', 'answer'], separator=';')
    """
    row = file.readline(LONGEST_HEADER)
    if row.startswith(UTF_16):
        raise FormatError(f"{name} must be CSV in UTF-8 or Parquet, got UTF-16; save it as CSV in UTF-8")
    while row.count(b'"') % 2 and len(row) < LONGEST_HEADER and (line := file.readline(LONGEST_HEADER)):
        row += line
    refusal = FormatError(
        f"{name} must be CSV in UTF-8 or Parquet, got a file that is neither; a spreadsheet can save it as CSV in UTF-8"
    )
    header = unquoted(lambda: header_of(row.decode("utf-8-sig"), *columns), refusal)
    if not header.names:
        empty = "an empty row" if row else "an empty file"
        raise FormatError(f"{name} must be a CSV or Parquet file that names its columns in the first row, got {empty}")
    return header


def text_columns(file: BinaryIO, name: str, header: Header, wanted: Sequence[str]) -> Iterator[dict[str, list[str]]]:
    r"""Some columns of the rows after the header, many rows at a time; empty lines are no rows.

    >>> file = io.BytesIO(b"id,answer\n1,yes\n\n2,no\n")
    >>> list(text_columns(file, "answers.csv", read_header(file, "answers.csv", "answer"), ["answer"]))
    [{'answer': ['yes', 'no']}]
    """
    places = {column: header.position(column) for column in wanted}
    with io.TextIOWrapper(file, "utf-8", newline="") as lines:
        pieces = _pieces(lines, name, header)
        while group := list(islice(pieces, PIECES)):
            yield {
                column: list(chain.from_iterable(piece[place] for piece in group)) for column, place in places.items()
            }


def _pieces(lines: TextIO, name: str, header: Header) -> Iterator[Sequence[tuple[str, ...]]]:
    """Rows as columns, so few at once that they stay in the processor's cache."""
    rows, refusal = filter(None, csv.reader(lines, delimiter=header.separator, strict=True)), other_rows(name, header)
    while columns := unquoted(lambda: list(zip(*islice(rows, ROWS), strict=True)), refusal):
        if len(columns) != len(header.names):
            raise refusal
        yield columns


def other_rows(name: str, header: Header) -> FormatError:
    """The error for rows that are not like the header."""
    count = len(header.names)
    fields = "1 field" if count == 1 else f"{count} fields"
    return FormatError(
        f"{name} must be CSV in UTF-8 with {fields} in every row, as in its header, got a row that is not"
    )


def header_of(row: str, *columns: str) -> Header:
    r"""The header split by the separator that finds most of the columns asked for; where none does, most names.

    >>> header_of("way|late, or not", "way").names, header_of("way;late").names
    (['way', 'late, or not'], ['way', 'late'])
    """
    headers = [Header(_split(row, separator), separator) for separator in SEPARATORS]
    return max(headers, key=lambda header: (*_matches(header.names, columns), len(header.names)))


def _split(row: str, separator: str) -> list[str]:
    """The names between separators; none where they would be longer than a field of CSV may be."""
    with suppress(csv.Error):
        return next(csv.reader(io.StringIO(row, newline=""), delimiter=separator), [])
    return []


def _matches(names: list[str], columns: tuple[str, ...]) -> tuple[int, int]:
    """How many of the columns are among the names: as they are written, and but for capitals and blanks."""
    folded = {_folded_case(name) for name in names}
    return sum(column in names for column in columns), sum(_folded_case(column) in folded for column in columns)


def _folded_case(name: str) -> str:
    return name.strip().casefold()
