"""The public privacy label of a survey: for people, for programs, and to print."""

from __future__ import annotations

import asyncio
import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute

from deniable.collector.storage.rows import SurveyRow
from deniable.pages.assets import integrity_of
from deniable.pages.json_values import finite
from deniable.pages.label_asked import asked_of
from deniable.pages.label_shown import HOST, Shown, Version
from deniable.pages.label_terms import day, facts_of, terms_of
from deniable.pages.label_text import verdict, written
from deniable.pages.label_translated import translated
from deniable.pages.label_view import fitting_of, guesses_of, level_shown
from deniable.pages.proofs import Certificate
from deniable.pages.question_words import CODES, language_of
from deniable.pages.site import HEADERS, Site
from deniable.pages.translation import Translation, translation_to
from deniable.surveys.label import Label


class LabelPages:
    """Shows labels to anybody."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [
            page("/label/{digest}.json", self.json),
            page("/label/{digest}.txt", self.text),
            page("/label/{digest}", self.label),
        ]

    async def label(self, request: Request) -> Response:
        """The label as a page."""
        t = _translation(request)
        shown = translated(await self._shown(await self._site.context.row(request)), t)
        other = next(code for code in CODES if code != t.code)
        return await self._site.render(
            request, "question/label.html", label=shown, verdict=verdict, shown=level_shown, t=t, other=other
        )

    async def json(self, request: Request) -> Response:
        """The label for programs, in English."""
        row = await self._site.context.row(request)
        shown = await self._shown(row)
        versions = [{"digest": one.digest, "since": one.since, "closed": one.closed} for one in shown.versions]
        more: dict[str, Any] = {"versions": versions, "certificate": shown.certificate, "proving": shown.proving}
        told = {**Label(shown.document).to_dict(), "host": list(shown.host), **more, "terms": dict(shown.terms)}
        return JSONResponse(finite(told), headers=HEADERS)

    async def text(self, request: Request) -> Response:
        """The label to print, or to read where nothing but text can be."""
        t = _translation(request)
        shown = translated(await self._shown(await self._site.context.row(request)), t)
        return PlainTextResponse(written(shown, t), headers={**HEADERS, "Content-Language": t.code})

    async def _shown(self, row: SurveyRow) -> Shown:
        certificate, proving = await self._site.proofs.of(row.digest, row.document)
        return await asyncio.to_thread(self._about, row, certificate, proving)

    def _about(self, row: SurveyRow, certificate: Certificate | None, proving: bool) -> Shown:
        survey = self._site.context.collector.form(row).survey
        label, rows = survey.label(), self._site.context.desk.surveys(row.name)
        versions = tuple(_version(each, row) for each in reversed(rows))
        facts = (*facts_of(label), ("Script", integrity_of("deniable.js")))
        return Shown(
            survey.title or survey.name, survey, asked_of(survey), label.sentences, HOST, guesses_of(label),
            fitting_of(label), terms_of(survey), facts, versions, certificate, proving,
        )  # fmt: skip


def _translation(request: Request) -> Translation:
    return translation_to(language_of(request.query_params.get("lang"), request.headers.get("accept-language", "")))


def _version(row: SurveyRow, shown: SurveyRow) -> Version:
    since = day(datetime.date.fromisoformat(row.day))
    return Version(row.digest, since, row.ended is not None, row.digest == shown.digest)
