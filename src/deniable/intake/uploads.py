"""From the bytes of an upload to answers that have the shape of some, without any state; see wire/upload.md."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from deniable.intake.refusals import MALFORMED, TOO_LARGE, Refusal, Refused
from deniable.intake.sections import Section, counted, read_sections
from deniable.surveys.document import Document

ID, HASH = 16, 4
"""Bytes of an upload's id, and of the SHA-256 that is kept of it, by which its repetition is known."""
MOST_ANSWERS, MOST_BYTES = 100_000, 1 << 24


class Upload(NamedTuple):
    """An upload of the right shape: its id, a hash of all its bytes, and its ``n`` answers, in a section for each arm.

    Whether a device can have sent these answers is for ``Form.impossible``.
    """

    id: bytes
    hash: bytes
    n: int
    sections: list[Section]


@dataclass(frozen=True, slots=True)
class Form:
    """What answers to a survey look like to whoever does not read them: those to an arm have one length."""

    survey: Document
    widths: tuple[int, ...]
    """The bytes of an answer to each arm."""

    def read(self, body: bytes) -> Upload:
        """The upload of these bytes; refused if it is too large or has not the shape of one."""
        if len(body) > MOST_BYTES:
            raise Refused(TOO_LARGE)
        sections = read_sections(self.widths, body, ID) if len(body) > ID else None
        if sections is None:
            raise Refused(MALFORMED)
        n = counted(sections)
        if n > MOST_ANSWERS:
            raise Refused(TOO_LARGE)
        return Upload(body[:ID], hashlib.sha256(body).digest()[:HASH], n, sections)

    def check_here(self) -> None:
        """Refuse answers that have to be sent to somebody else."""

    def impossible(self, uploads: Mapping[int, Upload]) -> dict[int, Refusal]:
        """The refusals, by place, of uploads with answers that no device sends; of sealed ones that is not known."""
        return {}
