"""Any text as a value: a keyed 64-bit base of its UTF-8 bytes, the same in every language."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable.arrays import Indices, Words
from deniable.errors import LabelError
from deniable.values.columns import Kind, Labels, is_column, python_values, stranger


@dataclass(frozen=True, slots=True, repr=False)
class Texts:
    """Any text, under a key. Text is hashed as it is given: whoever wants é and é to be one normalizes first.

    The base is the first 8 bytes, little-endian, of HMAC-SHA-256 of the UTF-8 bytes under the key's. The index of a
    text is its base as a signed integer.

    >>> f"{Texts('').base('café'):016x}"
    '7f00879124d7e45a'
    """

    key: str

    @property
    def size(self) -> None:
        """There is no end of them."""
        return

    @property
    def kind(self) -> Kind:
        """What a file holds as numbers is read as text."""
        return "text"

    @property
    def empty_is_blank(self) -> bool:
        """In a file, an empty field is no answer, though the empty text is a value."""
        return True

    def __contains__(self, value: object) -> bool:
        return self._find(value) is not None

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

    def _find(self, value: object) -> int | None:
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

    def column(self, labels: Labels) -> Indices:
        """The same: every index is some text's, so that whatever is no text is refused at once."""
        return self.indices(labels)

    def check(self, found: Indices) -> None:
        """Any index will do."""


def is_unicode(text: str) -> bool:
    """Whether UTF-8 can hold the text: no lone surrogates.

    >>> is_unicode("é"), is_unicode(chr(0xD800))
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def text_column(labels: Any) -> list[Any]:
    """A column of whatever kind as a list, not yet known to hold text."""
    if not is_column(labels):
        raise LabelError(f"labels must be a column of text, got {type(labels).__name__}")
    values = python_values(labels)
    if not values:
        raise LabelError("labels must hold at least one value, got an empty column")
    return values


def bases(values: Indices) -> Words:
    """Signed bases as the words they are."""
    return values.view(np.uint64)
