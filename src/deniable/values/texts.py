"""Any text as a value: a keyed 64-bit base of its UTF-8 bytes, the same in every language."""

from __future__ import annotations

import hmac
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Indices
from deniable.errors import LabelError
from deniable.values.domain import Labels, is_ordered, is_unicode, python_values, stranger


class Strings:
    """The open alphabet of a key. Text is hashed as it is given: whoever wants é and é to be one normalizes first.

    The base is the first 8 bytes, little-endian, of HMAC-SHA-256 of the UTF-8 bytes under the key's.

    >>> f"{Strings('').base('café'):016x}"
    '7f00879124d7e45a'
    """

    names = ("any",)
    """A text stands for all: what a file holds as numbers is read as text."""

    def __init__(self, key: str) -> None:
        self.key = key

    def __contains__(self, value: object) -> bool:
        """Any text; but in a file, no text at all is a blank."""
        return isinstance(value, str) and value != ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Strings) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return "any text"

    def to_json(self) -> None:
        """A spec holds no labels."""
        return

    def base(self, text: str) -> int:
        """The base of one text."""
        return int.from_bytes(hmac.digest(self.key.encode(), text.encode(), "sha256")[:8], "little")

    def index(self, value: Any) -> int:
        """The base as a signed integer; half characters and whatever is no text are refused."""
        found = self._find(value)
        if found is None:
            raise LabelError(f"the value must be text in Unicode, got {stranger(value)}")
        return found

    def _find(self, value: Any) -> int | None:
        if not isinstance(value, str) or not is_unicode(value):
            return None
        base = self.base(value)
        return base - (1 << 64) if base >> 63 else base

    def indices(self, labels: Labels) -> Indices:
        """The bases of a column; each distinct text is hashed once."""
        values = text_column(labels)
        known = {value: self._find(value) for value in {value for value in values if isinstance(value, str)}}
        wrong = [place for place, value in enumerate(values) if not isinstance(value, str) or known[value] is None]
        if wrong:
            raise LabelError(
                f"every value must be text in Unicode, got {len(wrong)} of {len(values)} that are not "
                f"(the first at position {wrong[0]})"
            )
        return np.fromiter((known[value] for value in values), np.int64, len(values))

    def unchecked(self, labels: Labels) -> Indices:
        """The bases of a column: what has none is refused at once."""
        return self.indices(labels)

    def check(self, found: Indices) -> None:
        """Any base will do."""


def text_column(labels: Any) -> list[Any]:
    """A column of whatever kind as a list, not yet known to hold text."""
    if not is_ordered(labels) or not hasattr(labels, "__len__"):
        raise LabelError(f"labels must be a column of text, got {type(labels).__name__}")
    values = python_values(labels)
    if not values:
        raise LabelError("labels must hold at least one value, got an empty column")
    return values


def bases(values: Indices) -> npt.NDArray[np.uint64]:
    """Signed bases as the words they are."""
    return values.view(np.uint64)
