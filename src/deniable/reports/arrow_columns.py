"""Columns of reports for Arrow and back: integers as they are, packed bits as bytes of fixed length.

Both sides share their buffers. Arrow's own ways to and from NumPy load pandas, which takes longer than small files.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from deniable.arrays import Column
from deniable.arrow import pa
from deniable.protocol.errors import ReportError
from deniable.reports.layout import Layout, refused
from deniable.values.columns import bare_column, is_arrow_column


def arrow_type(layout: Layout) -> pa.DataType:
    """The type of an Arrow column of such reports."""
    return _type_of(layout.empty(0))


def _type_of(column: Column) -> pa.DataType:
    return pa.from_numpy_dtype(column.dtype) if column.ndim == 1 else pa.binary(column.shape[1])


def is_integer(layout: Layout) -> bool:
    """Whether a report is one integer."""
    return layout.empty(0).ndim == 1


def to_arrow(column: Column) -> pa.Array[Any]:
    """A column of reports for Arrow, without copying."""
    buffer = pa.py_buffer(np.ascontiguousarray(column).data)
    return pa.Array.from_buffers(_type_of(column), len(column), [None, buffer])


def from_arrow(layout: Layout, array: pa.Array[Any]) -> Column:
    """A column from what ``to_arrow`` made; its reports are not checked."""
    if array.null_count:
        raise refused(layout.wanted, array.null_count, len(array), "are null")
    data = array.buffers()[1]
    if data is None:
        return layout.empty(0)
    if is_integer(layout):
        kind = np.dtype(array.type.to_pandas_dtype())
        return np.frombuffer(memoryview(data), kind, len(array), array.offset * kind.itemsize)
    width = layout.empty(0).shape[1]
    return np.frombuffer(memoryview(data), np.uint8, len(array) * width, array.offset * width).reshape(-1, width)


def as_column(layout: Layout, array: pa.Array[Any] | pa.ChunkedArray[Any]) -> Column:
    """Integers of any width, or bytes of fixed or varying length, as a column of reports; not checked yet.

    >>> from deniable.reports.index_layout import IndexLayout
    >>> as_column(IndexLayout(9), pa.array([8, 0], pa.int64())).tolist()
    [8, 0]
    """
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    kind = arrow_type(layout)
    if is_integer(layout) and pa.types.is_integer(array.type):
        with suppress(pa.ArrowException):  # out-of-range reports are counted by the layout's check
            # the kernels count narrow integers several times as fast; a cast loads all that Arrow computes
            array = array if array.type == kind else array.cast(kind)
        return from_arrow(layout, array)
    if pa.types.is_binary_view(array.type):  # as Polars hands bytes on
        array = array.cast(pa.binary())
    if is_integer(layout) or not _is_bytes(array.type):
        raise ReportError(f"reports must be a column of {kind}, got one of {array.type}")
    with suppress(pa.ArrowException):  # not chained: its message may show the report
        return from_arrow(layout, array.cast(kind))
    raise ReportError(f"every report must be {kind}, got some of another length")


def as_array(layout: Layout, reports: Any) -> Any:
    """An Arrow column or a series of reports as an array; anything else as it is."""
    column = bare_column(reports)
    if is_arrow_column(column):
        return as_column(layout, column)
    return column if isinstance(column, np.ndarray) and column.dtype.kind != "O" else reports


def _is_bytes(kind: pa.DataType) -> bool:
    return pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind)
