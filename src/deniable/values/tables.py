"""Tables of people's values from any library: dictionaries, data frames of pandas and Polars, Arrow tables and streams.

None of those libraries is imported to find out what a table is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from deniable.arrays import Flags
from deniable.arrow import pa
from deniable.protocol.errors import LabelError, ParameterError
from deniable.values.columns import STREAM, is_column, unquoted


def is_table(value: object) -> bool:
    """Whether something has columns with names: a dictionary, a data frame, or whatever streams Arrow's batches."""
    if isinstance(value, Mapping) or _is_pandas(value):
        return True
    return hasattr(value, STREAM) and (hasattr(value, "columns") or not is_column(value))


def columns_of(table: Any) -> Mapping[Any, Any]:
    """The columns of a table by their names; what is missing is None.

    >>> import pyarrow as pa
    >>> columns_of(pa.table({"way": ["bus", None]}))["way"].to_pylist()
    ['bus', None]
    """
    if isinstance(table, Mapping):
        return table
    if not is_table(table):
        raise ParameterError(f"a table must be a dictionary from questions to columns, got {type(table).__name__}")
    read = _of_pandas if _is_pandas(table) else _of_stream
    unreadable = ParameterError(f"a table must have columns that can be read, got a {type(table).__name__} with others")
    return unquoted(lambda: read(table), unreadable)


def flags_of(table: Any, labels: Sequence[Any]) -> Flags:
    """A table of booleans, one column for each label and named after it, as an array in the order of the labels."""
    columns = columns_of(table)
    if set(columns) != {str(label) for label in labels} or len(columns) != len(labels):
        raise LabelError(
            f"a table of lists must have one column for each of {len(labels)} labels, named so, got {len(columns)}"
        )
    rows = [np.asarray(columns[str(label)]) for label in labels]
    if any(row.dtype != np.bool_ for row in rows):
        got = ", ".join(sorted({str(row.dtype) for row in rows}))
        raise LabelError(f"a table of lists must hold yes and no only, as booleans, got {got}")
    return np.stack(rows, axis=1)


def _is_pandas(value: object) -> bool:
    return hasattr(value, "iloc") and hasattr(value, "columns")


def _of_pandas(table: Any) -> dict[Any, Any]:
    """Columns as lists: pandas marks what is missing in three ways."""
    columns = ((name, table.iloc[:, place]) for place, name in enumerate(table.columns))
    return {name: column.astype(object).where(column.notna(), None).tolist() for name, column in columns}


def _of_stream(table: Any) -> dict[str, Any]:
    read = pa.table(table)
    return dict(zip(read.column_names, read.columns, strict=True))
