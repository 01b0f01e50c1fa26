"""The front of the house: signing in and out, all surveys, the keys, and what pages are made of."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Mapping, Sequence
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from deniable.collector.desk import overview_of
from deniable.intake.access import allows
from deniable.intake.http.json_reply import json_reply
from deniable.intake.http.reply_headers import root_of
from deniable.intake.refusals import SCOPE, UNKNOWN, Refusal, Refused
from deniable.intake.storage.rows import Token
from deniable.pages import result_links
from deniable.pages.assets import serve_asset
from deniable.pages.builder.draft_list import draft_entries
from deniable.pages.builder.forms import KEPT_BYTES, SentForm, form_from_text
from deniable.pages.builder.shelf import KeptDraft, address_of
from deniable.pages.frame import HEADERS
from deniable.pages.front.dates import Calendar
from deniable.pages.front.listing import FEW, Listing
from deniable.pages.front.needs import needs_of
from deniable.pages.front.survey_entry import SurveyEntry
from deniable.pages.json_values import finite
from deniable.pages.languages import say_to
from deniable.pages.results.headlines import WHOLE, Finding, HeadlineKey
from deniable.pages.sessions import COOKIE, OPERATOR_TOKEN, give_cookie, goes_on, take_cookie
from deniable.pages.site import Site
from deniable.pages.start_drawing import start_drawing, start_examples
from deniable.pages.zones import zone_of
from deniable.protocol.say import Phrase, Statement

PRINT: Final = "deniable collector link --data DIR"
MOST_NEEDS: Final = 4
"""So many surveys that need a look are named at first; the others stand in a fold."""
NO_TOKEN: Final = Statement("this_token_is_not_known")
OTHER_ERRORS: Final[dict[Refusal, Statement]] = {SCOPE: Statement("this_token_may_not_write")}


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
        may_write, zone = allows(token, "put"), zone_of(request)
        parts = await self._site.parts(request, token)
        entries, kept = await asyncio.to_thread(self._entries, token, zone, may_write, parts)
        if not entries and not kept:
            drawing, examples = await asyncio.to_thread(lambda: (start_drawing(), start_examples()))
            values: dict[str, Any] = {"drawing": drawing, "examples": examples, "may_write": may_write}
            return await self._site.render(request, "start.html", **values)
        listing = Listing.of(request.query_params)
        shown = listing.surveys(entries)
        findings = await self._findings(shown)
        drafts = await asyncio.to_thread(draft_entries, kept, zone)
        away = sum(entry.row.away for entry in entries)
        needs = needs_of(drafts, [entry for entry in entries if not entry.row.away]) if may_write else ()
        return await self._site.render(
            request, "home.html", surveys=shown, findings=findings, may_write=may_write, axis=WHOLE, away=away,
            drafts=listing.drafts(drafts, say_to(request)), needs=needs, most_needs=MOST_NEEDS, places=_places(entries),
            listing=listing, finds=len(entries) + len(drafts) > FEW or away > 0,
            examples=await asyncio.to_thread(start_examples) if may_write else (),
        )  # fmt: skip

    async def surveys_json(self, request: Request) -> Response:
        """All surveys that the reader may see, with their findings, for programs."""
        token = await self._site.admit(request, "read")
        parts = await self._site.parts(request, token)
        entries, _ = await asyncio.to_thread(self._entries, token, zone_of(request), False, parts)
        findings = await self._findings(entries)
        listed = [entry.to_dict(findings.get(entry.key) if entry.key else None) for entry in entries]
        return json_reply(finite(listed), headers=HEADERS)

    async def _findings(self, entries: Sequence[SurveyEntry]) -> Mapping[HeadlineKey, Finding]:
        wanted = {entry.key: entry.survey for entry in entries if entry.key is not None}
        return await self._site.headlines.of(self._site.context.desk, wanted)

    def _entries(
        self, token: Token, zone: datetime.tzinfo, with_drafts: bool, parts: Mapping[str, frozenset[str]]
    ) -> tuple[list[SurveyEntry], list[KeptDraft]]:
        """The surveys that the reader may see, the newest first, and their own drafts, read together."""
        collector = self._site.context.collector
        calendar = Calendar(zone, collector.now())
        overview, drafts = collector.run(
            lambda t: (overview_of(t), t.drafts.all(token.id) if with_drafts else [])  # uploads wait but once
        )
        entries = [
            SurveyEntry(
                row, collector.form(row).survey, collector.doors(row), standings, calendar, parts.get(row.name),
                allows(token, "count", row),
            )
            for row, standings in reversed(overview.items())
            if allows(token, "read", row)
        ]  # fmt: skip
        return entries, [KeptDraft.of(row) for row in drafts]

    async def keys(self, request: Request) -> Response:
        """What the keyboard does."""
        return await self._site.render(request, "keys.html")

    async def sign_in(self, request: Request) -> Response:
        """Where one signs in."""
        return await self._ask(request, _on_this_host(request.query_params.get("next")))

    async def enter(self, request: Request) -> Response:
        """Sign in by a token; what somebody typed whose session was over is kept now."""
        fields = await self._site.long_form(request, KEPT_BYTES)
        wanted, secret = _on_this_host(str(fields.get("next", "/"))), str(fields.get("token", "")).strip()
        kept = str(fields.get("kept", ""))
        try:
            token = await asyncio.to_thread(self._site.context.gate.holder, request, secret)
            if kept and not allows(token, "put"):
                raise Refused(SCOPE)
        except Refused as refused:
            return await self._ask(request, wanted, OTHER_ERRORS.get(refused.refusal, NO_TOKEN), refused, kept)
        if kept:
            wanted = await asyncio.to_thread(self._keep, token, kept)
        return await self._let_in(request, token, wanted)

    def _keep(self, token: Token, kept: str) -> str:
        """Keep the form that was typed before its author signed in; the address at which they go on."""
        sent = SentForm.of(*form_from_text(kept))
        return address_of(self._site.shelf.save(token.id, sent.id, sent.version, sent.draft), sent.step)

    async def _ask(
        self, request: Request, wanted: str, error: Phrase = "", refused: Refused | None = None, kept: str = ""
    ) -> Response:
        """The page where one signs in, to go on to ``wanted``; ``kept`` is what was typed when a session was over."""
        status = 200 if refused is None else refused.refusal.status
        return await self._site.render(request, "enter.html", status=status, next=wanted, error=error, kept=kept)

    async def enter_once(self, request: Request) -> Response:
        """Sign in by the link that was printed when the server started."""
        if not goes_on(request):
            return await self._site.render(request, "onwards.html", what=Statement("your_surveys"))
        if not self._site.links.take(request.path_params["secret"]):
            error = Statement("this_link_is_good_once_for_15", command=PRINT)
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
            take_cookie(reply, request, cookie)
        return reply

    async def _let_in(self, request: Request, token: Token, wanted: str) -> Response:
        reply = RedirectResponse(wanted, 303, HEADERS)
        give_cookie(reply, request, COOKIE, await asyncio.to_thread(self._site.sessions.begin, token))
        return reply


def _places(entries: Sequence[SurveyEntry]) -> dict[str, tuple[int, int]]:
    """By their digests, the surveys that share a title: which of how many each is, the oldest first."""
    by_title: dict[str, list[str]] = {}
    for entry in reversed(entries):
        by_title.setdefault(entry.title, []).append(entry.row.digest)
    several = [digests for digests in by_title.values() if len(digests) > 1]
    return {digest: (place, len(digests)) for digests in several for place, digest in enumerate(digests, 1)}


def _on_this_host(wanted: Any) -> str:
    """Where to go on: nowhere but on this host."""
    path = str(wanted or "/")
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"
