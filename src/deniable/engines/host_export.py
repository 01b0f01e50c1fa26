"""Exports of questionnaires that are not ours: some of their columns, each value as text."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import PurePath
from typing import Any, BinaryIO, Final

from deniable.arrow import pq
from deniable.engines.csv_columns import named_twice, read_header, text_columns
from deniable.protocol.checks import near
from deniable.protocol.errors import FormatError, ParameterError
from deniable.reports.magic import PARQUET
from deniable.surveys.field_column import BLANK, MOST_NAMED
from deniable.values.columns import python_values, unquoted

SHEETS: Final = (".xlsx", ".xlsm", ".xls", ".ods")
IMPORTS: Final = '{"ImportId"'
"""How the third row of an export of Qualtrics begins in each column; the second holds the questions' texts."""
DECIMAL_COMMA: Final = re.compile(r"[-+]?\d+(?:,\d+)?(?:[eE][-+]?\d+)?")
THOUSANDS: Final = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")
"""A number with a decimal comma; and one of which nobody can say whether its comma is one."""
FEWEST_ROWS: Final = 10
"""Groups of fewer rows are one group, so that no result is about a handful of people."""
OTHERS: Final = "others"

Columns = dict[str, list[str]]


def export_columns(file: BinaryIO, name: str, wanted: Sequence[str], others: bool = False) -> Columns:
    """Some columns of a table as a host exports it: CSV with any separator, Parquet or a spreadsheet.

    With ``others`` also all else that can be told apart by its name. Rows in which Qualtrics explains its columns are
    left out.
    """
    columns = _read_columns(file, name, list(dict.fromkeys(wanted)), others)
    from_qualtrics = [column for column in columns.values() if len(column) > 1 and column[1].startswith(IMPORTS)]
    return {each: column[2:] if from_qualtrics else column for each, column in columns.items()}


def numbers_or_texts(column: Sequence[str]) -> list[Any]:
    """The values of a column: all numbers where all are written so, else texts; None where nothing is.

    A comma is a decimal one where every number of the column may have it so; 1,234 may be either, and stays a text.

    >>> numbers_or_texts(["1", " 2.5", "NA"]), numbers_or_texts(["a", "2"])
    ([1.0, 2.5, None], ['a', '2'])
    >>> numbers_or_texts(["1,5", "12"]), numbers_or_texts(["1,234", "12"])
    ([1.5, 12.0], ['1,234', '12'])
    """
    texts = [None if text.strip().lower() in BLANK else text.strip() for text in column]
    filled = [text for text in texts if text is not None]
    with_commas = [text for text in filled if "," in text]
    if all(map(DECIMAL_COMMA.fullmatch, filled)) and not all(map(THOUSANDS.fullmatch, with_commas)):
        return [None if text is None else float(text.replace(",", ".")) for text in texts]
    try:
        numbers = [None if text is None else float(text) for text in texts]
    except ValueError:
        return list(texts)
    return numbers if all(each is None or math.isfinite(each) for each in numbers) else list(texts)


def groups_of(values: Sequence[str]) -> dict[str, list[int]]:
    """The rows of each group, in the order of their names; small ones together."""
    rows_of: dict[str, list[int]] = {}
    for row, value in enumerate(values):
        rows_of.setdefault(value.strip(), []).append(row)
    large = {name: rows for name, rows in sorted(rows_of.items()) if len(rows) >= FEWEST_ROWS}
    small = [row for name, rows in rows_of.items() if name not in large for row in rows]
    return large if not small else {**large, OTHERS: sorted([*large.pop(OTHERS, []), *small])}


def _read_columns(file: BinaryIO, name: str, wanted: list[str], others: bool) -> Columns:
    if PurePath(name).suffix.lower() in SHEETS:
        return _spreadsheet(file, name, wanted, others)
    magic = file.read(len(PARQUET))
    file.seek(0)
    if magic == PARQUET:
        return _parquet(file, name, wanted, others)
    header = read_header(file, name, *wanted)
    names = _column_names(name, wanted, others, header.names)
    found: Columns = {each: [] for each in names}
    for piece in text_columns(file, name, header, names):
        for each, column in piece.items():
            found[each] += column
    return found


def _parquet(file: BinaryIO, name: str, wanted: list[str], others: bool) -> Columns:
    refusal = FormatError(f"{name} must be a whole Parquet file, got one that is cut off or is none")
    with unquoted(lambda: pq.ParquetFile(file), refusal) as opened:
        names = _column_names(name, wanted, others, opened.schema_arrow.names)
        table = unquoted(lambda: opened.read(columns=names), refusal)
    return {each: list(map(_text, python_values(table.column(each)))) for each in names}


def _spreadsheet(file: BinaryIO, name: str, wanted: list[str], others: bool) -> Columns:
    try:
        pandas: Any = import_module("pandas")
    except ImportError:
        raise FormatError(
            f"{name} must be CSV or Parquet where pandas is not installed, got a spreadsheet; save it as CSV"
        ) from None
    refusal = FormatError(
        f"{name} must be a spreadsheet that pandas reads, got a damaged one, or one that needs a package which is not "
        "installed, such as openpyxl; save it as CSV in UTF-8"
    )
    table = unquoted(lambda: pandas.read_excel(file, dtype=str, keep_default_na=False), refusal)
    names = _column_names(name, wanted, others, list(map(str, table.columns)))
    return {each: list(map(_text, table[each])) for each in names}


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _column_names(name: str, wanted: list[str], others: bool, columns: Sequence[str]) -> list[str]:
    """The columns wanted, with ``others`` each that has a name of its own; refused with the names that there are."""
    for name_wanted in wanted:
        if columns.count(name_wanted) > 1:
            raise ParameterError(named_twice(name_wanted, columns.count(name_wanted)))
        if name_wanted not in columns:
            listed = ", ".join(columns[:MOST_NAMED]) + (", ..." if len(columns) > MOST_NAMED else "")
            raise ParameterError(
                f"column must be one of {name}: {listed}, got column={name_wanted!r}{near(name_wanted, columns)}; "
                "export short names of questions, and not their texts"
            )
    return [name_wanted for name_wanted, count in Counter(columns).items() if count == 1] if others else wanted
