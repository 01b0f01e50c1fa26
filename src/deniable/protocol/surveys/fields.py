"""Checks of a survey's own fields: names, words and times."""

from __future__ import annotations

import datetime
import re
from typing import Any

from ..checks import is_unicode
from ..errors import ParameterError

SURVEY = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
QUESTION = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,62}")
MOST_WORDS = 4000
"""The most characters of a title, a purpose or a question's wording."""
TIME = "%Y-%m-%dT%H:%M:%SZ"


def check_survey_name(field: str, value: Any) -> str:
    """A name that can stand in an address: lower-case letters, digits and hyphens.

    >>> check_survey_name("name", "commute-2026")
    'commute-2026'
    """
    if not isinstance(value, str) or not SURVEY.fullmatch(value):
        raise ParameterError(
            f"{field} must be 1 to 64 lower-case letters, digits and hyphens, and neither begin nor end with a hyphen, "
            "got another"
        )
    return value


def check_question_name(value: Any) -> str:
    """A question's name: a letter, then letters, digits, hyphens and underscores."""
    if not isinstance(value, str) or not QUESTION.fullmatch(value):
        raise ParameterError(
            "a question's name must be a letter, then up to 62 letters, digits, hyphens and underscores, got another"
        )
    return value


def check_words(field: str, value: Any) -> str:
    """Words for people: text in Unicode, perhaps empty, and not endless."""
    if not isinstance(value, str) or not is_unicode(value) or len(value) > MOST_WORDS:
        raise ParameterError(f"{field} must be text in Unicode of at most {MOST_WORDS} characters, got another value")
    return value


def check_time(field: str, value: Any) -> str | None:
    """A time in UTC to the second, or None; times in this form sort as texts do."""
    if value is None:
        return None
    if not isinstance(value, str) or _time_or_none(value) is None:
        raise ParameterError(
            f'{field} must be a time in UTC such as "2026-08-01T00:00:00Z", or null, got another value'
        )
    return value


def read_time(value: str) -> datetime.datetime:
    """A time of a document, which has been checked."""
    return datetime.datetime.strptime(value, TIME).replace(tzinfo=datetime.UTC)


def _time_or_none(value: str) -> datetime.datetime | None:
    try:
        found = read_time(value)
    except ValueError:
        return None
    return found if found.strftime(TIME) == value and found.year >= 1000 else None
