"""Reports that another program drew for values that are known, read from a table so that the program can be audited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from deniable.arrays import Column
from deniable.audit.sampling import SamplingAudit, audit_reports
from deniable.errors import FormatError, ReportError
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports.layout import Layout, as_column
from deniable.reports.parquet import is_parquet

VALUE, REPORT = "value", "report"


def audit_trials(mechanism: Mechanism, path: Path) -> SamplingAudit:
    """Test the reports of a table, a CSV or a Parquet file, with the columns ``value`` and ``report``.

    A report is a whole number, or in CSV the hexadecimal digits of its bytes where a mechanism reports bytes.
    """
    table = _table(path)
    missing = [name for name in (VALUE, REPORT) if table.column_names.count(name) != 1]
    if missing:
        raise FormatError(f"{path} must have the columns {VALUE} and {REPORT}, got {', '.join(table.column_names)}")
    values, reports = (table.column(name).combine_chunks() for name in (VALUE, REPORT))
    if values.null_count or reports.null_count:
        raise FormatError(f"{path} must have a value and a report in every row, got some without")
    return audit_reports(mechanism, _values(mechanism, values), _reports(mechanism.layout, reports))


def _table(path: Path) -> pa.Table:
    if is_parquet(path):
        return pq.read_table(path)
    as_texts = pyarrow.csv.ConvertOptions(column_types={VALUE: pa.string(), REPORT: pa.string()})
    try:
        return pyarrow.csv.read_csv(path, convert_options=as_texts)
    except pa.ArrowInvalid:  # not chained: its message shows a row
        raise FormatError(f"{path} must be a CSV or a Parquet file, got something else") from None


def _values(mechanism: Mechanism, values: pa.Array[Any]) -> list[Any]:
    """The values as labels; texts of a CSV stand for whole numbers where the labels are these."""
    found: list[Any] = values.to_pylist()
    if not pa.types.is_string(values.type):
        return found
    named = {str(label): label for label in mechanism.domain.every()}
    return [named.get(value, value) for value in found]


def _reports(layout: Layout, reports: pa.Array[Any]) -> Column:
    if not pa.types.is_string(reports.type):
        return as_column(layout, reports)
    try:
        if pa.types.is_integer(layout.arrow_type):
            return as_column(layout, reports.cast(pa.int64()))
        texts: list[Any] = reports.to_pylist()
        return as_column(layout, pa.array([bytes.fromhex(text) for text in texts], pa.binary()))
    except (pa.ArrowInvalid, ValueError):
        raise ReportError("reports must be whole numbers, or bytes in hexadecimal digits, got some others") from None
