"""The language of a page for the person asked: the one asked for, or one that the browser accepts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from markupsafe import Markup, escape
from starlette.requests import Request

from deniable.protocol.say import PLACE, Language, Statement, Wording, codes, language


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


def wanted_by(request: Request) -> tuple[str, ...]:
    """The tags of the languages that a request wants, the dearest first: the one asked for, then the browser's."""
    accepted = sorted(map(_weighed, request.headers.get("accept-language", "").split(",")), key=lambda one: -one[0])
    return tuple(tag.strip() for tag in (request.query_params.get("lang", ""), *(tag for _, tag in accepted)) if tag)


class MarkedLanguage(Language):
    """A language that says things as HTML, in which texts that are not its own are set apart by ``<bdi>``."""

    def __call__(self, statement: Statement | str, **values: Any) -> Markup:
        """A statement in this language, as HTML."""
        return Markup(super().__call__(statement, **values))

    def worded(self, wording: Wording, values: Mapping[str, Any]) -> Markup:
        """Words with their values."""
        form = escape(self.form(wording, values))
        return Markup(PLACE.sub(lambda place: self._written(values[place[1]], place[2]), form))

    def _written(self, value: Any, kind: str | None) -> str:
        if isinstance(value, str) and value and not isinstance(value, Markup):
            return Markup("<bdi>{}</bdi>").format(value)
        return super()._written(value, kind)


@cache
def marked(code: str) -> MarkedLanguage:
    """A language by its code, as HTML."""
    return MarkedLanguage(code)


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
