"""Which values may be labels, how labels are compared, and how a spec stores them as JSON."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Hashable
from typing import Any

from deniable.errors import DomainError, FormatError
from deniable.values.texts import is_unicode

DEEPEST = 8
"""How deeply tuples may be nested in a label."""
WIDEST = 1024
"""The most bits of an integer label."""


def check_label(label: Any, position: int, depth: int = 0) -> None:
    """Refuse what cannot be a label: missing values such as None and NaN, and what JSON cannot hold."""
    if label is None or (isinstance(label, float) and not math.isfinite(label)):
        raise DomainError(f"a label must be a value, got None, NaN or infinity at position {position}")
    if isinstance(label, tuple) and depth < DEEPEST:
        for part in label:
            check_label(part, position, depth + 1)
    elif not isinstance(label, str | bytes | int | float | datetime.date) or not _is_writable(label):
        kinds = "text in Unicode, bytes, numbers, dates or tuples of them"
        raise DomainError(f"labels must be {kinds}, got another {type(label).__name__} at position {position}")


def _is_writable(label: object) -> bool:
    """Whether JSON can hold the label: no lone surrogates, no huge integers."""
    if isinstance(label, str):
        return is_unicode(label)
    return not isinstance(label, int) or label.bit_length() <= WIDEST


def number_kind(value: object) -> type | tuple[Any, ...] | None:
    """The type by which True, 1 and 1.0 are told apart, also within tuples; None for anything but numbers.

    >>> number_kind((1, "a")) == number_kind((True, "a"))
    False
    """
    if isinstance(value, tuple):
        return tuple(number_kind(part) for part in value)
    return type(value) if isinstance(value, bool | int | float) else None


def label_to_json(label: Any) -> Any:
    r"""A label as JSON holds it.

    >>> label_to_json(("north", b"\x07"))
    {'tuple': ['north', {'bytes': '07'}]}
    """
    if isinstance(label, tuple):
        return {"tuple": [label_to_json(part) for part in label]}
    if isinstance(label, bytes):
        return {"bytes": label.hex()}
    if isinstance(label, datetime.datetime):
        return {"datetime": label.isoformat()}
    if isinstance(label, datetime.date):
        return {"date": label.isoformat()}
    return label


def label_from_json(written: Any) -> Any:
    """The label that ``label_to_json`` wrote; anything else is returned unchanged, for ``check_label`` to refuse."""
    if not isinstance(written, dict) or len(written) != 1:
        return written
    ((kind, value),) = written.items()
    if kind not in _READERS:
        raise FormatError("a spec's label has an unknown kind")
    try:
        return _READERS[kind](value)
    except (TypeError, ValueError, RecursionError):
        raise FormatError(f"a spec's label must be written as a {kind} is, got something else") from None


_READERS: dict[str, Callable[[Any], Hashable]] = {
    "tuple": lambda value: tuple(label_from_json(part) for part in value),
    "bytes": bytes.fromhex,
    "datetime": datetime.datetime.fromisoformat,
    "date": datetime.date.fromisoformat,
}
