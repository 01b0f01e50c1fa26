"""A survey that runs: its link, what to copy into other pages, codes, and its end."""

from __future__ import annotations

import asyncio
import io
import json
import re
from typing import Final

import segno
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute

from deniable.collector.phases import survey_phase
from deniable.collector.storage.rows import SurveyRow
from deniable.pages.builder.snippets import snippets
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.label_terms import span
from deniable.pages.results.period_view import until_of
from deniable.pages.site import HEADERS, Site, base_of
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import english
from deniable.surveys.survey import Survey

LOCAL: Final = ("localhost", "127.0.0.1", "::1")
MOST_CODES: Final = 100_000
LONGEST_PEOPLE: Final = len(str(MOST_CODES))
USUAL_PEOPLE: Final = "100"
CLOSE_WORD: Final = "close"


class RunPages:
    """Shows an author how to hand a survey out, and ends it."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [
            page("/run/{digest}.json", self.data),
            page("/run/{digest}.svg", self.picture),
            page("/run/{digest}", self.survey),
            page("/run/{digest}/close", self.close, ("POST",)),
            page("/run/{digest}/codes", self.codes, ("POST",)),
        ]

    async def survey(self, request: Request) -> Response:
        """All that is needed to hand it out."""
        return await self._shown(request, await self._row(request), USUAL_PEOPLE)

    async def _shown(
        self, request: Request, row: SurveyRow, people: str, status: int = 200, fault: str = ""
    ) -> Response:
        """The page, and what is wrong with the number of people that codes were asked for."""
        collector = self._site.context.collector
        survey, doors, now = collector.form(row).survey, collector.doors(row), collector.now()
        standings = await asyncio.to_thread(self._site.context.desk.standings, row)
        answers = sum(standing.answers for standing in standings)
        link = _link(request, row) if _is_reachable(request) else ""
        return await self._site.render(
            request,
            "run.html",
            status=status,
            people=people,
            fault=fault,
            row=row,
            survey=survey,
            state=survey_phase(doors, standings, now).value,
            until=next(filter(None, (until_of(doors, standing.period, now) for standing in standings)), ""),
            is_asking=now < doors.ends,
            grace=english(span(survey.grace)),
            answers=answers,
            link=link,
            is_local=request.url.hostname in LOCAL,
            snippets=snippets(base_of(request), row.digest, _example(survey)) if link else [],
        )

    async def data(self, request: Request) -> Response:
        """The same for programs."""
        row = await self._row(request)
        link = _link(request, row) if _is_reachable(request) else None
        told = {"name": row.name, "digest": row.digest, "link": link, "invited": row.invited, "since": row.day}
        return JSONResponse({**told, "closed": row.ended is not None}, headers=HEADERS)

    async def picture(self, request: Request) -> Response:
        """The link as a QR code."""
        row = await self._row(request)
        written = io.BytesIO()
        segno.make(_link(request, row), error="m").save(written, kind="svg", scale=6, border=4, light="#ffffff")
        return Response(written.getvalue(), media_type="image/svg+xml", headers=HEADERS)

    async def close(self, request: Request) -> Response:
        """End it by hand, if the author says so in words."""
        row, form = await self._row(request, "close"), await self._site.form(request)
        if form.get("sure") != CLOSE_WORD:
            raise ParameterError("the box must be ticked to close a survey, got one that is not")
        token = await self._site.admit(request, "close", row)
        await asyncio.to_thread(self._site.context.desk.end, row, token.name)
        self._site.context.cache.forget(row.digest)
        return RedirectResponse(f"/run/{row.digest}", 303, HEADERS)

    async def codes(self, request: Request) -> Response:
        """New codes as a file, each a link for one person; they are kept nowhere."""
        row, form = await self._row(request, "invite"), await self._site.form(request)
        written = str(form.get("people", ""))
        people = int(written) if re.fullmatch(f"[0-9]{{1,{LONGEST_PEOPLE}}}", written) else 0
        if not 1 <= people <= MOST_CODES:
            fault = f"Write a whole number of people from 1 to {MOST_CODES:,}."
            return await self._shown(request, row, written[:LONGEST_PEOPLE], 422, fault)
        token = await self._site.admit(request, "invite", row)
        codes = await asyncio.to_thread(self._site.context.desk.invite, row, people, token.name)
        self._site.context.cache.forget(row.digest)
        text = "".join(f"{_link(request, row)}#code={code}\n" for code in codes)
        named = {"Content-Disposition": f'attachment; filename="{row.name}-links.txt"'}
        return PlainTextResponse(text, headers={**HEADERS, **named})

    async def _row(self, request: Request, action: str = "share") -> SurveyRow:
        row = await self._site.context.row(request)
        await self._site.admit(request, action, row)
        return row


def _link(request: Request, row: SurveyRow) -> str:
    return f"{base_of(request)}/q/{row.digest}"


def _is_reachable(request: Request) -> bool:
    """Devices send to HTTPS only, but on this machine."""
    return request.url.scheme == "https" or request.url.hostname in LOCAL


def _example(survey: Survey) -> str:
    """An answer to every question, as a program would give it."""
    answers = {question.name: page_kind(question).example(question) for question in survey.questions}
    return json.dumps(answers, ensure_ascii=False)
