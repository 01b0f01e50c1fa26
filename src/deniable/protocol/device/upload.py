"""The bytes of an upload; see wire/upload.md."""

from __future__ import annotations

import os

from ..surveys.answers import HEAD
from ..surveys.document import Document

ID = 16
"""The bytes of an upload's id."""


def new_id() -> bytes:
    """A random id, by which the collector knows a retry."""
    return os.urandom(ID)


def upload_of(document: Document, own_id: bytes, answer: bytes) -> bytes:
    """The upload of one answer: its id, one section of its arm, and the answer without the arm."""
    several = len(document.arms) > 1
    arm, reports = (answer[:HEAD], answer[HEAD:]) if several else (bytes(HEAD), answer)
    return own_id + arm + (1).to_bytes(4, "little") + reports
