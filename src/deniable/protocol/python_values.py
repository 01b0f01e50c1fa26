"""What callers hand over, from NumPy, pandas or Arrow too: scalars as values of Python, and lists in their order.

None of these libraries is imported: their values say themselves what they are.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Set
from typing import Any, TypeGuard

from .errors import ParameterError

AS_THEY_ARE = frozenset({str, int, bool, bytes, datetime.date, datetime.datetime})
"""Types whose values are used as they are."""


def python_value(value: Any) -> Any:
    """A NumPy or Arrow scalar as the equal Python value, also those of a pair; -0.0 becomes 0.0."""
    if type(value) in AS_THEY_ARE:
        return value
    if type(value) is tuple:
        return tuple(each if type(each) is tuple else python_value(each) for each in value)
    if type(value) is float:
        return value or 0.0  # which -0.0 becomes
    if hasattr(value, "as_py"):
        return python_value(value.as_py())
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if kind is None or type(value).__hash__ is None:  # arrays, which have kinds too, are not hashable
        return value
    if kind in ("M", "m"):
        return _moment(value)
    plain = value.item()
    return value if type(plain) is type(value) else python_value(plain)  # a longdouble is its own item


def is_ordered(values: object) -> TypeGuard[Iterable[Any]]:
    """Whether values have an order of their own and none is masked: lists and arrays, not sets or masked arrays."""
    if isinstance(values, str | bytes | Mapping | Set) or hasattr(values, "filled") or hasattr(values, "column_names"):
        return False
    return isinstance(values, Iterable) and getattr(values, "ndim", 1) == 1


def checked_list(field: str, given: Any, wanted: str, refusal: type[ParameterError] = ParameterError) -> list[Any]:
    """Values in an order of their own as a list of Python's."""
    if not is_ordered(given):
        raise refusal(f"{field} must be {wanted}, got {type(given).__name__}")
    return [python_value(value) for value in given]


def is_several(value: object) -> bool:
    """Whether these are several values, where one is wanted."""
    return isinstance(value, Mapping | Set) or is_ordered(value)


def stranger(value: object) -> str:
    """How an error describes a value that is not allowed: by its type, never by the value itself."""
    if is_several(value):
        return f"a {type(value).__name__}; one person gives one value, and a column of people's goes to privatize_many"
    return "one that is not"


def _moment(value: Any) -> Any:
    """A date or time of NumPy's as one of Python's, as it is where Python has none so fine or far; None for NaT."""
    if value.dtype.kind == "M" and value.astype("M8[us]") == value:
        return value.item() if isinstance(value.item(), datetime.date) else value.astype("M8[us]").item()
    return value if value == value else None  # NaT differs from itself
