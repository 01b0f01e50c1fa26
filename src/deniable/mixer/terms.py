"""What a mixer reads of a survey's document: who asks, how many must answer, and the length of what is sealed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Self

from deniable.intake.storage.rows import SurveyRow
from deniable.intake.uploads import Form
from deniable.protocol.canonical import canonical
from deniable.protocol.errors import ParameterError
from deniable.protocol.surveys.crowd import Crowd
from deniable.protocol.surveys.sealed_answer import SealedForm
from deniable.surveys.survey import Survey


@dataclass(frozen=True, slots=True)
class SealedUploads(Form):
    """Uploads of sealed answers: all of one arm, of one length. What is in them nobody here knows."""

    crowd: Crowd

    @classmethod
    def of(cls, survey: Survey) -> Self:
        """The uploads of a survey; refused if none of its answers go through a mixer."""
        if survey.crowd is None or survey.crowd.key is None:
            raise ParameterError(
                "a survey that a mixer allows must have a crowd with a key, got a draft without one; whoever asks has "
                "the file that deniable collector put wrote"
            )
        return cls(survey, (SealedForm.of(survey).sealed,), survey.crowd)

    @property
    def summary(self) -> dict[str, Any]:
        """What an operator reads before allowing the survey."""
        survey, crowd = self.survey, self.crowd
        return {
            "title": survey.title, "owner": survey.owner, "collector": crowd.collector, "mixer": crowd.mixer,
            "period": survey.period, "opens": survey.opens, "closes": survey.closes, "least": crowd.least,
            "level": crowd.level, "delta": crowd.delta, "together": survey.promise.level,
        }  # fmt: skip


def sealed_uploads(row: SurveyRow) -> SealedUploads:
    """The form of what is uploaded to a survey as it is stored."""
    return SealedUploads.of(Survey.from_stored(row.document))


def wording_of(survey: Survey) -> str:
    """The SHA-256 of what people read of the questions: two that ask the same divide those who answer."""
    asked = [words.to_json() for words in survey.own_words.questions.values()]
    text = " ".join(canonical({"questions": asked}).casefold().split())
    return hashlib.sha256(text.encode()).hexdigest()


def check_token(token: str) -> str:
    """A token as it stands in a header."""
    if not token or not token.isascii() or not token.isprintable():
        got = "none" if not token else "other characters"
        raise ParameterError(f"a collector's token must be printable ASCII characters on one line, got {got}")
    return token
