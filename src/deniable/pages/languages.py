"""The language of a page: the one asked for, or one that the browser accepts.

Whoever is asked chooses it by the address alone, so nothing of it is kept. An author's choice is kept in a cookie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from deniable.intake.http.reply_headers import root_of
from deniable.protocol.say import PLACE, Language, Say, Statement, Wording, codes, language

COOKIE: Final = "deniable-lang"
"""What an author has chosen."""
KEPT: Final = 365 * 86400
"""Seconds for which it is kept."""
MOST_LETTERS, MOST_TAGS = 200, 20
"""How much of a browser's list of languages is read: some names are enough to find one that is here."""


def language_of(asked: str | None, accepted: str) -> str:
    """The language of a page: the one asked for, else the first of those that the browser accepts, else English.

    >>> language_of(None, "fr;q=0.9, de-AT, en"), language_of("en", "de"), language_of("xx", "")
    ('de', 'en', 'en')
    """
    wanted = [asked or "", *_by_weight(accepted)]
    return next((found for tag in wanted if (found := tag.strip().lower().split("-")[0]) in codes()), "en")


def language_for(request: Request) -> Language:
    """The language that a request of somebody asked wants."""
    return language(language_of(request.query_params.get("lang"), request.headers.get("accept-language", "")))


def author_language(request: Request) -> str:
    """The language of a page for authors: the one chosen now or before, else one that the browser accepts."""
    chosen = request.query_params.get("lang") or request.cookies.get(COOKIE)
    return language_of(chosen, request.headers.get("accept-language", ""))


def say_to(request: Request) -> Say:
    """What says texts in the language of a page for authors."""
    return language(author_language(request)).text


def keep_choice(request: Request, reply: Response) -> None:
    """Keep the language that an author has chosen by this request, if they did."""
    chosen = request.query_params.get("lang", "")
    if chosen in codes():
        reply.set_cookie(
            COOKIE,
            chosen,
            KEPT,
            path=f"{root_of(request.scope)}/",
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )


def wanted_by(request: Request, key: str = "lang") -> tuple[str, ...]:
    """The tags of the languages that a request wants, the dearest first: the one asked for, then the browser's."""
    accepted = _by_weight(request.headers.get("accept-language", ""))
    return tuple(tag.strip() for tag in (request.query_params.get(key, ""), *accepted) if tag)


class TemplateLanguage(Language):
    """A language as templates say it: their words are HTML, and values are escaped unless they are HTML."""

    def __call__(self, statement: Statement | str, **values: Any) -> Markup:
        whole = Statement(statement, **values) if isinstance(statement, str) else statement
        escaped = {name: self._escaped(each) for name, each in whole.values.items()}
        return Markup(self.worded(self.words[whole.key], escaped))

    def _escaped(self, value: Any) -> Any:
        if isinstance(value, str | Statement):
            return escape(self.plain.text(value))
        return [self._escaped(each) for each in value] if isinstance(value, Sequence) else value

    def number(self, value: int) -> str:
        """A whole number as people write it."""
        return self._written(value, None)

    @property
    def plain(self) -> Language:
        """The language as text, without HTML."""
        return language(self.code)


class MarkedLanguage(Language):
    """A language that says things as HTML, in which texts that are not its own are set apart by ``<bdi>``."""

    def __call__(self, statement: Statement | str, **values: Any) -> Markup:
        return Markup(super().__call__(statement, **values))

    def worded(self, wording: Wording, values: Mapping[str, Any]) -> Markup:
        form = escape(self.form(wording, values))
        return Markup(PLACE.sub(lambda place: self._written(values[place[1]], place[2]), form))

    def _written(self, value: Any, kind: str | None) -> str:
        if isinstance(value, str) and value and not isinstance(value, Markup):
            return Markup("<bdi>{}</bdi>").format(value)
        return super()._written(value, kind)

    def _listed(self, said: list[str], kind: str) -> Markup:
        return Markup(super()._listed(said, kind))


@cache
def marked(code: str) -> MarkedLanguage:
    """A language by its code, as HTML."""
    return MarkedLanguage(code)


def others(say: Language) -> list[Language]:
    """All other languages, for links to the same page in them."""
    return [language(code) for code in codes() if code != say.code]


class LanguageLink(NamedTuple):
    """Another language of a page, or of the survey on it."""

    code: str
    name: str


def links_of(languages: Sequence[str], shown: str, say: Language) -> list[LanguageLink]:
    """The other languages of a survey that is read in the one ``shown``; of the page where it does not say any."""
    if not languages:
        return [LanguageLink(each.code, each.name) for each in others(say)]
    return [LanguageLink(tag, _name(tag)) for tag in languages if tag != shown]


def language_choices(request: Request, shown: str) -> list[tuple[str, LanguageLink]]:
    """The address of this page in each other language of authors; nowhere after a form, which is not sent again."""
    if request.method != "GET":
        return []
    query = [(key, value) for key, value in request.query_params.multi_items() if key != "lang"]
    return [
        (urlencode([*query, ("lang", code)]), LanguageLink(code, language(code).name))
        for code in codes()
        if code != shown
    ]


def lang_of(tag: str) -> Markup:
    """The attribute ``lang`` of an author's words; nothing where the survey does not say which language they are."""
    return Markup(' lang="{}"').format(tag) if tag else Markup()


def _name(tag: str) -> str:
    """What a language calls itself, where a page speaks it; else its tag."""
    code = tag.lower().split("-")[0]
    return language(code).name if code in codes() else tag


def _by_weight(accepted: str) -> list[str]:
    """The languages that a browser accepts, the dearest first; of a longer list the first of them alone."""
    named = accepted[:MOST_LETTERS].split(",")[:MOST_TAGS]
    return [tag for _, tag in sorted(map(_weighed, named), key=lambda one: -one[0])]


def _weighed(written: str) -> tuple[float, str]:
    """A language that a browser accepts, with its weight: 1 unless given, 0 for one that makes no sense."""
    tag, _, weight = written.partition(";q=")
    try:
        return (float(weight) if weight.strip() else 1.0), tag
    except ValueError:
        return 0.0, tag
