"""A survey that runs: what its author hands out to people, how it stands, and its end."""

from __future__ import annotations

import asyncio
import datetime
import json
import re
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute

from deniable.collector.desk import OTHER_TITLE
from deniable.intake.refusals import Refusal, Refused
from deniable.intake.storage.rows import SurveyRow
from deniable.pages.frame import HEADERS, base_of, download
from deniable.pages.handing.codes import Invitation, invitations_of, qr_code, qr_file
from deniable.pages.handing.handout import Handout, handout_at
from deniable.pages.handing.printed import MOST_SHEETS, SHEETS, people_list, with_qr_codes
from deniable.pages.handing.run_view import RunView, made_up_words
from deniable.pages.handing.snippets import embedding, programs
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.languages import author_language, language_of, others, say_to, wanted_by
from deniable.pages.site import LOCAL, Site
from deniable.pages.zones import said_zone, zone_of
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Phrase, Statement, language
from deniable.protocol.surveys.translations import nearest
from deniable.surveys.survey import Survey

MOST_CODES: Final = 100_000
LONGEST_PEOPLE: Final = len(str(MOST_CODES))
TEXTS: Final = "texts"
"""The parameter that says in which language people are to read what is handed out."""
FINAL_WORD: Final = "final"
CLOSE_WORDS: Final = ("close", FINAL_WORD)
LINK_PICTURE: Final = Statement("the_link_as_a_qr_code")


@dataclass(frozen=True)
class CodesForm:
    """For how many people codes are wanted, as it was typed, and what is wrong with it."""

    people: str
    fault: Phrase = ""

    @property
    def count(self) -> int:
        """How many people; 0 if it is no number of people."""
        return int(self.people) if re.fullmatch(f"[0-9]{{1,{LONGEST_PEOPLE}}}", self.people) else 0


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
            page("/run/{digest}/poster", self.poster),
            page("/run/{digest}/close", self.close, ("POST",)),
            page("/run/{digest}/tablet", self.tablet, ("POST",)),
            page("/run/{digest}/away", self.away, ("POST",)),
            page("/run/{digest}/delete", self.delete, ("POST",)),
            page("/run/{digest}/codes", self.codes, ("POST",)),
        ]

    async def survey(self, request: Request) -> Response:
        """All that is needed to hand it out."""
        return await self._page(request, await self._row(request))

    async def _page(
        self, request: Request, row: SurveyRow, refused: CodesForm | None = None, wrong_title: bool = False
    ) -> Response:
        """The page, and what is wrong with the number of people that codes were asked for, or with a title."""
        view = await asyncio.to_thread(run_view, self._site, row, request)
        form = refused or CodesForm(str(view.missing_codes))
        reachable, base, lan = is_reachable(request), base_of(request), self._site.context.lan
        handout, say = handout_for(self._site, request, row), say_to(request)
        return await self._site.render(
            request, "run.html", status=422 if form.fault or wrong_title else 200, view=view, asked=form,
            handout=handout, wrong_title=wrong_title, choices=_languages(handout), is_reachable=reachable,
            is_local=request.url.hostname in LOCAL, room="" if lan is None or not view.survey.lan else lan.url,
            picture=None if row.invited or not reachable else qr_code(handout.link, say(LINK_PICTURE)),
            embedding=embedding(base, row.digest, row.invited), most_sheets=MOST_SHEETS, said_zone=said_zone(request),
            programs=programs(base, row.digest, _example(view.survey), row.invited),
        )  # fmt: skip

    # --- for anybody ------------------------------------------------------------------------------------------------

    async def data(self, request: Request) -> Response:
        """How a survey stands, for programs; without a link where none can be used by itself."""
        row = await self._row(request)
        link = handout_for(self._site, request, row).link if is_reachable(request) and not row.invited else None
        about = {"name": row.name, "digest": row.digest, "link": link, "invited": row.invited, "since": row.day}
        return JSONResponse({**about, "closed": row.ended is not None}, headers=HEADERS)

    async def picture(self, request: Request) -> Response:
        """The link as a QR code."""
        row = await self._shareable(request)
        return Response(
            qr_file(handout_for(self._site, request, row).link), media_type="image/svg+xml", headers=HEADERS
        )

    async def poster(self, request: Request) -> Response:
        """A poster to print."""
        handout = handout_for(self._site, request, await self._shareable(request))
        picture = qr_code(handout.link, handout.link)
        return await self._site.render(
            request, "handing/poster.html", handout=handout, picture=picture, choices=_languages(handout)
        )

    async def _shareable(self, request: Request) -> SurveyRow:
        """The survey, if a link to it that is the same for all can be used."""
        row = await self._row(request)
        if row.invited:
            raise Refused(OWN_LINKS)
        if not is_reachable(request):
            raise Refused(PLAIN)
        return row

    # --- for one person each ----------------------------------------------------------------------------------------

    async def codes(self, request: Request) -> Response:
        """New codes as letters, cards or a list. They are kept nowhere."""
        row, form = await self._row(request, "invite"), await self._site.form(request)
        if not is_reachable(request):
            raise Refused(PLAIN)
        asked = _codes_form(form)
        if asked.fault:
            return await self._page(request, row, asked)
        token = await self._site.admit(request, "invite", row)
        codes = await asyncio.to_thread(self._site.context.desk.invite, row, asked.count, token.name)
        self._site.context.cache.forget(row.digest)
        handout = handout_for(self._site, request, row, invited=True)
        invitations = invitations_of(codes, handout.link)
        if (kind := form.get("as")) in SHEETS:
            return await self._sheets(request, f"handing/{kind}.html", handout, invitations)
        return download(
            people_list(handout, invitations), "text/csv; charset=utf-8", f"{row.name}-{row.digest[:8]}-links.csv"
        )

    async def _sheets(
        self, request: Request, template: str, handout: Handout, invitations: list[Invitation]
    ) -> Response:
        """Letters or cards; their QR codes are drawn beside what else the server does."""
        drawn = await asyncio.to_thread(with_qr_codes, invitations)
        return await self._site.render(request, template, handout=handout, drawn=drawn)

    async def close(self, request: Request) -> Response:
        """End a survey by hand, if its author has ticked the box."""
        row, form = await self._row(request, "close"), await self._site.form(request)
        if form.get("sure") not in CLOSE_WORDS:
            raise ParameterError("the box must be ticked to close a survey, got one that is not")
        token = await self._site.admit(request, "close", row)
        await asyncio.to_thread(self._site.context.desk.end, row, token.name, final=form["sure"] == FINAL_WORD)
        self._site.context.cache.forget(row.digest)
        return RedirectResponse(f"/run/{row.digest}", 303, HEADERS)

    async def tablet(self, request: Request) -> Response:
        """Open a copy that one device asks, which goes round; there is one of each survey at most."""
        row, site = await self._row(request), self._site
        await site.form(request)
        await site.admit(request, "put")
        fields = {**json.loads(row.document), "kiosk": True}
        if site.context.lan is not None:
            fields["lan"] = True
        copy = Survey.from_json(json.dumps(fields))
        await asyncio.to_thread(site.context.desk.put, copy, row.owner)
        return RedirectResponse(f"/run/{copy.digest}", 303, HEADERS)

    async def away(self, request: Request) -> Response:
        """Put a survey away, or show it in the list again."""
        row, form = await self._row(request), await self._site.form(request)
        token = await self._site.admit(request, "share", row)
        await asyncio.to_thread(self._site.context.desk.put_away, row, form.get("away") == "1", token.name)
        self._site.context.cache.forget(row.digest)
        return RedirectResponse(f"/run/{row.digest}", 303, HEADERS)

    async def delete(self, request: Request) -> Response:
        """Delete a survey for good, if its author types the title."""
        row, form = await self._row(request, "delete"), await self._site.form(request)
        token = await self._site.admit(request, "delete", row)
        try:
            await asyncio.to_thread(self._site.context.desk.delete, row, str(form.get("title", "")), token.name)
        except Refused as refused:
            if refused.refusal is not OTHER_TITLE:
                raise
            return await self._page(request, row, wrong_title=True)
        self._site.context.cache.forget(row.digest)
        return RedirectResponse("/", 303, HEADERS)

    async def _row(self, request: Request, action: str = "share") -> SurveyRow:
        row = await self._site.context.row(request)
        await self._site.admit(request, action, row)
        return row


