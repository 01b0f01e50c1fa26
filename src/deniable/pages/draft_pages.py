"""Drafts: begun, copied, brought from a file, compared, saved as one, thrown away."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from deniable.intake.refusals import UNKNOWN, Refused
from deniable.intake.storage.rows import Token
from deniable.pages.builder.draft import MOST_BYTES, Draft
from deniable.pages.builder.draft_survey import draft_of, draft_of_file, survey_of
from deniable.pages.builder.fields import differences
from deniable.pages.builder.outlook import rehearsals
from deniable.pages.builder.presets import EXAMPLES, example_in
from deniable.pages.builder.shelf import KeptDraft
from deniable.pages.frame import HEADERS, download
from deniable.pages.handing.host_files import Host, host_files, zip_file
from deniable.pages.kinds.page_kind import reason_of
from deniable.pages.languages import author_language
from deniable.pages.sent_files import NO_PART, sent_parts
from deniable.pages.site import Site
from deniable.protocol.errors import DenialError
from deniable.protocol.say import language
from deniable.surveys.survey import Survey

FILE_BYTES: Final = 2 * MOST_BYTES
"""The most bytes of a file with a draft, and of the form around it."""


class DraftPages:
    """Keeps an author's drafts in order."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [
            page("/new", self.begin),
            page("/new/from-file", self.ask_file),
            page("/new/from-file", self.bring, ("POST",)),
            page("/new/example/{place}", self.example),
            page("/new/{id}", self.go_on),
            page("/new/{id}/draft.json", self.file),
            page("/new/{id}/files/{host}.zip", self.files),
            page("/new/{id}/rehearse", self.rehearse),
            page("/new/{id}/promise", self.promise),
            page("/new/{id}/differs", self.differs),
            page("/new/{id}/differs", self.decide, ("POST",)),
            page("/new/{id}/throw", self.throw, ("POST",)),
        ]

    async def begin(self, request: Request) -> Response:
        """A new draft: empty, of an example, or of a survey that was opened before."""
        token = await self._token(request)
        query = request.query_params
        if place := query.get("example"):
            in_room = place == "class" and self._site.context.lan is not None
            draft = replace(_example(place, author_language(request)), lan=in_room)
        elif digest := query.get("copy"):
            row = await self._site.context.cache.survey(digest)
            await self._site.admit(request, "share", row)
            draft = draft_of(self._site.context.collector.form(row).survey)
        else:
            return _to_questions(await asyncio.to_thread(self._site.shelf.blank, token.id))
        return _to_questions(await asyncio.to_thread(self._site.shelf.begin, token.id, draft))

    async def go_on(self, request: Request) -> Response:
        """The step at which its author was."""
        draft = await self._kept(request)
        return RedirectResponse(f"/new/{draft.id}/{draft.draft.step}", 303, HEADERS)

    async def file(self, request: Request) -> Response:
        """The draft as a file, which any collector takes."""
        draft = await self._kept(request)
        return download(draft.draft.to_json(), "application/json", f"{draft.draft.slug}-draft.json")

    async def files(self, request: Request) -> Response:
        """What a questionnaire needs to ask the survey that a draft plans, with its document."""
        draft = await self._kept(request)
        survey, host = await asyncio.to_thread(survey_of, draft.draft), request.path_params["host"]
        files = await asyncio.to_thread(_zip_for_host, survey, host)
        return download(files, "application/zip", f"{survey.name}-{host}.zip")

    async def ask_file(self, request: Request) -> Response:
        """Where a file is chosen."""
        await self._token(request)
        return await self._site.render(request, "builder/file.html", error="")

    async def bring(self, request: Request) -> Response:
        """A draft of the file that was sent."""
        token = await self._token(request)
        try:
            sent = await sent_parts(self._site, request, FILE_BYTES)
            draft = await asyncio.to_thread(draft_of_file, sent.get("file", NO_PART).text)
        except DenialError as error:
            return await self._site.render(request, "builder/file.html", status=422, error=reason_of(error))
        return _to_questions(await asyncio.to_thread(self._site.shelf.begin, token.id, draft))

    async def rehearse(self, request: Request) -> Response:
        """A made-up result of the survey that a draft plans."""
        draft = await self._kept(request)
        return await self._rehearsal(request, draft.draft, f"/new/{draft.id}/learn")

    async def promise(self, request: Request) -> Response:
        """What people are told before they answer, and what their devices may send."""
        draft = await self._kept(request)
        survey = await asyncio.to_thread(survey_of, draft.draft)
        label = await asyncio.to_thread(survey.label)
        say = language(author_language(request))
        sentences = [say(statement) for statement in label.statements]
        values: dict[str, Any] = {"sentences": sentences, "sent": label.table(), "about": partial(_wordings, survey)}
        title, back = draft.draft.heading, f"/new/{draft.id}/check"
        return await self._site.render(request, "builder/promise.html", title=title, back=back, **values)

    async def example(self, request: Request) -> Response:
        """A made-up result of an example."""
        await self._site.admit(request, "read")
        return await self._rehearsal(request, _example(request.path_params["place"], author_language(request)), "/")

    async def _rehearsal(self, request: Request, draft: Draft, back: str) -> Response:
        survey = await asyncio.to_thread(survey_of, draft)
        results = await asyncio.to_thread(rehearsals, survey, draft.expected_people or 1)
        values: dict[str, Any] = {
            "title": draft.heading,
            "people": draft.expected_people,
            "results": results,
            "back": back,
        }
        return await self._site.render(request, "builder/rehearse.html", **values)

    async def differs(self, request: Request) -> Response:
        """Two versions beside each other that were typed at once."""
        draft = await self._kept(request)
        token = await self._token(request)
        saved = await asyncio.to_thread(self._site.shelf.find, token.id, draft.draft.beside)
        rows = differences(saved.draft, draft.draft)
        return await self._site.render(request, "builder/differs.html", kept=draft, saved=saved, rows=rows)

    async def decide(self, request: Request) -> Response:
        """Keep one of the two, or both."""
        token, form = await self._token(request), await self._site.form(request)
        draft = await asyncio.to_thread(self._site.shelf.find, token.id, request.path_params["id"])
        choice = str(form.get("keep", ""))
        here = await asyncio.to_thread(self._site.shelf.settle, token.id, draft, choice)
        return RedirectResponse(f"/new/{here}/questions", 303, HEADERS)

    async def throw(self, request: Request) -> Response:
        """Delete a draft."""
        token = await self._token(request)
        await self._site.form(request)
        await asyncio.to_thread(self._site.shelf.throw, token.id, request.path_params["id"])
        return RedirectResponse("/", 303, HEADERS)

    async def _token(self, request: Request) -> Token:
        return await self._site.admit(request, "put")

    async def _kept(self, request: Request) -> KeptDraft:
        """The draft of the address, of whoever reads."""
        token = await self._token(request)
        return await asyncio.to_thread(self._site.shelf.find, token.id, request.path_params["id"])


def _zip_for_host(survey: Survey, host: Host) -> bytes:
    """What a host needs, with the survey's document, in one file."""
    return zip_file({**host_files(survey, host), "survey.json": survey.document})


def _example(place: str, code: str) -> Draft:
    if place not in EXAMPLES:
        raise Refused(UNKNOWN)
    return example_in(place, code)


def _wordings(survey: Survey, names: str) -> str:
    """The wordings of the questions that a row of the label names."""
    questions = [survey.question(name) for name in names.split(" and ")]
    return " / ".join(question.wording or question.name for question in questions)


def _to_questions(key: str) -> Response:
    return RedirectResponse(f"/new/{key}/questions", 303, HEADERS)
