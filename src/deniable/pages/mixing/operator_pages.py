"""What the operator of a mixer sees and does: allow a survey, make codes, close it, and see what became of all."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from deniable.intake.refusals import UNKNOWN, Refusal, Refused
from deniable.intake.storage.rows import SurveyRow
from deniable.intake.uploads import MOST_BYTES
from deniable.mixer.terms import check_token
from deniable.pages.frame import HEADERS
from deniable.pages.handing.codes import invitations_of, merge_list, short_address
from deniable.pages.languages import say_to
from deniable.pages.mixing.mixer_site import MixerSite
from deniable.pages.mixing.standing import MixerStanding
from deniable.pages.sent_files import NO_PART, sent_parts
from deniable.pages.zones import local_moment, zone_of
from deniable.protocol.checks import check_int
from deniable.protocol.errors import DenialError, StoreError
from deniable.protocol.fields import read_time
from deniable.protocol.say import Phrase, Statement
from deniable.protocol.surveys.crowd import THIS_MACHINE
from deniable.surveys.document import Document
from deniable.surveys.label import Label
from deniable.surveys.survey import Survey

MOST_WAITING: Final = 4
"""So many documents wait in memory at a time."""
MOST_CODES, MOST_DRAWN = 2000, 500
"""So many codes are shown at a time, and so many of them as QR codes, in about ten seconds."""
LONGEST_NUMBER: Final = 16
LEVELS: Final = ("crowd_collector", "crowd_together")
"""The keys of what a label says of both levels."""
WAIT_FULL: Final = Refusal(
    "conflict", 409, f"at most {MOST_WAITING} surveys may wait, allow or refuse one of them first"
)
CODES_MADE: Final = Refusal("conflict", 409, "codes were made meanwhile: reload the page, and see how many there are")


class WaitingSurvey(NamedTuple):
    """A survey of which the operator has not yet said whether it is allowed, with the token of its collector."""

    survey: Survey
    token: str
    is_tried: bool
    """Whether its collector could be asked of the token."""


class OperatorPages:
    """Answers the browser of whoever runs the mixer."""

    def __init__(self, site: MixerSite) -> None:
        self._site, self._desk, self._cache = site, site.context.desk, site.context.cache
        self._waiting: dict[str, WaitingSurvey] = {}
        """By their digests; a mixer that is started anew has forgotten them."""

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [
            page("/", self.desk),
            page("/waiting", self.bring, ("POST",)),
            page("/waiting/{digest}/allow", self.allow, ("POST",)),
            page("/waiting/{digest}/refuse", self.refuse, ("POST",)),
            page("/surveys/{digest}", self.read),
            page("/surveys/{digest}/codes", self.codes, ("POST",)),
            page("/surveys/{digest}/close", self.ask_to_close),
            page("/surveys/{digest}/close", self.close, ("POST",)),
            page("/surveys/{digest}/again", self.send_again, ("POST",)),
            page("/clock", self.confirm, ("POST",)),
        ]

    async def desk(self, request: Request) -> Response:
        """All that there is, what waits first."""
        await self._site.admit(request)
        return await self._desk_page(request)

    async def _desk_page(self, request: Request, status: int = 200, error: Phrase = "") -> Response:
        """All that there is, with what was wrong with something that was sent."""
        zone, intake = zone_of(request), self._site.context.intake
        surveys = await asyncio.to_thread(self._desk.status)
        standing = MixerStanding.of(surveys, intake.now(), zone, self._desk.doubts(), intake.disk)
        waiting = [await asyncio.to_thread(self._reviewed, each) for each in list(self._waiting.values())]
        for each in waiting:
            each["closes"] = local_moment(read_time(each["closes"]), zone)
        return await self._site.render(
            request, "mixing/desk.html", status=status, standing=standing, waiting=waiting, error=error,
            most=MOST_CODES, needs=standing.needs(len(waiting)), outside=_is_reached(request, surveys),
        )  # fmt: skip

    def _reviewed(self, waiting: WaitingSurvey) -> dict[str, Any]:
        """What is read of a survey before it is allowed."""
        levels = [each for each in Label(waiting.survey).statements if each.key in LEVELS]
        return {
            **self._desk.review(waiting.survey),
            "levels": levels,
            "population": waiting.survey.population,
            "is_tried": waiting.is_tried,
        }

    async def bring(self, request: Request) -> Response:
        """A document to be allowed, with the token of its collector."""
        await self._site.admit(request)
        sent = await sent_parts(self._site, request, MOST_BYTES)
        try:
            token = check_token(sent.get("token", NO_PART).text.strip())
            survey = await asyncio.to_thread(Survey.from_json, sent.get("survey", NO_PART).text)
            tried = await asyncio.to_thread(self._desk.try_token, survey, token)
            if survey.digest not in self._waiting and len(self._waiting) >= MOST_WAITING:
                raise Refused(WAIT_FULL)
        except StoreError:
            raise
        except (DenialError, Refused) as error:
            reason = error.refusal.detail if isinstance(error, Refused) else str(error)
            return await self._desk_page(request, 422, reason)
        self._waiting[survey.digest] = WaitingSurvey(survey, token, tried)
        return _back()

    async def allow(self, request: Request) -> Response:
        """Allow a survey that waits; only with a tick if another asks the same, or its own token was another."""
        fields, digest = await self._site.form(request), request.path_params["digest"]
        waiting = self._waiting_survey(digest)
        try:
            await asyncio.to_thread(self._desk.allow, waiting.survey, waiting.token, "confirmed" in fields)
        except Refused as refused:
            return await self._desk_page(request, refused.refusal.status, refused.refusal.detail)
        self._waiting.pop(digest, None)
        self._cache.forget(digest)
        return _back()

    async def refuse(self, request: Request) -> Response:
        """Forget what waits."""
        await self._site.form(request)
        self._waiting_survey(request.path_params["digest"])
        self._waiting.pop(request.path_params["digest"], None)
        return _back()

    def _waiting_survey(self, digest: str) -> WaitingSurvey:
        if digest not in self._waiting:
            raise Refused(UNKNOWN)
        return self._waiting[digest]

    async def read(self, request: Request) -> Response:
        """The questions of a survey, and what its label says."""
        await self._site.admit(request)
        waiting = self._waiting.get(request.path_params["digest"])
        survey: Document = waiting.survey if waiting is not None else (await self._allowed(request))[1]
        sentences = await asyncio.to_thread(lambda: list(map(say_to(request), Label(survey).statements)))
        return await self._site.render(request, "mixing/survey.html", survey=survey, statements=sentences)

    async def codes(self, request: Request) -> Response:
        """New codes: shown once, as a list to print and as a table to save."""
        fields = await self._site.form(request)
        row, survey = await self._allowed(request)
        sent = {name: _whole(str(fields.get(name, ""))) for name in ("people", "before")}
        try:
            people = check_int("the number of codes", sent["people"], 1, MOST_CODES)
        except DenialError as error:
            return await self._desk_page(request, 422, str(error))
        if (await asyncio.to_thread(self._desk.invited, row))["all"] != sent["before"]:
            raise Refused(CODES_MADE)  # a form that is sent again makes none
        codes = await asyncio.to_thread(self._desk.codes, row, people)
        self._cache.forget(row.digest)
        crowd = self._site.context.intake.form(row).crowd
        invitations, title = invitations_of(codes, f"{crowd.collector}/q/{row.digest}"), survey.title or survey.name
        closes = local_moment(read_time(str(survey.closes)), zone_of(request))
        table = merge_list(invitations, title, say_to(request)(closes))
        drawn = invitations if people <= MOST_DRAWN else []
        pictures = await asyncio.to_thread(lambda: [each.picture for each in drawn])
        return await self._site.render(
            request, "mixing/codes.html", title=title, owner=survey.owner, invitations=invitations, name=survey.name,
            short=short_address(str(crowd.collector), row.digest), closes=closes, pictures=pictures,
            table=base64.b64encode(table).decode(), most=MOST_DRAWN,
        )  # fmt: skip

    async def ask_to_close(self, request: Request) -> Response:
        """Ask whether a survey is really to be closed."""
        await self._site.admit(request)
        row, survey = await self._allowed(request)
        return await self._site.render(
            request, "mixing/close.html", digest=row.digest, title=survey.title or survey.name,
            least=self._site.context.intake.form(row).crowd.least,
        )  # fmt: skip

    async def close(self, request: Request) -> Response:
        """Close a survey."""
        await self._site.form(request)
        row, _ = await self._allowed(request)
        await asyncio.to_thread(self._desk.close, row)
        self._cache.forget(row.digest)
        return _back()

    async def send_again(self, request: Request) -> Response:
        """Send the parcels of a survey once more."""
        await self._site.form(request)
        row, _ = await self._allowed(request)
        await asyncio.to_thread(self._desk.send_again, row)
        return _back()

    async def confirm(self, request: Request) -> Response:
        """Go on after the clock jumped: the operator says that it is right."""
        await self._site.form(request)
        await asyncio.to_thread(self._desk.believe_the_clock)
        return _back()

    async def _allowed(self, request: Request) -> tuple[SurveyRow, Document]:
        """A survey that was allowed."""
        row = await self._cache.survey(request.path_params["digest"])
        return row, (await asyncio.to_thread(self._site.context.intake.form, row)).survey


def _whole(text: str) -> Any:
    """A whole number as somebody typed it; the text if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER else text


def _is_reached(request: Request, surveys: Sequence[Mapping[str, Any]]) -> Statement:
    """Whether the page is read at the address at which people answer: who reads it there has reached it."""
    here = f"{request.url.scheme}://{request.url.netloc}"
    others = [row["mixer"] for row in surveys if not row["closed"] and row.get("mixer", here) != here]
    if others:
        return Statement("mixer_not_read_there", address=others[-1])
    return Statement("mixer_not_reached" if here.startswith(THIS_MACHINE) else "mixer_is_reached")


def _back() -> Response:
    """Where all stands, as it is now."""
    return RedirectResponse("/", 303, HEADERS)
