"""The bytes of an upload; see wire/upload.md."""

from __future__ import annotations

import os
from typing import Final

from ..surveys.device_document import DeviceDocument
from ..surveys.document import HEAD

ID: Final = 16
"""The bytes of an upload's id."""
COUNT: Final = 4
"""The bytes of the number of answers in a section."""


def new_id() -> bytes:
    """A random id, by which the collector knows a retry."""
    return os.urandom(ID)


def upload_of(document: DeviceDocument, own_id: bytes, answer: bytes) -> bytes:
    """The upload of one answer: its id, one section of its arm, and the answer without the arm."""
    head = document.head_bytes
    return upload_of_one(own_id, answer[head:], answer[:head] or bytes(HEAD))


def upload_of_one(own_id: bytes, body: bytes, arm: bytes = bytes(HEAD)) -> bytes:
    """An upload whose one section has one answer."""
    return own_id + arm + (1).to_bytes(COUNT, "little") + body


def answer_in(document: DeviceDocument, upload: bytes) -> bytes:
    """The answer of an upload that holds one."""
    return upload[ID : ID + document.head_bytes] + upload[ID + HEAD + COUNT :]
