"""Checksums of what is stored for long: where other bytes are read than were written, it is noticed."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence

from deniable.intake.storage.rows import Chunk, PeriodKey
from deniable.protocol.errors import StoreError

LENGTH = 8
SEALED = "sealed"
"""The fact that everything has its checksum."""
CHUNK, SUMS, RELEASE = "chunk", "sums", "release"
ANSWERS, RESULT, PAGES = "answers", "result", "pages"
"""What of a period is damaged: its answers, what readers see of it, or only pages where it is to be written."""


class DamagedError(StoreError):
    """What was read is not what was written; a period that has it is set aside, and all others go on."""


def checksum_of(period: PeriodKey, kind: str, *values: int | str | bytes) -> bytes:
    """The first bytes of the SHA-256 of some values, the period that they belong to, and what they are there."""
    digest = hashlib.sha256()
    for value in (*period, kind, *values):
        part = value if isinstance(value, bytes) else str(value).encode()
        digest.update(struct.pack("<Q", len(part)))
        digest.update(part)
    return digest.digest()[:LENGTH]


def check(period: PeriodKey, kind: str, values: Sequence[int | str | bytes], checksum: bytes) -> None:
    """Refuse values that are not those that were written with a checksum."""
    if checksum_of(period, kind, *values) != checksum:
        raise DamagedError(f"what is stored must be as it was written, got {kind} of {period[1]} with another checksum")


def chunk_of(period: PeriodKey, key: int, batch: int, n: int, body: bytes) -> Chunk:
    """A chunk of answers with its checksum."""
    return Chunk(key, batch, n, body, checksum_of(period, CHUNK, key, n, body))
