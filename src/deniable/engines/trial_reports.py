"""Reports that another program drew for values that are known, read from a table so that the program can be audited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deniable.arrays import Column
from deniable.arrow import pq
from deniable.audit.sampling import SamplingAudit, audit_reports
from deniable.engines.csv_columns import read_header, text_columns
from deniable.engines.labels import is_text
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import FormatError, LabelError, ParameterError, ReportError
from deniable.reports.arrow_columns import as_column, is_integer
from deniable.reports.layout import Layout
from deniable.reports.magic import is_parquet
from deniable.values.columns import unquoted

VALUE, REPORT = "value", "report"
WHOLE_NUMBER = re.compile("-?[0-9]{1,18}")


def audit_trials(mechanism: Mechanism, path: Path) -> SamplingAudit:
    """Test the reports of a table, a CSV or a Parquet file, with the columns ``value`` and ``report``.

    A report is a whole number, or in CSV the hexadecimal digits of its bytes where a mechanism reports bytes. Errors
    name the file.
    """
    values, reports = _columns(path)
    try:
        return audit_reports(mechanism, _values(mechanism, values), _reports(mechanism.layout, reports))
    except (LabelError, ParameterError, ReportError) as error:
        raise FormatError(f"{path}: {error}") from None


def _columns(path: Path) -> tuple[list[Any], Any]:
    """The values and the reports of a table, one of each in every row; a name may be an answer, and is not shown."""
    columns = _parquet(path) if is_parquet(path) else _csv(path)
    if not len(columns[VALUE]):
        raise FormatError(f"{path} must have a row for each report, got none")
    return columns[VALUE], columns[REPORT]


def _csv(path: Path) -> dict[str, list[str]]:
    columns: dict[str, list[str]] = {VALUE: [], REPORT: []}
    with path.open("rb") as file:
        header = read_header(file, str(path), VALUE, REPORT)
        _require_columns(path, header.names)
        for piece in text_columns(file, str(path), header, [VALUE, REPORT]):
            for name in columns:
                columns[name] += piece[name]
    return columns


def _parquet(path: Path) -> dict[str, Any]:
    refusal = FormatError(f"{path} must be a whole Parquet file, got one that cannot be read")
    table = unquoted(lambda: pq.read_table(path), refusal)
    _require_columns(path, table.column_names)
    values, reports = (table.column(name).combine_chunks() for name in (VALUE, REPORT))
    if values.null_count or reports.null_count:
        raise FormatError(f"{path} must have a value and a report in every row, got some without")
    return {VALUE: values.to_pylist(), REPORT: reports.to_pylist() if is_text(reports.type) else reports}


def _require_columns(path: Path, names: Sequence[str]) -> None:
    if names.count(VALUE) != 1 or names.count(REPORT) != 1:
        raise FormatError(f"{path} must have the columns {VALUE} and {REPORT}, once each, got {len(names)} unlike them")


def _values(mechanism: Mechanism, values: list[Any]) -> list[Any]:
    """The values as labels; texts of a CSV stand for whole numbers where the labels are these."""
    if not isinstance(values[0], str):
        return values
    named = {str(label): label for label in mechanism.domain.every()}
    return [named.get(value, value) for value in values]


def _reports(layout: Layout, reports: Any) -> Column:
    """Reports as a column, not checked yet; texts are whole numbers or hexadecimal digits."""
    if not isinstance(reports, list):
        return as_column(layout, reports)
    refusal = ReportError("reports must be whole numbers, or bytes in hexadecimal digits, got some others")
    parse = _whole_number if is_integer(layout) else bytes.fromhex
    return layout.check(unquoted(lambda: [parse(text) for text in reports], refusal))


def _whole_number(text: str) -> int:
    if not WHOLE_NUMBER.fullmatch(text):
        raise ValueError("a whole number has digits only")
    return int(text)
