"""The front of the house: signing in and out, all surveys, the keys, and what pages are made of."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from deniable.collector.access import allows
from deniable.collector.desk import Standing
from deniable.collector.doors import Doors
from deniable.collector.http.careful import root_of
from deniable.collector.refusals import Refused
from deniable.collector.storage.rows import RELEASED, WITHHELD, SurveyRow, Token
from deniable.pages import shares
from deniable.pages.assets import serve_asset
from deniable.pages.results.found import LATE, STATES
from deniable.pages.results.headlines import Told, told_of
from deniable.pages.sessions import COOKIE, LASTS, OPERATOR_TOKEN
from deniable.pages.site import HEADERS, Site, read_form

OVER: Final = STATES[RELEASED]


@dataclass(frozen=True)
class Entry:
    """A survey in the list of all."""

    name: str
    digest: str
    title: str
    state: str
    answers: int
    minimum: int
    came: int | None = None
    """Of a survey with too few answers, of which nothing is shown any more, how many came."""
    headline: str = ""
    """What it found, as soon as that is worked out and may be seen."""


class FrontPages:
    """Lets people in, and shows them what is there."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [
            page("/", self.surveys),
            page("/surveys.json", self.surveys_json),
            page("/keys", self.keys),
            page("/enter", self.door),
            page("/enter", self.enter, ("POST",)),
            page("/enter/{secret}", self.enter_once),
            page("/leave", self.leave, ("POST",)),
            page("/links", self.make_link, ("POST",)),
            page("/sign-out", self.sign_out, ("POST",)),
            Route("/static/{name}", serve_asset),
        ]

    async def surveys(self, request: Request) -> Response:
        """All surveys that the reader may see."""
        token = await self._site.admit(request, "read")
        listed = await self._listed(token)
        return await self._site.render(request, "home.html", surveys=listed, may_write=allows(token, "put"))

    async def surveys_json(self, request: Request) -> Response:
        """The same for programs."""
        token = await self._site.admit(request, "read")
        listed = await self._listed(token)
        return JSONResponse([vars(survey) for survey in listed], headers=HEADERS)

    async def _listed(self, token: Token) -> list[Entry]:
        context = self._site.context
        found = await asyncio.to_thread(self._found, token)
        rows = {told: row for row, _, told in found if told is not None}
        said = await self._site.headlines.of(context.collector, context.desk, rows)
        return [replace(listed, headline="" if told is None else said.get(told, "")) for _, listed, told in found]

    def _found(self, token: Token) -> list[tuple[SurveyRow, Entry, Told | None]]:
        """The surveys that the reader may see, the newest first, and what their headlines are about."""
        desk = self._site.context.desk
        rows = [(row, desk.standings(row)) for row in reversed(desk.surveys()) if allows(token, "read", row)]
        return [(row, self._about(row, standings), told_of(row, standings)) for row, standings in rows]

    def _about(self, row: SurveyRow, standings: list[Standing]) -> Entry:
        collector = self._site.context.collector
        document = collector.form(row).survey
        state = state_of(collector.doors(row), collector.now(), bool(standings))
        shown = sum(standing.shown for standing in standings)
        listed = Entry(row.name, row.digest, document.title or row.name, state, shown, document.minimum)
        if state != OVER or shown:
            return listed
        withheld = [standing.answers for standing in standings if standing.state == WITHHELD]
        if standings and len(withheld) == len(standings):
            return replace(listed, state=STATES[WITHHELD], came=max(withheld))
        return listed if standings else replace(listed, came=0)

    async def keys(self, request: Request) -> Response:
        """What the keyboard does."""
        return await self._site.render(request, "keys.html")

    async def door(self, request: Request) -> Response:
        """Where one signs in."""
        return await self._site.render(request, "enter.html", next=_inside(request.query_params.get("next")), error="")

    async def enter(self, request: Request) -> Response:
        """Sign in by a token."""
        fields = await read_form(request)
        wanted, secret = _inside(str(fields.get("next", "/"))), str(fields.get("token", "")).strip()
        try:
            token = await asyncio.to_thread(self._site.context.door.holder, request, secret)
        except Refused as refused:
            error = "This token is not known here. Check that it was copied whole."
            return await self._site.render(
                request, "enter.html", status=refused.refusal.status, next=wanted, error=error
            )
        return await self._let_in(request, token, wanted)

    async def enter_once(self, request: Request) -> Response:
        """Sign in by the link that was printed when the server started."""
        if not goes_on(request):
            return await self._site.render(request, "onwards.html", what="your surveys")
        if not self._site.links.take(request.path_params["secret"]):
            error = "This link is good once, for 15 minutes. Print another: deniable collector link --data DIR"
            return await self._site.render(request, "enter.html", status=404, next="/", error=error)
        return await self._let_in(request, OPERATOR_TOKEN, "/")

    async def make_link(self, request: Request) -> Response:
        """A one-time link more, for whoever has an admin's token."""
        await self._site.context.admit(request, "manage")
        return JSONResponse({"path": f"{root_of(request.scope)}/enter/{self._site.links.make()}"}, headers=HEADERS)

    async def sign_out(self, request: Request) -> Response:
        """Sign everybody out, for whoever has an admin's token."""
        token = await self._site.context.admit(request, "manage")
        await asyncio.to_thread(self._site.sessions.end_all, token.name)
        return JSONResponse({}, headers=HEADERS)

    async def leave(self, request: Request) -> Response:
        """Sign out."""
        await self._site.form(request)
        await asyncio.to_thread(self._site.sessions.end, request.cookies.get(COOKIE, ""))
        reply = RedirectResponse("/enter", 303, HEADERS)
        for cookie in (COOKIE, shares.COOKIE):
            reply.delete_cookie(cookie, f"{root_of(request.scope)}/", httponly=True, samesite="strict")
        return reply

    async def _let_in(self, request: Request, token: Token, wanted: str) -> Response:
        reply = RedirectResponse(wanted, 303, HEADERS)
        give_cookie(reply, request, COOKIE, await asyncio.to_thread(self._site.sessions.begin, token))
        return reply


def give_cookie(reply: Response, request: Request, name: str, cookie: str) -> None:
    """Let somebody in: no script and no other site can use the cookie."""
    secure = request.url.scheme == "https"
    path = f"{root_of(request.scope)}/"
    reply.set_cookie(name, cookie, LASTS, path=path, httponly=True, samesite="strict", secure=secure)


def goes_on(request: Request) -> bool:
    """Whether a link that lets somebody in is followed from a page of ours.

    On the way from another site, such as a mailbox, browsers hold back our cookies, old and new. So the link leads to a
    page that goes on by itself; and whoever only looks where a link leads, as messengers do, uses nothing up.
    """
    return "go" in request.query_params


def state_of(doors: Doors, now: float, is_answered: bool) -> str:
    """How a survey stands, in a word."""
    if doors.is_over(now):
        return OVER
    if now >= doors.ends:
        return LATE
    return "Open" if is_answered else "Waiting for the first answer"


def _inside(wanted: Any) -> str:
    """Where to go on: nowhere but on this host."""
    path = str(wanted or "/")
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"
