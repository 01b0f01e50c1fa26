"""Columns of people's values from any library: lists, NumPy arrays, Arrow arrays.

pyarrow is never imported to find out what a value is: if nothing has imported it, the value cannot be one of its
arrays.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeGuard, TypeVar

import numpy as np

from deniable.arrays import Indices
from deniable.arrow import is_installed, pa
from deniable.protocol.errors import DenialError, LabelError
from deniable.protocol.python_values import is_ordered

if TYPE_CHECKING:
    ArrowColumn: TypeAlias = pa.Array[Any] | pa.ChunkedArray[Any]

T = TypeVar("T")
Kind: TypeAlias = Literal["integers", "text", "other"]
"""How a file's column is read: text as integers, integers as text, or each value as stored."""
STREAM = "__arrow_c_stream__"
"""The method of whatever can be read as a stream of Arrow batches."""
MISSING = -(1 << 63)
"""The index of a value that stands for none; that of any other value which is no label is below 0 or too large."""
ARRAY = "__arrow_c_array__"
"""The method of whatever can be read as one Arrow array."""


class Labels(Protocol):
    """The protocol of a column of values: an order and a length, as lists, arrays and Arrow columns have."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...


def unquoted(convert: Callable[[], T], refusal: DenialError) -> T:
    """The result of a conversion of people's values; if it fails, ``refusal`` is raised, without the original message.

    A library's own error may quote a value, and a chained error would show it too.

    >>> unquoted(lambda: int("12"), LabelError("the value must be a number"))
    12
    """
    try:
        return convert()
    except (DenialError, MemoryError):
        raise
    except Exception:
        pass
    raise refusal  # outside the except block, where the failure would become its context


def is_arrow_column(column: object) -> TypeGuard[ArrowColumn]:
    """Whether a column is an Arrow array, in one piece or in chunks."""
    return is_arrow(column, "Array") or is_arrow(column, "ChunkedArray")


def is_arrow(value: object, kind: str) -> bool:
    """Whether a value is of a class of pyarrow; False if that is not imported, or still being imported."""
    return isinstance(value, getattr(sys.modules.get("pyarrow"), kind, ()))


def is_column(labels: object) -> TypeGuard[Labels]:
    """Whether values have an order and a length."""
    return is_ordered(labels) and hasattr(labels, "__len__")


def is_frame(labels: Any) -> bool:
    """Whether it is a data frame of any library, or a table of Arrow: several columns, each with its name."""
    return hasattr(labels, "columns") and hasattr(labels, "shape")


def no_column(labels: Any) -> str:
    """How an error describes what is no column, and what to give instead if it has columns.

    >>> no_column(np.zeros((2, 3))), no_column(7)
    ('an array of 2 dimensions', 'int')
    """
    if is_frame(labels):
        return f"{type(labels).__name__}; give one of its columns"
    return f"an array of {labels.ndim} dimensions" if isinstance(labels, np.ndarray) else type(labels).__name__


def bare_column(column: Any) -> Any:
    """A series of pandas or Polars as the NumPy or Arrow array that it holds, what is missing as null; else the same.

    Values of one type become an array without a loop over them; mixed ones stay Python objects.
    """
    if isinstance(column, np.ndarray) or is_arrow_column(column):
        return column
    if not (_is_series(column) or _only_streams(column)):
        return column
    return unquoted(lambda: _array_in(column), _unreadable(type(column).__name__))


def _is_series(column: Any) -> bool:
    return hasattr(column, "dtype") and (hasattr(column, "iloc") or hasattr(column, STREAM))


def _only_streams(column: Any) -> bool:
    """Whether it speaks Arrow's protocol and nothing else; a table is no column."""
    streams = hasattr(column, STREAM) or hasattr(column, ARRAY)
    return streams and not is_column(column) and not hasattr(column, "columns")


def _array_in(column: Any) -> Any:
    """The array, or else the list, that a series or a stream holds."""
    if isinstance(getattr(column, "dtype", None), np.dtype):
        return np.asarray(column)
    if hasattr(column, "to_list") and not is_installed():
        return column.to_list()
    return pa.chunked_array(column) if hasattr(column, STREAM) else pa.array(column, from_pandas=True)


def python_values(labels: Iterable[Any]) -> list[Any]:
    """The values of a list, an array or an Arrow column as a list of Python values.

    >>> import pyarrow as pa
    >>> python_values(pa.array(["yes", None]))
    ['yes', None]
    """

    def listed() -> list[Any]:
        if is_arrow_column(labels):
            return list(labels.to_pylist())
        return list(labels.tolist() if isinstance(labels, np.ndarray) else labels)

    labels = bare_column(labels)
    return unquoted(listed, _unreadable(labels.type if is_arrow_column(labels) else type(labels).__name__))


def values_at(labels: Any, places: Indices) -> list[Any]:
    """Some values of a column, by their places: those of an array or an Arrow column as its own scalars."""
    bare = bare_column(labels)
    values = bare if isinstance(bare, np.ndarray) or is_arrow_column(bare) else python_values(bare)
    return [values[place] for place in places.tolist()]


def distinct_values(column: ArrowColumn) -> Iterator[tuple[list[Any], Indices]]:
    """For each chunk of an Arrow column its distinct values, and the index of each row's; past the last for a null."""
    for chunk in getattr(column, "chunks", [column]):
        yield unquoted(partial(_encoded, chunk), _unreadable(chunk.type))


def _encoded(chunk: Any) -> tuple[list[Any], Indices]:
    encoded = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
    distinct = encoded.dictionary.to_pylist()
    return distinct, np.asarray(encoded.indices.cast(pa.int64()).fill_null(len(distinct)), np.int64)


def _unreadable(kind: object) -> LabelError:
    return LabelError(f"labels must be values that Python can hold, got a column of {kind}")


def is_missing(value: object) -> bool:
    """Whether a value stands for none: None, NaN, NaT, or the NA of pandas.

    >>> [is_missing(value) for value in (None, float("nan"), "", 0)]
    [True, True, False, False]
    """
    try:
        return value is None or bool(value != value)
    except Exception:  # NA, which does not say whether it differs from itself, or a list of arrays, which cannot
        return type(value).__name__ == "NAType"


def mark_missing(found: Indices, values: Sequence[Any]) -> Indices:
    """The indices of values, of those that have none with those marked that stand for none."""
    for place in np.flatnonzero(found < 0).tolist():
        found[place] = MISSING if is_missing(values[place]) else -1
    return found


def strangers(wrong: Sequence[int] | Indices, people: int, missing: int) -> str:
    """How an error describes the values of a column that are not allowed: how many, and where the first stands.

    >>> strangers([4], 10, missing=1).partition("; ")[2]
    '1 is missing: leave out what is missing, or say what stands for it'
    """
    got = f"got {len(wrong)} of {people} that are not (the first at position {wrong[0]})"
    are = "is" if missing == 1 else "are"
    hint = f"; {missing} {are} missing: leave out what is missing, or say what stands for it"
    return got + hint if missing else got
