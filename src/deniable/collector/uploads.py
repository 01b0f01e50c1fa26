"""Intake: from the bytes of an upload to answers that are checked, without any state; see wire/upload.md."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from deniable.collector.refusals import MALFORMED, NO_ANSWER, TOO_LARGE, Refusal, Refused
from deniable.collector.sections import Section, counted, read_sections, widths_of
from deniable.surveys.answer_bytes import bad_report, columns_of
from deniable.surveys.survey import Survey

ID, HASH = 16, 4
"""Bytes of an upload's id, and of the SHA-256 that is kept of it, by which its repetition is known."""
MOST_ANSWERS, MOST_BYTES = 100_000, 1 << 24


class Upload(NamedTuple):
    """An upload that has the shape of one; whether its answers are some is for ``Form.strangers``."""

    id: bytes
    hash: bytes
    n: int
    sections: list[Section]


@dataclass(frozen=True, slots=True)
class Form:
    """What answers to a survey look like: all that taking them needs to know of it."""

    survey: Survey
    widths: tuple[int, ...]

    @classmethod
    def of(cls, survey: Survey) -> Form:
        """The form of a survey's answers."""
        return cls(survey, widths_of(survey))

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

    def strangers(self, uploads: Mapping[int, Upload]) -> dict[int, Refusal]:
        """The refusals of those that hold a report which no device sends; all are checked at once."""
        if self._are_sound(section for upload in uploads.values() for section in upload.sections):
            return {}
        return {place: NO_ANSWER for place, upload in uploads.items() if not self._are_sound(upload.sections)}

    def _are_sound(self, sections: Iterable[Section]) -> bool:
        rows: dict[int, list[bytes]] = {}
        for section in sections:
            rows.setdefault(section.arm, []).append(section.rows)
        arms = self.survey.arms
        return all(bad_report(arms[k], columns_of(arms[k], b"".join(own))) is None for k, own in rows.items())
