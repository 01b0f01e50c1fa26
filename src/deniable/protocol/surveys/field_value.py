"""A report as the value of a field in somebody else's form; see wire/field.md."""

from __future__ import annotations

import hashlib
import os
import re
from typing import Final, NamedTuple

from ..base64url import read_base64url, write_base64url

PREFIX: Final = "deniable:1:"
NAMED: Final = 32
"""How many hex digits of the survey's digest stand in a value."""
DECLINED: Final = "!declined"
"""What stands in the place of the report of somebody who would rather not; no report begins so."""
ID, CHECK = 8, 4
"""Bytes of the random id, and of the hash by which an altered value is found."""
HEAD = re.compile(rf"{PREFIX}([0-9a-f]{{{NAMED}}}):([A-Za-z0-9_-]+|{DECLINED})")


class FieldValue(NamedTuple):
    """What a value holds: the first digits of its survey's digest, an id, and an answer; both empty of who declined."""

    survey: str
    id: bytes = b""
    answer: bytes = b""

    @property
    def is_declined(self) -> bool:
        """Whether nothing was reported."""
        return not self.id


def new_field_id() -> bytes:
    """A random id, of this answer and of no other."""
    return os.urandom(ID)


def field_length(answer: int) -> int:
    """How many characters the value of an answer of so many bytes has."""
    size = ID + answer + CHECK
    return len(PREFIX) + NAMED + 1 + (4 * size + 2) // 3


def write_field(digest: str, own_id: bytes, answer: bytes) -> str:
    """The text for a form's field: an answer with a random id of its own, to the survey of this ``digest``.

    >>> write_field("00" * 32, bytes(8), bytes([1]))
    'deniable:1:00000000000000000000000000000000:AAAAAAAAAAAB4V_tJg'
    """
    body = own_id + answer
    return _value(digest, write_base64url(body + _check(digest, body)))


def write_declined(digest: str) -> str:
    """The value of somebody who would rather not answer."""
    return _value(digest, DECLINED)


def read_field(digest: str, value: str) -> FieldValue | None:
    """What a value holds that was written for any survey; None if it was altered or cut.

    Id and answer are read, and checked by their hash, only for the survey of this ``digest`` and unless declined.
    """
    match = HEAD.fullmatch(value)
    if match is None:
        return None
    survey, written = match.groups()
    if written == DECLINED or survey != digest[:NAMED]:
        return FieldValue(survey)
    body = read_base64url(written)
    if body is None or len(body) < ID + CHECK or _check(digest, body[:-CHECK]) != body[-CHECK:]:
        return None
    return FieldValue(survey, body[:ID], body[ID:-CHECK])


def _value(digest: str, written: str) -> str:
    return f"{PREFIX}{digest[:NAMED]}:{written}"


def _check(digest: str, body: bytes) -> bytes:
    """The bytes by which a value shows that it was altered."""
    return hashlib.sha256(bytes.fromhex(digest) + body).digest()[:CHECK]
