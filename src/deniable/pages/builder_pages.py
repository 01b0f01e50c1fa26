"""The builder: three forms from a question to a survey that runs, each kept on the server at every moment."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from urllib.parse import quote

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute

from deniable.collector.desk import TAKEN
from deniable.intake.access import allows
from deniable.intake.refusals import UNKNOWN, Refused
from deniable.intake.storage.rows import Token
from deniable.pages.builder.advice import with_advice, without_advice
from deniable.pages.builder.draft import STEPS, Draft
from deniable.pages.builder.draft_survey import survey_of
from deniable.pages.builder.editing import edited
from deniable.pages.builder.fields import Faults
from deniable.pages.builder.form_views import check_values, language_values, learn_values, question_values
from deniable.pages.builder.forms import (
    AFTER,
    BYTES,
    OPEN_UNSTATED,
    SentForm,
    faults_of_learning,
    faults_of_opening,
    faults_of_questions,
    form_to_text,
)
from deniable.pages.builder.notation import saved_at
from deniable.pages.builder.presets import with_ready_text
from deniable.pages.builder.shelf import KeptDraft, address_of
from deniable.pages.builder.translations import faults_of_languages
from deniable.pages.frame import HEADERS, base_of, is_own_form
from deniable.pages.languages import author_language, say_to
from deniable.pages.site import LOCAL, Site
from deniable.pages.zones import zone_of
from deniable.protocol.errors import DenialError
from deniable.protocol.say import Say
from deniable.surveys.document import Document

FORMS: Final = (*STEPS, "languages")
"""The steps, and the form beside the first one."""
BEFORE: Final = {
    "questions": (),
    "languages": (),
    "learn": ("questions",),
    "check": ("questions", "learn", "languages"),
}
"""The forms that must stand before each one is shown."""
LIVE: Final = {"questions": "preview", "learn": "outcome", "check": "opening"}
"""The part of each form that is written anew after every change."""

OPENING: Final = ("open", OPEN_UNSTATED)
"""The values of the buttons that open a survey."""


class BuilderPages:
    """Leads an author through the steps of a draft."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        reads = [page(f"/new/{{id}}/{form}", self.show) for form in FORMS]
        return [*reads, *(page(f"/new/{{id}}/{form}", self.take, ("POST",)) for form in FORMS)]

    # --- forms that are shown ---------------------------------------------------------------------------------------

    async def show(self, request: Request) -> Response:
        """A step of a draft; of one whose earlier steps cannot stand, the first of these."""
        token = await self._site.admit(request, "put")
        step = request.url.path.rsplit("/", 1)[-1]
        draft = await asyncio.to_thread(self._site.shelf.find, token.id, request.path_params["id"])
        by_form = await self._faults(draft.draft, token)
        if (wrong := next((form for form in BEFORE[step] if by_form.get(form)), None)) is not None:
            return _to(f"/new/{draft.id}/{wrong}?check=1")
        faults = by_form.get(step, {}) if "check" in request.query_params else {}
        at, code = request.query_params.get("at", ""), author_language(request)
        values = await self._values(token, draft, step, faults, at, code)
        frame: dict[str, Any] = {"step": step, "steps": STEPS, "kept": draft, "faults": faults}
        frame["saved"] = saved_at(draft.changed, zone_of(request))
        field = request.query_params.get("field") or next(iter(faults), "")
        frame |= {"field": field, "is_local": request.url.hostname in LOCAL}
        return await self._site.render(request, f"builder/{step}.html", **frame, **values)

    async def _values(
        self, token: Token, draft: KeptDraft, step: str, faults: Faults, at: str, code: str
    ) -> dict[str, Any]:
        """What a step shows on a page in a language; of questions the one that is open."""
        if step == "questions":
            return question_values(draft.draft, faults, at, code)
        if step == "languages":
            return language_values(draft.draft)
        others = await asyncio.to_thread(self._others, token)
        if step == "learn":
            return await asyncio.to_thread(learn_values, draft.draft, others)
        return await asyncio.to_thread(check_values, draft, others)

    async def _faults(self, draft: Draft, token: Token) -> dict[str, Faults]:
        """What is wrong with the steps of a draft; with the second one if the first one stands."""
        owners = await asyncio.to_thread(self._site.context.desk.owners, draft.slug)
        faults = {"questions": faults_of_questions(draft, bool(owners - {token.id}))}
        if not faults["questions"]:
            now = self._site.context.collector.now()
            faults["learn"] = await asyncio.to_thread(faults_of_learning, draft, now)
            faults["languages"] = faults_of_languages(draft)
            faults["check"] = faults_of_opening(draft)
        return faults

    def _others(self, token: Token) -> list[Document]:
        """The surveys that the author put earlier."""
        form = self._site.context.collector.form
        return [form(row).survey for row in self._site.context.desk.surveys() if allows(token, "read", row)]

    # --- forms that are sent ----------------------------------------------------------------------------------------

    async def take(self, request: Request) -> Response:
        """Keep what was typed, and do what the button says; whoever sent it is led to an address that can be read."""
        form = await self._site.long_form(request, BYTES)
        path = f"/new/{request.path_params['id']}/{request.url.path.rsplit('/', 1)[-1]}"
        visitor = await self._site.visitor(request)
        if visitor is None or not allows(visitor.token, "put"):
            return await self._ask_who(request, path, form)
        if not is_own_form(visitor, str(form.get("csrf", ""))):
            return await self._ask_again(request, path, form)
        sent = SentForm.of(path, form)
        draft = await asyncio.to_thread(self._site.shelf.save, visitor.token.id, sent.id, sent.version, sent.draft)
        if "auto" in form:
            return await self._saved_reply(request, visitor.token, draft, sent.step, str(form.get("at", "")))
        if draft.draft.beside:
            return _to(address_of(draft, sent.step))
        if sent.button in OPENING and sent.step == "check":
            return await self._open(request, draft, visitor.token)
        say = say_to(request)
        return await self._do(draft, sent, visitor.token, str(form.get("at", "")), say)

    async def _do(self, draft: KeptDraft, sent: SentForm, token: Token, at: str, say: Say) -> Response:
        """Do what a button says that does not open the survey."""
        here = f"/new/{draft.id}/{sent.step}"
        name, _, rest = sent.button.partition(" ")
        if name == "next" and sent.step in AFTER:
            return await self._go_on(draft, sent.step, token)
        if name in ("apply", "back"):
            await self._change(draft, token, await asyncio.to_thread(_after_advice, draft.draft, name, rest, say))
            return _to(here)
        if name == "state":
            about, _, place = rest.partition(" ")
            await self._change(draft, token, with_ready_text(draft.draft, about, place, say))
            return _to(f"{here}?field={quote(about)}")
        if sent.step == "questions" and (change := edited(draft.draft, sent.button)) is not None:
            await self._change(draft, token, change.draft)
            return _to(f"{here}?at={change.open + 1}" + (f"&field={quote(change.field)}" if change.field else ""))
        return _to(f"{here}?at={at}" if at.isdecimal() else here)

    async def _go_on(self, draft: KeptDraft, step: str, token: Token) -> Response:
        """The next step, or this one with what is wrong in it."""
        if step != "languages" and (await self._faults(draft.draft, token)).get(step):
            return _to(f"/new/{draft.id}/{step}?check=1")
        return _to(f"/new/{draft.id}/{AFTER[step]}")

    async def _change(self, kept: KeptDraft, token: Token, draft: Draft) -> None:
        """Keep a draft in place of the one that was read."""
        await asyncio.to_thread(self._site.shelf.save, token.id, kept.id, kept.version, draft)

    async def _open(self, request: Request, draft: KeptDraft, token: Token) -> Response:
        """Serve the survey, and lead on to its own page; back to the step that cannot stand if there is one."""
        faults = await self._faults(draft.draft, token)
        wrong = next((form for form in (*BEFORE["check"], "check") if faults.get(form)), None)
        if wrong is not None:
            return _to(f"/new/{draft.id}/{wrong}?check=1")
        desk, planned = self._site.context.desk, await asyncio.to_thread(survey_of, draft.draft)
        survey = await asyncio.to_thread(desk.crowds.opened, planned, base_of(request))
        try:
            await asyncio.to_thread(desk.put, survey, token.id)
            row = await self._site.context.cache.survey(survey.digest)
        except Refused as refused:
            if refused.refusal is not TAKEN:
                raise
            return _to(f"/new/{draft.id}/questions?check=1")
        if not allows(token, "share", row):
            raise Refused(UNKNOWN)
        await asyncio.to_thread(self._site.shelf.throw, token.id, draft.id)
        return _to(f"/run/{survey.digest}")

    async def _saved_reply(self, request: Request, token: Token, draft: KeptDraft, step: str, at: str) -> Response:
        """The reply to a script that saved while somebody typed: the version kept, and the live part of the form."""
        live: dict[str, str] = {}
        if step in LIVE:
            values = await self._values(token, draft, step, {}, at, author_language(request))
            frame = {"kept": draft, "faults": {}, "step": step, "field": ""}
            live = {LIVE[step]: self._site.fragment(request, f"builder/{LIVE[step]}.html", **frame, **values)}
        about = {"id": draft.id, "version": draft.version, "changed": draft.changed, "beside": draft.draft.beside}
        return JSONResponse({**about, "live": live}, headers=HEADERS)

    # --- forms of which nobody knows who sent them ------------------------------------------------------------------

    async def _ask_who(self, request: Request, path: str, form: FormData) -> Response:
        """The page of sign-in, which keeps what was typed."""
        if "auto" in form:
            return JSONResponse({"signed": "out"}, 401, HEADERS)
        values: dict[str, Any] = {"next": path, "error": "", "kept": form_to_text(path, form)}
        return await self._site.render(request, "enter.html", status=401, **values)

    async def _ask_again(self, request: Request, path: str, form: FormData) -> Response:
        """A page with what was typed in it, to be sent by whoever has signed in anew since."""
        if "auto" in form:
            return JSONResponse({"signed": "anew"}, 409, HEADERS)
        fields = [(name, str(value)) for name, value in form.multi_items() if name != "csrf"]
        return await self._site.render(request, "builder/again.html", status=409, path=path, fields=fields)


def _after_advice(draft: Draft, name: str, key: str, say: Say) -> Draft:
    """The draft with advice that is applied or taken back; as it is if the advice is no longer given."""
    try:
        return without_advice(draft) if name == "back" else with_advice(draft, key, say)
    except DenialError:
        return draft


def _to(address: str) -> Response:
    """Lead on to a page that can be read again."""
    return RedirectResponse(address, 303, HEADERS)
