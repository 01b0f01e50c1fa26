"""The front of the house: signing in and out, all surveys, the keys, and what pages are made of."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from deniable.collector.access import allows
from deniable.collector.http.careful import root_of
from deniable.collector.phases import Phase, survey_phase
from deniable.collector.refusals import SCOPE, UNKNOWN, Refusal, Refused
from deniable.collector.storage.rows import Standing, SurveyRow, Token
from deniable.pages import result_links
from deniable.pages.assets import serve_asset
from deniable.pages.builder.listed import draft_entries
from deniable.pages.builder.sent import KEPT_BYTES, SentForm, unpacked
from deniable.pages.builder.shelf import address_of
from deniable.pages.results.headlines import HeadlineKey
from deniable.pages.sessions import COOKIE, LASTS, OPERATOR_TOKEN
from deniable.pages.site import HEADERS, Site, read_form
from deniable.pages.start_drawing import start_drawing, start_examples
from deniable.pages.zones import zone_of
from deniable.surveys.survey import Survey

NO_TOKEN: Final = "This token is not known here. Check that it was copied whole."
OTHER_ERRORS: Final[dict[Refusal, str]] = {
    SCOPE: "This token may not write surveys. What you typed is still in this page: sign in with one that may."
}


@dataclass(frozen=True)
class Entry:
    """A survey in the list of all."""

    name: str
    digest: str
    title: str
    phase: Phase
    answers: int
    minimum: int
    since: str
    """The day on which it was put."""
    came: int | None = None
    """Of a survey with too few answers, of which nothing is shown any more, how many came."""
    headline: str = ""
    """What it found, as soon as that is worked out and may be seen."""

    def to_dict(self) -> dict[str, object]:
        """The same for programs."""
        return {**vars(self), "phase": self.phase.key, "state": self.phase.value}


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
            page("/enter", self.sign_in),
            page("/enter", self.enter, ("POST",)),
            page("/enter/{secret}", self.enter_once),
            page("/leave", self.leave, ("POST",)),
            page("/links", self.make_link, ("POST",)),
            page("/sign-out", self.sign_out, ("POST",)),
            Route("/static/{name}", serve_asset),
        ]

    async def surveys(self, request: Request) -> Response:
        """All surveys that the reader may see, and their own drafts; where there are none, what this is."""
        token = await self._site.admit(request, "read")
        may_write, listed = allows(token, "put"), await self._listed(token)
        kept = await asyncio.to_thread(self._site.shelf.all, token.name) if may_write else []
        if not listed and not kept:
            drawing, examples = await asyncio.to_thread(lambda: (start_drawing(), start_examples()))
            values: dict[str, Any] = {"drawing": drawing, "examples": examples, "may_write": may_write}
            return await self._site.render(request, "start.html", **values)
        drafts = await asyncio.to_thread(draft_entries, kept, zone_of(request))
        return await self._site.render(request, "home.html", surveys=listed, drafts=drafts, may_write=may_write)

    async def surveys_json(self, request: Request) -> Response:
        """The same for programs."""
        token = await self._site.admit(request, "read")
        listed = await self._listed(token)
        return JSONResponse([survey.to_dict() for survey in listed], headers=HEADERS)

    async def _listed(self, token: Token) -> list[Entry]:
        found = await asyncio.to_thread(self._entries, token)
        wanted = {key: survey for _, survey, key in found if key is not None}
        headlines = await self._site.headlines.of(self._site.context.desk, wanted)
        return [replace(entry, headline="" if key is None else headlines.get(key, "")) for entry, _, key in found]

    def _entries(self, token: Token) -> list[tuple[Entry, Survey, HeadlineKey | None]]:
        """The surveys that the reader may see, the newest first, and what their headlines are about."""
        collector, now = self._site.context.collector, self._site.context.collector.now()
        found = []
        for row, standings in reversed(self._site.context.desk.overview().items()):
            if allows(token, "read", row):
                survey, phase = collector.form(row).survey, survey_phase(collector.doors(row), standings, now)
                found.append((_entry(row, survey, phase, standings), survey, HeadlineKey.of(standings)))
        return found

    async def keys(self, request: Request) -> Response:
        """What the keyboard does."""
        return await self._site.render(request, "keys.html")

    async def sign_in(self, request: Request) -> Response:
        """Where one signs in."""
        return await self._ask(request, _inside(request.query_params.get("next")))

    async def enter(self, request: Request) -> Response:
        """Sign in by a token; what somebody typed whose session was over is kept now."""
        fields = await read_form(request, KEPT_BYTES)
        wanted, secret = _inside(str(fields.get("next", "/"))), str(fields.get("token", "")).strip()
        kept = str(fields.get("kept", ""))
        try:
            token = await asyncio.to_thread(self._site.context.gate.holder, request, secret)
            if kept and not allows(token, "put"):
                raise Refused(SCOPE)
        except Refused as refused:
            return await self._ask(request, wanted, OTHER_ERRORS.get(refused.refusal, NO_TOKEN), refused, kept)
        if kept:
            wanted = await asyncio.to_thread(self._kept, token, kept)
        return await self._let_in(request, token, wanted)

    def _kept(self, token: Token, kept: str) -> str:
        """Keep what was typed; where one goes on."""
        sent = SentForm.of(*unpacked(kept))
        return address_of(self._site.shelf.save(token.name, sent.id, sent.version, sent.draft), sent.step)

    async def _ask(
        self, request: Request, wanted: str, error: str = "", refused: Refused | None = None, kept: str = ""
    ) -> Response:
        """The page where one signs in."""
        status = 200 if refused is None else refused.refusal.status
        return await self._site.render(request, "enter.html", status=status, next=wanted, error=error, kept=kept)

    async def enter_once(self, request: Request) -> Response:
        """Sign in by the link that was printed when the server started."""
        if not goes_on(request):
            return await self._site.render(request, "onwards.html", what="your surveys")
        if not self._site.links.take(request.path_params["secret"]):
            error = "This link is good once, for 15 minutes. Print another: deniable collector link --data DIR"
            return await self._ask(request, "/", error, Refused(UNKNOWN))
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
        for cookie in (COOKIE, result_links.COOKIE):
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


def _entry(row: SurveyRow, survey: Survey, phase: Phase, standings: Sequence[Standing]) -> Entry:
    shown = sum(each.shown for each in standings)
    entry = Entry(row.name, row.digest, survey.title or row.name, phase, shown, survey.minimum, row.day)
    if phase in (Phase.WITHHELD, Phase.UNANSWERED):
        return replace(entry, came=max((each.answers for each in standings), default=0))
    return entry


def _inside(wanted: Any) -> str:
    """Where to go on: nowhere but on this host."""
    path = str(wanted or "/")
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"
