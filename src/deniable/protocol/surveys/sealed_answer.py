"""An answer that only its collector can open: what is sealed, and for whom; see wire/crowd.md."""

from __future__ import annotations

import os
from typing import Any, Final, NamedTuple, Protocol, Self

from ..errors import ReportError
from .crowd import POINT
from .document import Document

INNER_ID: Final = 16
"""Bytes of the id inside, by which a collector knows an answer that two mixers' uploads hold."""
TAG: Final = 16
"""Bytes behind it, which show a change."""
INFO: Final = b"deniable crowd 1\0"


class Sealer(Protocol):
    """Seals for whoever has the private key of a point."""

    def check(self, key: bytes) -> None:
        """Refuse a key that is no point of the curve."""

    def seal(self, key: bytes, info: bytes, plain: bytes) -> bytes:
        """Something sealed under a key that is used once; the point of that comes first."""


class OpenedAnswer(NamedTuple):
    """What a collector finds in a sealed answer."""

    id: bytes
    answer: bytes


def new_inner_id() -> bytes:
    """A random id, drawn apart from that of the upload."""
    return os.urandom(INNER_ID)


def info_of(digest: str, period: str) -> bytes:
    """What an answer is sealed for: in no other survey and no other period can it be opened."""
    return INFO + bytes.fromhex(digest) + period.encode("ascii")


class SealedForm(NamedTuple):
    """The shape of a survey's answers when they are sealed: all have one length."""

    head: int
    """How many bytes name the arm of an answer."""
    lengths: tuple[int, ...]
    """The length of an answer to each arm."""

    @classmethod
    def of(cls, document: Document[Any]) -> Self:
        """The shape of the answers to a survey."""
        return cls(document.head_bytes, tuple(map(document.answer_bytes, range(len(document.arms)))))

    @property
    def plain(self) -> int:
        """How many bytes are sealed: an inner id, and as many as the longest answer has."""
        return INNER_ID + max(self.lengths)

    @property
    def sealed(self) -> int:
        """How many bytes a sealed answer has."""
        return POINT + self.plain + TAG

    def write(self, own_id: bytes, answer: bytes) -> bytes:
        """An id and an answer as bytes to be sealed, filled up with zeros to one length."""
        if len(own_id) != INNER_ID or len(answer) != self._length(answer):
            given = f"{len(own_id)} and {len(answer)} bytes"
            raise ReportError(f"what is sealed must be an id of 16 bytes and an answer to the survey, got {given}")
        return (own_id + answer).ljust(self.plain, b"\0")

    def read(self, plain: bytes) -> OpenedAnswer | None:
        """What was sealed; None if it has another length, names no arm, or has more than zeros after the answer."""
        length = self._length(plain[INNER_ID:])
        if len(plain) != self.plain or length is None or any(plain[INNER_ID + length :]):
            return None
        return OpenedAnswer(plain[:INNER_ID], plain[INNER_ID : INNER_ID + length])

    def _length(self, answer: bytes) -> int | None:
        """The length that an answer must have by the arm that it names first; None if the survey has no such arm."""
        arm = int.from_bytes(answer[: self.head], "little")
        return self.lengths[arm] if arm < len(self.lengths) else None
