"""Reports that another program drew for values that are known, read from a table so that the program can be audited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from deniable.arrays import Column
from deniable.audit.sampling import SamplingAudit, audit_reports
from deniable.errors import FormatError, LabelError, ParameterError, ReportError
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports.layout import Layout, as_column
from deniable.reports.parquet import is_parquet

VALUE, REPORT = "value", "report"
AS_TEXTS = pyarrow.csv.ConvertOptions(column_types={VALUE: pa.string(), REPORT: pa.string()})


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


def _columns(path: Path) -> tuple[pa.Array[Any], pa.Array[Any]]:
    """The values and the reports of a table, one of each in every row; a name may be an answer, and is not shown."""
    parquet = is_parquet(path)
    try:
        table = pq.read_table(path) if parquet else pyarrow.csv.read_csv(path, convert_options=AS_TEXTS)
        names = table.column_names
    except (pa.ArrowException, OSError, UnicodeDecodeError):  # not chained: their messages show a row
        raise FormatError(f"{path} must be a CSV in UTF-8 or a Parquet file, got something else") from None
    if names.count(VALUE) != 1 or names.count(REPORT) != 1:
        raise FormatError(f"{path} must have the columns {VALUE} and {REPORT}, once each, got others")
    values, reports = (table.column(name).combine_chunks() for name in (VALUE, REPORT))
    if not len(values):
        raise FormatError(f"{path} must have a row for each report, got none")
    if values.null_count or reports.null_count:
        raise FormatError(f"{path} must have a value and a report in every row, got some without")
    return values, reports


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
