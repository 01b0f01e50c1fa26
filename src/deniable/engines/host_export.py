"""Exports of questionnaires that are not ours: some of their columns, each value as text."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from deniable.arrow import pq
from deniable.engines.csv_columns import named_twice, read_header, text_columns
from deniable.protocol.checks import near
from deniable.protocol.errors import FormatError, ParameterError
from deniable.reports.magic import is_parquet
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


def export_columns(path: Path, names: Sequence[str]) -> Columns:
    """Some columns of a table as a host exports it: CSV with any separator, Parquet or a spreadsheet.

    Rows in which Qualtrics explains its columns are left out.
    """
    columns = _read(path, list(dict.fromkeys(names)))
    explained = [column for column in columns.values() if len(column) > 1 and column[1].startswith(IMPORTS)]
    return {name: column[2:] if explained else column for name, column in columns.items()}


def groups_of(values: Sequence[str]) -> dict[str, list[int]]:
    """The rows of each group, in the order of their names; small ones together."""
    found: dict[str, list[int]] = {}
    for row, value in enumerate(values):
        found.setdefault(value.strip(), []).append(row)
    large = {name: rows for name, rows in sorted(found.items()) if len(rows) >= FEW}
    small = [row for name, rows in found.items() if name not in large for row in rows]
    return large if not small else {**large, OTHERS: sorted([*large.pop(OTHERS, []), *small])}


def _read(path: Path, names: list[str]) -> Columns:
    if path.suffix.lower() in SHEETS:
        return _spreadsheet(path, names)
    if is_parquet(path):
        return _parquet(path, names)
    with path.open("rb") as file:
        header = read_header(file, str(path), *names)
        _require(path, names, header.names)
        found: Columns = {name: [] for name in names}
        for piece in text_columns(file, str(path), header, names):
            for name, column in piece.items():
                found[name] += column
    return found


def _parquet(path: Path, names: list[str]) -> Columns:
    refusal = FormatError(f"{path} must be a whole Parquet file, got another")
    with unquoted(lambda: pq.ParquetFile(path), refusal) as file:
        _require(path, names, file.schema_arrow.names)
        table = unquoted(lambda: file.read(columns=names), refusal)
    return {name: list(map(_text, python_values(table.column(name)))) for name in names}


def _spreadsheet(path: Path, names: list[str]) -> Columns:
    try:
        pandas: Any = import_module("pandas")
    except ImportError:
        raise FormatError(
            f"{path} must be CSV or Parquet where pandas is not installed, got a spreadsheet; save it as CSV"
        ) from None
    refusal = FormatError(f"{path} must be a spreadsheet that pandas reads, got another; save it as CSV in UTF-8")
    table = unquoted(lambda: pandas.read_excel(path, dtype=str, keep_default_na=False), refusal)
    _require(path, names, list(map(str, table.columns)))
    return {name: list(map(_text, table[name])) for name in names}


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _require(path: Path, names: Sequence[str], columns: Sequence[str]) -> None:
    """Refuse a table without one of the columns, with the names of those that it has."""
    for name in names:
        if columns.count(name) > 1:
            raise ParameterError(named_twice(name, columns.count(name)))
        if name not in columns:
            listed = ", ".join(columns[:MOST_NAMED]) + (", ..." if len(columns) > MOST_NAMED else "")
            raise ParameterError(
                f"column must be one of {path.name}: {listed}, got column={name!r}{near(name, columns)}; "
                "export short names of questions, and not their texts"
            )
