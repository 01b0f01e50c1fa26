"""Intake: from the bytes of an upload to answers that are checked, without any state; see wire/upload.md."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from deniable.intake.refusals import MALFORMED, NO_ANSWER, TOO_LARGE, Refusal, Refused
from deniable.intake.sections import Section, counted, read_sections, widths_of
from deniable.surveys.answer_bytes import bad_report, columns_of
from deniable.surveys.survey import Survey

ID, HASH = 16, 4
"""Bytes of an upload's id, and of the SHA-256 that is kept of it, by which its repetition is known."""
MOST_SOUND, SHORT = 1000, 16
"""How many answers of at most so many bytes are remembered as sound, for each survey."""
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
    _sound: set[Section] = field(default_factory=set, compare=False, repr=False)
    """Single short answers that were found to be some: they come again and again, and to check one anew takes long."""

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
        given = [section for upload in uploads.values() for section in upload.sections]
        new = [section for section in given if section.n != 1 or section not in self._sound]
        if not new:
            return {}
        if not self._are_sound(new):
            return {place: NO_ANSWER for place, upload in uploads.items() if not self._are_sound(upload.sections)}
        if len(self._sound) < MOST_SOUND:
            self._sound.update(section for section in new if section.n == 1 and len(section.rows) <= SHORT)
        return {}

    def _are_sound(self, sections: Iterable[Section]) -> bool:
        rows: dict[int, list[bytes]] = {}
        for section in sections:
            rows.setdefault(section.arm, []).append(section.rows)
        arms = self.survey.arms
        return all(bad_report(arms[k], columns_of(arms[k], b"".join(own))) is None for k, own in rows.items())
