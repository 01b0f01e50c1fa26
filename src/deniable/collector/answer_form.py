"""What answers to a survey look like to a collector, which reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from deniable.intake.refusals import NO_ANSWER, Refusal, Refused
from deniable.intake.sections import Section
from deniable.intake.uploads import Form, Upload
from deniable.surveys.answer_bytes import bad_report, columns_of
from deniable.surveys.survey import Survey

MOST_SOUND, SHORT = 1000, 16
"""How many answers of at most so many bytes are remembered as sound, for each survey."""


@dataclass(frozen=True, slots=True)
class AnswerForm(Form):
    """What answers to a survey look like: all that taking them needs to know of it."""

    survey: Survey
    _sound: set[Section] = field(default_factory=set, compare=False, repr=False)
    """Single short answers whose reports a device can send: they come again and again, and to check one takes long."""

    @classmethod
    def of(cls, survey: Survey) -> AnswerForm:
        """The form of a survey's answers."""
        return cls(survey, tuple(arm.width for arm in survey.arms))

    def check_here(self) -> None:
        """Refuse answers that a mixer takes: whoever sent them here would show whose they are."""
        if self.survey.crowd is not None:
            mixer = self.survey.crowd.mixer
            raise Refused(Refusal("elsewhere", 409, f"an answer must be sent to its mixer, {mixer}, got its collector"))

    def impossible(self, uploads: Mapping[int, Upload]) -> dict[int, Refusal]:
        """The refusals, by place, of uploads that hold a report which no device sends; all are checked at once."""
        sections = [section for upload in uploads.values() for section in upload.sections]
        new = [section for section in sections if section.n != 1 or section not in self._sound]
        if not new:
            return {}
        if not self._are_sound(new):
            return {place: NO_ANSWER for place, upload in uploads.items() if not self._are_sound(upload.sections)}
        if len(self._sound) < MOST_SOUND:
            self._sound.update(section for section in new if section.n == 1 and len(section.rows) <= SHORT)
        return {}

    def _are_sound(self, sections: Iterable[Section]) -> bool:
        """Whether every report in these answers is one that a device can send."""
        rows: dict[int, list[bytes]] = {}
        for section in sections:
            rows.setdefault(section.arm, []).append(section.rows)
        arms = self.survey.arms
        return all(bad_report(arms[k], columns_of(arms[k], b"".join(of_arm))) is None for k, of_arm in rows.items())
