"""Links to results for people without a token: read-only, with an end, and a password if one wants."""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute

from deniable.intake.access import hash_of
from deniable.intake.clock import DAY
from deniable.intake.http.limits import Rates, address_of
from deniable.intake.refusals import TOO_MANY, UNKNOWN, Refused
from deniable.intake.storage.rows import SurveyRow
from deniable.intake.storage.visits import ResultLinkRow
from deniable.pages.frame import HEADERS, base_of, read_form
from deniable.pages.json_values import finite
from deniable.pages.result_link_view import ended_in_words, link_view
from deniable.pages.result_links import COOKIE, Key, asked_link
from deniable.pages.results.address import query_of
from deniable.pages.sessions import give_cookie, goes_on
from deniable.pages.site import Site
from deniable.pages.zones import zone_of
from deniable.protocol.say import Statement

MOST_DAYS: Final = 3660
LONGEST_DAYS: Final = len(str(MOST_DAYS))
USUAL_DAYS: Final = "90"
LONGEST_PASSWORD: Final = 200
LONGEST_TITLE: Final = 100
NOTHING: Final[dict[str, Any]] = {
    "link": "", "framed": "", "opens": "", "faults": {}, "title": "", "is_part": False, "only": frozenset(),
}  # fmt: skip
"""What the page shows before anything is typed or made."""
PART: Final = "part"
"""What a form says of a link that opens some questions alone."""
ALL: Final = "all"
"""What a form says that ends all links."""
GUESSES: Final = 10
"""How many passwords an address may try in a minute."""


