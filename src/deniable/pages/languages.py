"""The language of a page for the person asked: the one asked for, or one that the browser accepts."""

from __future__ import annotations

from starlette.requests import Request

from deniable.protocol.say import Language, codes, language


def language_of(asked: str | None, accepted: str) -> str:
    """The language of a page: the one asked for, else the first of those that the browser accepts, else English.

    >>> language_of(None, "fr;q=0.9, de-AT, en"), language_of("en", "de"), language_of("xx", "")
    ('de', 'en', 'en')
    """
    wanted = [asked or "", *(tag for _, tag in sorted(map(_weighed, accepted.split(",")), key=lambda one: -one[0]))]
    return next((found for tag in wanted if (found := tag.strip().lower().split("-")[0]) in codes()), "en")


def language_for(request: Request) -> Language:
    """The language that a request wants."""
    return language(language_of(request.query_params.get("lang"), request.headers.get("accept-language", "")))


def others(say: Language) -> list[Language]:
    """All other languages, for links to the same page in them."""
    return [language(code) for code in codes() if code != say.code]


def _weighed(written: str) -> tuple[float, str]:
    """A language that a browser accepts, with its weight: 1 unless given, 0 for one that makes no sense."""
    tag, _, weight = written.partition(";q=")
    try:
        return (float(weight) if weight.strip() else 1.0), tag
    except ValueError:
        return 0.0, tag
