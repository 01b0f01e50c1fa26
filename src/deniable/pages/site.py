"""What all pages share: who reads, which survey it is about, whose form came, and how a page is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from jinja2 import Environment
from starlette.datastructures import FormData
from starlette.requests import Request

from deniable.collector.http.context import Context
from deniable.intake.access import allows
from deniable.intake.http.bodies import MOST_FORM
from deniable.intake.refusals import SCOPE, UNKNOWN, Refused
from deniable.intake.storage.rows import SurveyRow, Token
from deniable.intake.storage.transaction import Transaction
from deniable.pages import result_links
from deniable.pages.builder.shelf import Shelf
from deniable.pages.frame import OWN, PageFrame, SignInNeeded, base_of, environment, read_form
from deniable.pages.proofs import Proofs
from deniable.pages.result_links import GUEST, ResultLinks, guest_of
from deniable.pages.results.about import hint_of, in_groups, in_short, source_of
from deniable.pages.results.headlines import Headlines
from deniable.pages.results.period_view import PeriodView, day_in_words, find
from deniable.pages.results.readings import Readings
from deniable.pages.results.survey_view import tabs
from deniable.pages.sessions import COOKIE, OneTimeLinks, Sessions, Visitor, visitor_of
from deniable.protocol.say import Phrase

LOCAL: Final = ("localhost", "127.0.0.1", "::1")
"""Hosts that nobody else reaches."""
VISITORS: Final = "deniable.visitors"
"""Where in a request's scope it is kept who reads."""


@dataclass(frozen=True, eq=False)
class Site(PageFrame):
    """The collector behind the pages, and its readers."""

    context: Context
    sessions: Sessions
    links: OneTimeLinks
    result_links: ResultLinks
    proofs: Proofs
    headlines: Headlines
    shelf: Shelf
    readings: Readings
    drawing: asyncio.Lock
    """Pixels and long tables take memory: one picture or table is made at a time."""

    async def visitors(self, request: Request) -> list[Visitor]:
        """Whoever is signed in, and then the same person as a guest, if they followed a shared link.

        They are looked up once, and kept with the request.
        """
        if VISITORS not in request.scope:
            names = COOKIE, result_links.COOKIE
            cookies = {name: value for name in names if (value := request.cookies.get(name))}
            request.scope[VISITORS] = await asyncio.to_thread(self._visitors, cookies) if cookies else []
        visitors: list[Visitor] = request.scope[VISITORS]
        return visitors

    def _visitors(self, cookies: Mapping[str, str]) -> list[Visitor]:
        """Whose cookies these are, looked up in one transaction."""
        session, shared = cookies.get(COOKIE, ""), cookies.get(result_links.COOKIE, "")
        now = self.context.collector.now()

        def look(t: Transaction) -> list[Visitor | None]:
            return [visitor_of(t, session, now), guest_of(t, shared, now)]

        return [visitor for visitor in self.context.collector.run(look) if visitor is not None]

    async def visitor(self, request: Request) -> Visitor | None:
        """Whoever reads."""
        return next(iter(await self.visitors(request)), None)

    def templates(self, code: str) -> Environment:
        """The templates in a language of authors."""
        return templates(code)

    def template_flags(self, visitor: Visitor | None) -> Mapping[str, Any]:
        """Whether the visitor is a guest, and whether phones in one room are asked."""
        return {
            "has_lan": self.context.lan is not None,
            "is_guest": visitor is not None and visitor.token.name == GUEST,
            "is_mixer": False,
        }

    async def admit(self, request: Request, action: str, row: SurveyRow | None = None) -> Token:
        """The token of whoever reads, by their session or by the request's own, if it allows the action."""
        if "authorization" in request.headers:
            return await self.context.admit(request, action, row)
        tokens = [visitor.token for visitor in await self.visitors(request)]
        if not tokens:
            raise SignInNeeded
        for token in tokens:
            if allows(token, action, row):
                return token
        # who may not see a survey does not learn that it is there
        hidden = row is not None and not any(allows(token, "read", row) for token in tokens)
        raise Refused(UNKNOWN if hidden else SCOPE)

    async def survey_row(self, request: Request) -> SurveyRow:
        """The survey of the address: the newest of its name, unless a digest is asked for."""
        name, digest = request.path_params["name"], request.query_params.get("digest")
        rows = await asyncio.to_thread(self.context.desk.surveys, name)
        versions = [row for row in rows if digest is None or row.digest.startswith(digest)]
        if not versions:
            raise Refused(UNKNOWN)
        return versions[-1]

    async def period_view(self, request: Request) -> PeriodView:
        """The period of the address, for whoever may read it."""
        row = await self.survey_row(request)
        token = await self.admit(request, "read", row)
        return await self.period(request, row, (await self.parts(request, token)).get(row.name))

    async def parts(self, request: Request, token: Token) -> Mapping[str, frozenset[str]]:
        """The questions that whoever was admitted may see, of surveys of which they may not see all."""
        return next((each.parts for each in await self.visitors(request) if each.token == token), {})

    async def period(self, request: Request, row: SurveyRow, only: frozenset[str] | None) -> PeriodView:
        """The period of the address, for who may see ``only`` these questions; None is all of them."""
        wanted = request.query_params.get("period")
        view = await asyncio.to_thread(find, self.context.collector, self.context.desk, row, wanted)
        return view if only is None else view.with_only(only)

    def source(self, request: Request, view: PeriodView, ending: str = "", when: Phrase = "") -> Phrase:
        """Who asked, when, and where it stands: for pictures, which leave their page."""
        address = f"{base_of(request).partition('://')[2]}/s/{view.row.name}{ending}"
        return source_of(view, day_in_words(self.context.collector.now()), address, when)

    async def long_form(self, request: Request, most: int) -> FormData:
        """The fields of a form from any page: a long one of those alone who are signed in, or were hours ago."""
        known = await asyncio.to_thread(self.sessions.knows, request.cookies.get(COOKIE, ""))
        return await read_form(request, most if known else MOST_FORM)


def compile_templates() -> None:
    """Make the templates of results ready, so that no first reader waits for it."""
    shared = templates(OWN)
    for name in ("home.html", *shared.list_templates(filter_func=lambda name: name.startswith("result/"))):
        shared.get_template(name)


@cache
def templates(code: str) -> Environment:
    """The templates in a language of authors."""
    templates = environment(code)
    templates.globals |= {"tabs": tabs, "protection": in_short, "hint": hint_of}
    templates.filters["groups"] = in_groups
    return templates
