"""Columns of people's values, whatever library holds them: lists, NumPy arrays, Arrow arrays.

pyarrow is never imported to find out what a value is: where nothing has imported it, nobody holds one of its arrays.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeGuard, TypeVar

import numpy as np

from deniable.arrays import Indices
from deniable.errors import DenialError, LabelError

if TYPE_CHECKING:
    import pyarrow as pa

    ArrowColumn: TypeAlias = pa.Array[Any] | pa.ChunkedArray[Any]

T = TypeVar("T")
Kind: TypeAlias = Literal["integers", "text", "other"]
"""What a file's column is read as: its text as integers, its integers as text, or each value as it is stored."""
AS_THEY_ARE = frozenset({str, int, bool, bytes, tuple, datetime.date, datetime.datetime})
"""Types of values that stand for themselves."""


class Labels(Protocol):
    """What a column of values must offer: an order and a length. Lists, arrays and Arrow columns do."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...


def unquoted(convert: Callable[[], T], refusal: DenialError) -> T:
    """What a conversion of people's values gives; if it fails, the refusal without a trace of the failure's own words.

    Whatever library holds the values may quote one of them in its error, and a chained error shows that one too.

    >>> unquoted(lambda: int("12"), LabelError("the value must be a number"))
    12
    """
    try:
        return convert()
    except (DenialError, MemoryError):
        raise
    except Exception:
        pass
    raise refusal  # not above: there the failure would become its context


def is_arrow_column(column: object) -> TypeGuard[ArrowColumn]:
    """Whether a column is an Arrow array, in one piece or in chunks."""
    return _is_arrow(column, "Array") or _is_arrow(column, "ChunkedArray")


def _is_arrow(value: object, kind: str) -> bool:
    """Whether a value is of a class of pyarrow's, which lacks the class while it is still being imported."""
    return isinstance(value, getattr(sys.modules.get("pyarrow"), kind, ()))


def is_ordered(values: object) -> TypeGuard[Iterable[Any]]:
    """Whether values come one after the other in an order of their own, none of them hidden."""
    if isinstance(values, str | bytes | Mapping | Set | np.ma.MaskedArray) or _is_arrow(values, "Table"):
        return False
    return isinstance(values, Iterable) and getattr(values, "ndim", 1) == 1


def is_column(labels: object) -> TypeGuard[Labels]:
    """Whether values have an order and a length."""
    return is_ordered(labels) and hasattr(labels, "__len__")


def python_values(labels: Iterable[Any]) -> list[Any]:
    """Python values of a list, of an array or of an Arrow column.

    >>> import pyarrow as pa
    >>> python_values(pa.array(["yes", None]))
    ['yes', None]
    """

    def listed() -> list[Any]:
        if is_arrow_column(labels):
            return list(labels.to_pylist())
        return list(labels.tolist() if isinstance(labels, np.ndarray) else labels)

    return unquoted(listed, _unreadable(labels.type if is_arrow_column(labels) else type(labels).__name__))


def distinct_values(column: ArrowColumn) -> Iterator[tuple[list[Any], Indices]]:
    """For each chunk of an Arrow column its distinct values and the place of each row's; a null's is past the last."""
    for chunk in getattr(column, "chunks", [column]):
        yield unquoted(partial(_encoded, chunk), _unreadable(chunk.type))


def _encoded(chunk: Any) -> tuple[list[Any], Indices]:
    import pyarrow as pa

    encoded = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
    distinct = encoded.dictionary.to_pylist()
    return distinct, np.asarray(encoded.indices.cast(pa.int64()).fill_null(len(distinct)), np.int64)


def _unreadable(kind: object) -> LabelError:
    return LabelError(f"labels must be values that Python can hold, got a column of {kind}")


def python_value(value: Any) -> Any:
    """NumPy and Arrow scalars as the Python values they stand for; 0.0 and -0.0 as one value."""
    if type(value) in AS_THEY_ARE:
        return value
    if type(value) is float:
        return value or 0.0  # which -0.0 becomes
    if isinstance(value, np.datetime64) and value.astype("M8[us]") == value:
        return value.item() if isinstance(value.item(), datetime.date) else value.astype("M8[us]").item()
    if isinstance(value, np.datetime64 | np.timedelta64):
        return None if np.isnat(value) else value  # not NumPy's count of nanoseconds, which may be a label
    if isinstance(value, np.generic):
        return value.item()
    if _is_arrow(value, "Scalar"):
        return python_value(value.as_py())
    return 0.0 if isinstance(value, float) and value == 0 else value


def stranger(value: object) -> str:
    """What an error says of a value that is not allowed: never the value itself."""
    if isinstance(value, Mapping | Set) or is_ordered(value):
        return f"a {type(value).__name__}; one person gives one value, and a column of people's goes to privatize_many"
    return "one that is not"
