"""Any text as a value: a keyed 64-bit hash (base) of its UTF-8 bytes, the same in every language."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from deniable.arrays import Indices, Words
from deniable.protocol.checks import is_unicode
from deniable.protocol.errors import DomainError, LabelError
from deniable.protocol.hashes import base
from deniable.protocol.python_values import stranger
from deniable.protocol.values import Texts as PlainTexts
from deniable.values.columns import Kind, Labels, is_column, python_values


@dataclass(frozen=True, slots=True, repr=False)
class Texts:
    """Any text, hashed under a key exactly as given: normalize first if é as one character and as two should be equal.

    The base is the first 8 bytes, little-endian, of HMAC-SHA-256 of the UTF-8 bytes under the key's. The index of a
    text is its base as a signed integer.

    >>> f"{Texts('').base('café'):016x}"
    '7f00879124d7e45a'
    """

    key: str

    @property
    def size(self) -> None:
        """None: there are infinitely many texts."""
        return

    @property
    def kind(self) -> Kind:
        """Text: numbers in a file are read as text too."""
        return "text"

    @property
    def empty_is_blank(self) -> bool:
        """True: in a file an empty field means no answer, although the empty text is a value."""
        return True

    def __contains__(self, value: object) -> bool:
        return self._find(value) is not None

    def __eq__(self, other: object) -> bool:
        """Whether they are hashed under the same key; a device's texts have none before they are hashed."""
        return isinstance(other, PlainTexts) or (isinstance(other, Texts) and self.key == other.key)

    def __hash__(self) -> int:
        return hash("any text")

    def __repr__(self) -> str:
        return "any text"

    def to_json(self) -> None:
        """None, since a spec of any text holds no labels."""
        return

    @property
    def labels(self) -> NoReturn:
        """Refused: there is no list of all texts."""
        raise self._endless()

    @property
    def holding(self) -> NoReturn:
        """Refused, as ``every`` is."""
        raise self._endless()

    def every(self) -> NoReturn:
        """Refused: there are infinitely many texts."""
        raise self._endless()

    def _endless(self) -> DomainError:
        return DomainError(f"the values must be a closed domain, got {self!r}")

    def one(self, value: Any) -> Indices:
        """The index of one text, as a column of one."""
        return np.array([self.index(value)], np.int64)

    def base(self, text: str) -> int:
        """The base of one text, an unsigned 64-bit integer."""
        return base(self.key, text)

    def index(self, value: Any) -> int:
        """The base as a signed integer; lone surrogates and other values than text are refused."""
        index = self._find(value)
        if index is None:
            raise LabelError(f"the value must be text in Unicode, got {stranger(value)}")
        return index

    def _find(self, value: object) -> int | None:
        if not isinstance(value, str) or not is_unicode(value):
            return None
        base = self.base(value)
        return base - (1 << 64) if base >> 63 else base

    def indices(self, labels: Labels) -> Indices:
        """The signed bases of a column; each distinct text is hashed once, and anything but text refuses the column."""
        values = text_column(labels)
        texts = [text for text in {value for value in values if isinstance(value, str)} if is_unicode(text)]
        known = dict(zip(texts, self._hashed(texts).tolist(), strict=True))
        wrong = [place for place, value in enumerate(values) if not isinstance(value, str) or value not in known]
        if wrong:
            raise LabelError(
                f"every value must be text in Unicode, got {len(wrong)} of {len(values)} that are not "
                f"(the first at position {wrong[0]})",
                wrong[0],
            )
        return np.fromiter((known[value] for value in values), np.int64, len(values))

    def _hashed(self, texts: Iterable[str]) -> Indices:
        """The signed bases of many texts: the key is hashed once for all, which takes half the time."""
        keyed, bases = hmac.new(self.key.encode(), digestmod="sha256"), bytearray()
        for text in texts:
            text_hash = keyed.copy()
            text_hash.update(text.encode())
            bases += text_hash.digest()[:8]
        return np.frombuffer(bases, "<i8").astype(np.int64)

    def column(self, labels: Labels) -> Indices:
        """As ``indices``: every index belongs to some text, so anything but text must be refused at once."""
        return self.indices(labels)

    def check(self, found: Indices) -> None:
        """Accepts every column: any index belongs to some text."""


def text_column(labels: Any) -> list[Any]:
    """A column of any kind as a list, whose entries may still be other things than text."""
    if not is_column(labels):
        raise LabelError(f"labels must be a column of text, got {type(labels).__name__}")
    values = python_values(labels)
    if not values:
        raise LabelError("labels must hold at least one value, got an empty column")
    return values


def bases(values: Indices) -> Words:
    """Signed bases as unsigned 64-bit words, without copying."""
    return values.view(np.uint64)