class ResultLinkPages:
    """Makes links, and lets in who has one."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._guesses = Rates(GUESSES, time.monotonic)

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [
            page("/s/{name}/share.json", self.data),
            page("/s/{name}/share", self.begin),
            page("/s/{name}/share", self.make, ("POST",)),
            page("/s/{name}/share/asked", self.open_to_asked, ("POST",)),
            page("/s/{name}/share/end", self.end, ("POST",)),
            page("/shared/{link}", self.arrive),
            page("/shared/{link}", self.arrive_with_password, ("POST",)),
        ]

    async def begin(self, request: Request) -> Response:
        """Ask how long a link is to be good."""
        row = await self._site.survey_row(request)
        await self._site.admit(request, "share", row)
        return await self._form(request, row, USUAL_DAYS)

    async def data(self, request: Request) -> Response:
        """The links for programs: for whom, until when, when last opened; never what opens them."""
        row = await self._site.survey_row(request)
        await self._site.admit(request, "share", row)
        links = await self._links(request, row)
        alive = [{name: value for name, value in each._asdict().items() if name != "id"} for each in links["links"]]
        content = {"links": alive, "ended": links["ended"], "open_to_asked": links["is_open"]}
        return JSONResponse(finite({"survey": row.name, **content}), headers=HEADERS)

    async def _form(self, request: Request, row: SurveyRow, days: str, status: int = 200, **typed: Any) -> Response:
        """The form without a link, with what was typed, and what is wrong with it."""
        return await self._page(request, row, status, days=days, **{**NOTHING, **typed})

    async def _page(self, request: Request, row: SurveyRow, status: int = 200, **shown: Any) -> Response:
        """The page, with the links that are good now."""
        view, query = await self._site.period(request, row, None), partial(query_of, request)
        values: dict[str, Any] = {**await self._links(request, row), **shown}
        return await self._site.render(request, "share.html", status=status, found=view, query=query, **values)

    async def _links(self, request: Request, row: SurveyRow) -> dict[str, Any]:
        """The links of a survey that are good now, and those that were, in words."""
        now, zone = self._site.context.collector.now(), zone_of(request)
        alive, ended = await asyncio.to_thread(self._site.result_links.all, row.name)
        asked = hash_of(asked_link(row.digest))
        survey = self._site.context.collector.form(row).survey
        return {
            "links": [link_view(each, survey, now, zone, asked) for each in alive],
            "ended": [ended_in_words(each, now, zone, asked) for each in reversed(ended)],
            "is_open": any(each.hash == asked for each in alive),
        }

    async def make(self, request: Request) -> Response:
        """Make a link, which is shown once."""
        row = await self._site.survey_row(request)
        token = await self._site.admit(request, "share", row)
        fields = await self._site.form(request)
        written = str(fields.get("days", ""))
        title = " ".join(str(fields.get("title", "")).split())[:LONGEST_TITLE]
        names = self._site.context.collector.form(row).survey.by_name
        is_part = str(fields.get("sees", "")) == PART
        only = frozenset(names) & frozenset(map(str, fields.getlist("question")))
        days, faults = _days(written), {}
        if days is None:
            faults["days"] = Statement("write_a_whole_number_of_days", most=MOST_DAYS)
        if is_part and not only:
            faults["sees"] = Statement("tick_the_questions_that_they")
        if only and not is_part:
            faults["sees"] = Statement("you_have_ticked_questions")
        if days is None or faults:
            typed = {"title": title, "faults": faults, "is_part": "sees" in faults or is_part, "only": only}
            return await self._form(request, row, written[:LONGEST_DAYS], 422, **typed)
        password = str(fields.get("password", ""))[:LONGEST_PASSWORD]
        until = self._site.context.collector.now() + days * DAY
        secret = await asyncio.to_thread(self._site.result_links.link_to, row.name, until, token, password, title, only)
        link = f"{base_of(request)}/shared/{secret}"
        frame = "" if password else f"{base_of(request)}/embed/{row.name}?link={secret}"
        opens = Statement("questions_or_one", count=len(only)) if only else Statement("the_result")
        return await self._form(request, row, str(days), link=link, framed=frame, opens=opens)

    async def open_to_asked(self, request: Request) -> Response:
        """Let everybody read the results who was asked; that can be ended as any link can, and begun again."""
        row = await self._site.survey_row(request)
        token = await self._site.admit(request, "share", row)
        await self._site.form(request)
        until = self._site.context.collector.now() + MOST_DAYS * DAY
        await asyncio.to_thread(self._site.result_links.open_to_asked, row, until, token)
        return RedirectResponse(f"/s/{row.name}/share", 303, HEADERS)

    async def end(self, request: Request) -> Response:
        """End a link."""
        row = await self._site.survey_row(request)
        token = await self._site.admit(request, "share", row)
        written = str((await self._site.form(request)).get("link", ""))
        if written == ALL:
            await asyncio.to_thread(self._site.result_links.end_all, row.name, token.name)
            return RedirectResponse(f"/s/{row.name}/share", 303, HEADERS)
        with contextlib.suppress(ValueError):  # what is no link need not be ended
            await asyncio.to_thread(self._site.result_links.end, row.name, bytes.fromhex(written), token.name)
        return RedirectResponse(f"/s/{row.name}/share", 303, HEADERS)

    async def arrive(self, request: Request) -> Response:
        """Follow a link; ask for its password if it has one."""
        link = await self._link(request)
        if link is None:
            return await self._ended(request)
        if link.salt:
            return await self._site.render(request, "shared.html", wrong=False)
        if not goes_on(request):
            return await self._site.render(request, "onwards.html", what=Statement("the_result"))
        return await self._let_in(request, link, Key(request.path_params["link"]))

    async def arrive_with_password(self, request: Request) -> Response:
        """Follow a link by its password."""
        link = await self._link(request)
        if link is None:
            return await self._ended(request)
        password = str((await read_form(request)).get("password", ""))[:LONGEST_PASSWORD]
        if not self._guesses.allow(address_of(request.scope)):
            raise Refused(TOO_MANY)
        key = await asyncio.to_thread(self._site.result_links.key_to, request.path_params["link"], link, password)
        if key is None:
            return await self._site.render(request, "shared.html", status=403, wrong=True)
        return await self._let_in(request, link, key)

    async def _link(self, request: Request) -> ResultLinkRow | None:
        return await asyncio.to_thread(self._site.result_links.read, request.path_params["link"])

    async def _ended(self, request: Request) -> Response:
        """Whom to ask, for who holds a link that has ended; who holds none learns nothing."""
        link = await asyncio.to_thread(self._site.result_links.ended, request.path_params["link"])
        rows = [] if link is None else await asyncio.to_thread(self._site.context.desk.surveys, link.survey)
        if not rows:
            raise Refused(UNKNOWN)
        survey = self._site.context.collector.form(rows[-1]).survey
        return await self._site.render(request, "ended.html", status=410, survey=survey)

    async def _let_in(self, request: Request, link: ResultLinkRow, key: Key) -> Response:
        """Lead on to the results; who is signed in stays signed in."""
        await asyncio.to_thread(self._site.result_links.follow, link)
        reply = RedirectResponse(f"/s/{link.survey}", 303, HEADERS)
        before = request.cookies.get(COOKIE, "")
        give_cookie(reply, request, COOKIE, self._site.result_links.cookie_with(before, key))
        return reply


def _days(written: str) -> int | None:
    """A number of days as people write it in a field; nothing if a link cannot be good for as many."""
    if not (written.isascii() and written.isdigit() and len(written) <= LONGEST_DAYS):
        return None
    return int(written) if 1 <= int(written) <= MOST_DAYS else None
