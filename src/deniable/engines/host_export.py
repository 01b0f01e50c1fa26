"""Exports of questionnaires that are not ours: some of their columns, each value as text."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import PurePath
from typing import Any, BinaryIO, Final

from deniable.arrow import pq
from deniable.engines.csv_columns import named_twice, read_header, text_columns
from deniable.protocol.checks import near
from deniable.protocol.errors import FormatError, ParameterError
from deniable.protocol.surveys.field_value import PREFIX
from deniable.reports.magic import PARQUET
from deniable.values.columns import python_values, unquoted

SHEETS: Final = (".xlsx", ".xlsm", ".xls", ".ods")
MOST_NAMED: Final = 20
"""So many names of columns are listed where one is missing."""
IMPORTS: Final = '{"ImportId"'
"""How the third row of an export of Qualtrics begins in each column; the second holds the questions' texts."""
FEW: Final = 10
"""Groups of fewer rows are one group, so that no result is about a handful of people."""
OTHERS: Final = "others"

Columns = dict[str, list[str]]


def export_columns(file: BinaryIO, name: str, wanted: Sequence[str] | None = None) -> Columns:
    """Some columns of a table as a host exports it, or all: CSV with any separator, Parquet or a spreadsheet.

    Rows in which Qualtrics explains its columns are left out.
    """
    columns = _read(file, name, None if wanted is None else list(dict.fromkeys(wanted)))
    explained = [column for column in columns.values() if len(column) > 1 and column[1].startswith(IMPORTS)]
    return {each: column[2:] if explained else column for each, column in columns.items()}


def column_of_reports(columns: Columns, name: str) -> str:
    """The one column in which a report stands; refused if it is not one."""
    found = [each for each, values in columns.items() if any(value.startswith(PREFIX) for value in values)]
    if len(found) != 1:
        raise ParameterError(
            f"column must be named where {name} has not one column of reports, got {len(found)} of them"
            + (f": {', '.join(found[:MOST_NAMED])}" if found else "; a report begins with " + PREFIX)
        )
    return found[0]


def groups_of(values: Sequence[str]) -> dict[str, list[int]]:
    """The rows of each group, in the order of their names; small ones together."""
    found: dict[str, list[int]] = {}
    for row, value in enumerate(values):
        found.setdefault(value.strip(), []).append(row)
    large = {name: rows for name, rows in sorted(found.items()) if len(rows) >= FEW}
    small = [row for name, rows in found.items() if name not in large for row in rows]
    return large if not small else {**large, OTHERS: sorted([*large.pop(OTHERS, []), *small])}


def _read(file: BinaryIO, name: str, wanted: list[str] | None) -> Columns:
    if PurePath(name).suffix.lower() in SHEETS:
        return _spreadsheet(file, name, wanted)
    begins = file.read(len(PARQUET))
    file.seek(0)
    if begins == PARQUET:
        return _parquet(file, name, wanted)
    header = read_header(file, name, *(wanted or ()))
    names = _chosen(name, wanted, header.names)
    found: Columns = {each: [] for each in names}
    for piece in text_columns(file, name, header, names):
        for each, column in piece.items():
            found[each] += column
    return found


def _parquet(file: BinaryIO, name: str, wanted: list[str] | None) -> Columns:
    refusal = FormatError(f"{name} must be a whole Parquet file, got another")
    with unquoted(lambda: pq.ParquetFile(file), refusal) as opened:
        names = _chosen(name, wanted, opened.schema_arrow.names)
        table = unquoted(lambda: opened.read(columns=names), refusal)
    return {each: list(map(_text, python_values(table.column(each)))) for each in names}


def _spreadsheet(file: BinaryIO, name: str, wanted: list[str] | None) -> Columns:
    try:
        pandas: Any = import_module("pandas")
    except ImportError:
        raise FormatError(
            f"{name} must be CSV or Parquet where pandas is not installed, got a spreadsheet; save it as CSV"
        ) from None
    refusal = FormatError(
        f"{name} must be a spreadsheet that pandas reads, got another, or one for which it needs a package that is not "
        "installed, such as openpyxl; save it as CSV in UTF-8"
    )
    table = unquoted(lambda: pandas.read_excel(file, dtype=str, keep_default_na=False), refusal)
    names = _chosen(name, wanted, list(map(str, table.columns)))
    return {each: list(map(_text, table[each])) for each in names}


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _chosen(name: str, wanted: list[str] | None, columns: Sequence[str]) -> list[str]:
    """The columns wanted, or each that can be told from the others; refused with the names that there are."""
    if wanted is None:
        return [each for each in columns if columns.count(each) == 1]
    for each in wanted:
        if columns.count(each) > 1:
            raise ParameterError(named_twice(each, columns.count(each)))
        if each not in columns:
            listed = ", ".join(columns[:MOST_NAMED]) + (", ..." if len(columns) > MOST_NAMED else "")
            raise ParameterError(
                f"column must be one of {name}: {listed}, got column={each!r}{near(each, columns)}; "
                "export short names of questions, and not their texts"
            )
    return wanted
