"""What the routes of a mixer's operator share."""

from __future__ import annotations

from typing import Any, NamedTuple

from deniable.intake.http.survey_cache import SurveyCache
from deniable.intake.http.token_gate import TokenGate
from deniable.intake.intake import Intake
from deniable.mixer.desk import Desk
from deniable.mixer.terms import SealedUploads


class Context(NamedTuple):
    """A mixer and who guards it."""

    intake: Intake[Any, SealedUploads]
    desk: Desk
    gate: TokenGate
    cache: SurveyCache
