"""Which values may be labels, how labels are compared, and how JSON holds them."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Hashable
from typing import Any

from .checks import is_unicode, shown
from .errors import DomainError, FormatError
from .say import Statement

DEEPEST = 8
"""How deeply tuples may be nested in a label."""
WIDEST = 1024
"""The most bits of an integer label."""


def read_label(written: Any) -> Any:
    """The label that JSON holds; what cannot be one is refused."""
    label = label_from_json(written)
    check_label(label)
    return label


def label_from_json(written: Any) -> Any:
    """The label that ``write_label`` wrote; what is no dict of one field comes back as it is, for ``check_label``."""
    if isinstance(written, float):
        return written or 0.0  # 0.0 has no sign
    if not isinstance(written, dict) or len(written) != 1:
        return written
    ((kind, value),) = written.items()
    if kind not in _READERS:
        raise FormatError(f"a label must be of kind {', '.join(_READERS)}, got {shown(kind)}")
    try:
        return _READERS[kind](value)
    except (TypeError, ValueError, RecursionError):
        raise FormatError(f"a label must be written as a {kind} is, got {type(value).__name__}") from None


def write_label(label: Any) -> Any:
    r"""A label as JSON holds it.

    >>> write_label(("north", b"\x07"))
    {'tuple': ['north', {'bytes': '07'}]}
    """
    if isinstance(label, tuple):
        return {"tuple": [write_label(part) for part in label]}
    if isinstance(label, bytes):
        return {"bytes": label.hex()}
    if isinstance(label, float):
        return label or 0.0  # as it is read: 0.0 has no sign
    if isinstance(label, datetime.datetime):
        return {"datetime": label.isoformat()}
    return {"date": label.isoformat()} if isinstance(label, datetime.date) else label


def kind_of(value: object) -> Any:
    """The type by which True, 1 and 1.0 are told apart, also within tuples; None for anything but numbers.

    >>> kind_of((1, "a")) == kind_of((True, "a"))
    False
    """
    if isinstance(value, tuple):
        return tuple(kind_of(part) for part in value)
    return type(value) if isinstance(value, (bool, int, float)) else None


def check_label(label: Any, position: int | None = None, depth: int = 0) -> None:
    """Refuse what cannot be a label: missing values such as None and NaN, and what JSON cannot hold.

    The error says the ``position`` in a list of labels, if there is one.
    """
    if label is None or (isinstance(label, float) and not math.isfinite(label)):
        at = "" if position is None else f" at position {position}"
        raise DomainError(f"a label must be a value, got None, NaN or infinity{at}")
    if isinstance(label, tuple) and depth < DEEPEST:
        for part in label:
            check_label(part, position, depth + 1)
    elif not isinstance(label, str | bytes | int | float | datetime.date) or not _is_writable(label):
        got = type(label).__name__
        if position is None:
            raise DomainError(Statement("labels_must_be", got=got))
        raise DomainError(Statement("labels_must_be_at", got=got, position=position))


def _is_writable(label: object) -> bool:
    """Whether JSON can hold the label: no lone surrogates, no huge integers."""
    if isinstance(label, str):
        return is_unicode(label)
    return not isinstance(label, int) or label.bit_length() <= WIDEST


_READERS: dict[str, Callable[[Any], Hashable]] = {
    "tuple": lambda value: tuple(label_from_json(part) for part in value),
    "bytes": bytes.fromhex,
    "datetime": datetime.datetime.fromisoformat,
    "date": datetime.date.fromisoformat,
}