def run_view(site: Site, row: SurveyRow, request: Request) -> RunView:
    """How a survey stands, for its author."""
    collector, desk = site.context.collector, site.context.desk
    survey = collector.form(row).survey
    return RunView(
        row, survey, collector.doors(row), desk.standings(row), collector.now(), zone_of(request),
        desk.invitations(row), "" if row.invited else made_up_words(survey),
    )  # fmt: skip


def handout_for(site: Site, request: Request, row: SurveyRow, invited: bool | None = None) -> Handout:
    """What people are handed; phones in one room reach the collector at an address of their own."""
    collector, lan = site.context.collector, site.context.lan
    survey, now = collector.form(row).survey, datetime.datetime.fromtimestamp(collector.now(), datetime.UTC)
    texts = language_of(request.query_params.get(TEXTS), author_language(request))
    tag = nearest(survey.languages, wanted_by(request, TEXTS))
    is_invited = row.invited if invited is None else invited
    base = lan.url if lan is not None and survey.lan else base_of(request)
    return handout_at(base, survey, language(texts), tag, zone_of(request), now, invited=is_invited)


def _languages(handout: Handout) -> list[tuple[str, str]]:
    """Other languages for what is handed out, each with its name: those that we speak, and those of the survey."""
    spoken = [(each.code, each.name) for each in others(handout.say)]
    codes = {handout.say.code, *(code for code, _ in spoken)}
    tags = [tag for tag in handout.survey.languages if tag.split("-")[0] not in codes and tag != handout.tag]
    return spoken + [(tag, tag) for tag in tags]


def _codes_form(form: FormData) -> CodesForm:
    """What was typed, and a fault unless it is a number of people that there can be codes for."""
    asked = CodesForm(str(form.get("people", "")))
    most = MOST_SHEETS if form.get("as") in SHEETS else MOST_CODES
    if 1 <= asked.count <= most:
        return asked
    fault = Statement("write_a_whole_number_of_people", most=most)
    if most == MOST_SHEETS < asked.count:
        fault = Statement("a_list_has_up_to_of_them", fault=fault, most=MOST_CODES)
    return CodesForm(asked.people[:LONGEST_PEOPLE], fault)


def is_reachable(request: Request) -> bool:
    """Devices send to HTTPS only, but on this machine."""
    return request.url.scheme == "https" or request.url.hostname in LOCAL


def _example(survey: Survey) -> str:
    """An answer to every question, as a program would give it."""
    answers = {question.name: page_kind(question).example(question) for question in survey.questions}
    return json.dumps(answers, ensure_ascii=False)


OWN_LINKS: Final = Refusal(
    "conflict", 409, "a link for all must be to a survey that anybody can answer, got one where each person has a link"
)
PLAIN: Final = Refusal(
    "conflict", 409, "links must be made on a page that came over HTTPS, or on the server's machine, got plain HTTP"
)
