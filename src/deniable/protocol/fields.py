"""Checks of a survey's own fields: names, words, times and lengths of time."""

from __future__ import annotations

import datetime
import re
from typing import Any

from .checks import check_int, is_int, is_unicode, shown
from .errors import ParameterError
from .say import Statement

SURVEY = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
QUESTION = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,62}")
MOST_WORDS = 4000
"""The most characters of a title, a purpose or a question's wording."""
MOST_SECONDS = 10 * 366 * 86400
"""Ten years: the longest time that a survey may keep anything."""
TIME = "%Y-%m-%dT%H:%M:%SZ"


def check_survey_name(field: str, value: Any) -> str:
    """A name that can stand in an address: lower-case letters, digits and hyphens.

    >>> check_survey_name("name", "commute-2026")
    'commute-2026'
    """
    if not isinstance(value, str) or not SURVEY.fullmatch(value):
        raise ParameterError(
            f"{field} must be 1 to 64 lower-case letters, digits and hyphens, and neither begin nor end with a hyphen, "
            f"got {_shown(value)}"
        )
    return value


def check_question_name(value: Any) -> str:
    """A question's name, which also names columns: a letter, then letters, digits, hyphens and underscores."""
    if not isinstance(value, str) or not QUESTION.fullmatch(value):
        raise ParameterError(
            "a question's name must be a letter, then up to 62 letters, digits, hyphens and underscores, "
            f"got {_shown(value)}"
        )
    return value


def check_words(field: str, value: Any) -> str:
    """Words for people: text in Unicode, perhaps empty, and not endless."""
    if not isinstance(value, str) or not is_unicode(value) or len(value) > MOST_WORDS:
        raise ParameterError(Statement("text_at_most", field=field, most=str(MOST_WORDS), got=_kind_of(value)))
    return value


def check_time(field: str, value: Any) -> str | None:
    """A time in UTC as it is written in a document, to the second; None for none.

    >>> check_time("opens", datetime.datetime(2026, 8, 1, tzinfo=datetime.timezone.utc))
    '2026-08-01T00:00:00Z'
    """
    if value is None:
        return None
    if isinstance(value, datetime.datetime) and value.tzinfo is not None and not value.microsecond:
        return value.astimezone(datetime.UTC).strftime(TIME)
    if isinstance(value, str) and (moment := _read_time(value)) is not None:
        return moment.strftime(TIME)
    raise ParameterError(
        f'{field} must be a time in UTC to the second, such as "2026-08-01T00:00:00Z", or None, got {_kind_of(value)}'
    )


def read_time(value: str) -> datetime.datetime:
    """A time of a document, which has been checked."""
    return datetime.datetime.strptime(value, TIME).replace(tzinfo=datetime.UTC)


def check_seconds(field: str, value: Any, least: int = 0) -> int:
    """A length of time in whole seconds; a timedelta is one too."""
    if isinstance(value, datetime.timedelta):
        value = value // datetime.timedelta(seconds=1) if value % datetime.timedelta(seconds=1) == NOTHING else value
    if not is_int(value):
        raise ParameterError(
            f"{field} must be a whole number of seconds, such as 86400 for a day, got {field}={shown(value)}"
        )
    return check_int(field, value, least, MOST_SECONDS)


NOTHING = datetime.timedelta()


def _read_time(value: str) -> datetime.datetime | None:
    """The time that a text writes in the one way, or None."""
    try:
        moment = read_time(value)
    except ValueError:
        return None
    return moment if moment.strftime(TIME) == value and moment.year >= 1000 else None


def _shown(value: Any) -> str:
    """A name as an error shows it: an author's, not a respondent's."""
    return repr(value) if isinstance(value, str) and len(value) <= 80 else _kind_of(value)


def _kind_of(value: Any) -> str:
    return f"{len(value)} other characters" if isinstance(value, str) else type(value).__name__
