"""Surveys that somebody else's form carries: what their documents must say, and how long their values are."""

from __future__ import annotations

from typing import Final, Protocol

from ..errors import CapacityError, ParameterError
from .field_value import field_length
from .periods import ONCE

CARRIERS: Final = ("field",)
MOST_FIELD: Final = 2000
"""Characters of a value of a field: what is longer many hosts cut."""
LONG_FIELD: Final = 250
"""Characters that every host's usual short text takes, such as 255 in a column of type VARCHAR(255)."""


class Carried(Protocol):
    """What of a document has to fit its carrier."""

    period: str
    repeat: str
    mode: str
    lan: bool

    @property
    def sent_bytes(self) -> tuple[int, int]:
        """The least and the most bytes that an answer takes."""


def check_carried(survey: Carried) -> None:
    """Refuse terms other than of asking once, whoever fills in the form, and values too long for a field."""
    if survey.repeat != ONCE or survey.period != ONCE or survey.mode != "asked" or survey.lan:
        raise ParameterError(
            'a survey with carrier="field" must have period="once", repeat="once", mode="asked" and no lan, got '
            f"period={survey.period!r}, repeat={survey.repeat!r}, mode={survey.mode!r} and lan={survey.lan}"
        )
    longest = longest_value(survey)
    if longest > MOST_FIELD:
        raise CapacityError(
            f"a value of a field must have at most {MOST_FIELD:,} characters, got a survey whose values have "
            f"{longest:,}; ask fewer questions in it"
        )


def longest_value(survey: Carried) -> int:
    """How many characters the longest value has."""
    return field_length(survey.sent_bytes[1])
