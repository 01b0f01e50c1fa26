"""The bytes of an upload; see wire/upload.md."""

from __future__ import annotations

import os

from ..surveys.device_document import DeviceDocument
from ..surveys.document import HEAD

ID = 16
"""The bytes of an upload's id."""


def new_id() -> bytes:
    """A random id, by which the collector knows a retry."""
    return os.urandom(ID)


def upload_of(document: DeviceDocument, own_id: bytes, answer: bytes) -> bytes:
    """The upload of one answer: its id, one section of its arm, and the answer without the arm."""
    head = document.head_bytes
    arm, reports = answer[:head] or bytes(HEAD), answer[head:]
    return own_id + arm + (1).to_bytes(4, "little") + reports
