"""What the server itself says on pages for the person asked, in English and German; the client says the rest."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final

CODES: Final = ("en", "de")
WORDS: Final[dict[str, dict[str, Any]]] = {
    code: json.loads((files("deniable.pages") / "languages" / f"{code}.json").read_text(encoding="utf-8"))
    for code in CODES
}
"""By language, then by key. The tests hold the languages to the same keys and places."""


def language_of(asked: str | None, accepted: str) -> str:
    """The language of a page: the one asked for, else the first of those that the browser accepts, else English.

    >>> language_of(None, "fr;q=0.9, de-AT, en"), language_of("en", "de"), language_of("xx", "")
    ('de', 'en', 'en')
    """
    wanted = [asked or "", *(tag for _, tag in sorted(map(_weighed, accepted.split(",")), key=lambda one: -one[0]))]
    return next((found for tag in wanted if (found := tag.strip().lower().split("-")[0]) in WORDS), "en")


def _weighed(written: str) -> tuple[float, str]:
    """A language that a browser accepts, with its weight: 1 unless given, 0 for one that makes no sense."""
    tag, _, weight = written.partition(";q=")
    try:
        return (float(weight) if weight.strip() else 1.0), tag
    except ValueError:
        return 0.0, tag
