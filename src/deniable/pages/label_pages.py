"""The public privacy label of a survey: for people, for programs, and to print."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute

from deniable.collector.storage.rows import SurveyRow
from deniable.pages.assets import integrity_of
from deniable.pages.json_values import finite
from deniable.pages.label_terms import day, facts_of, terms_of, when
from deniable.pages.label_text import written
from deniable.pages.label_view import HOST, LabelView, Version, asked_of, fitting_of, guesses_of, level_shown
from deniable.pages.languages import language_for, others, wanted_by
from deniable.pages.proofs import Certificate
from deniable.pages.site import HEADERS, Site
from deniable.protocol.say import Language, language
from deniable.protocol.surveys.translations import nearest
from deniable.surveys.auditing import LIFE, PAIRS, PARTS, ROUND
from deniable.surveys.label import Label
from deniable.surveys.survey import Survey

KEYS = {ROUND: "span_round", LIFE: "span_life", PAIRS: "by_pairs", PARTS: "by_parts"}
"""Of what a certificate says in words of its own."""


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
        say = language_for(request)
        shown = await self._shown(await self._site.context.row(request), say, wanted_by(request))
        return await self._site.render(
            request, "question/label.html", label=shown, shown=level_shown, say=say, others=others(say), keys=KEYS
        )

    async def json(self, request: Request) -> Response:
        """The label for programs, in English."""
        label = await self._shown(await self._site.context.row(request), language("en"), ())
        versions = [
            {"digest": one.digest, "title": one.title, "since": label.say(one.since), "closed": one.closed}
            for one in label.versions
        ]
        more: dict[str, Any] = {"versions": versions, "certificate": label.certificate, "proving": label.proving}
        told = {**Label(label.document).to_dict(), "host": list(label.host), **more, "terms": dict(label.terms)}
        return JSONResponse(finite(told), headers=HEADERS)

    async def text(self, request: Request) -> Response:
        """The label to print, or to read where nothing but text can be."""
        say = language_for(request)
        shown = await self._shown(await self._site.context.row(request), say, wanted_by(request))
        return PlainTextResponse(written(shown), headers={**HEADERS, "Content-Language": say.code})

    async def _shown(self, row: SurveyRow, say: Language, wanted: Sequence[str]) -> LabelView:
        certificate, proving = await self._site.proofs.of(row.digest, row.document)
        return await asyncio.to_thread(self._about, row, certificate, proving, say, wanted)

    def _about(
        self, row: SurveyRow, certificate: Certificate | None, proving: bool, say: Language, wanted: Sequence[str]
    ) -> LabelView:
        survey = self._site.context.collector.form(row).survey
        rows = self._site.context.desk.surveys(row.name)
        versions = tuple(_version(each, self._site.context.collector.form(each).survey, row) for each in reversed(rows))
        script = integrity_of("deniable.js")
        return shown_label(survey.label(), say, script, versions, certificate, proving, wanted)


def shown_label(
    label: Label,
    say: Language,
    script: str,
    versions: tuple[Version, ...] = (),
    certificate: Certificate | None = None,
    proving: bool = True,
    wanted: Sequence[str] = (),
) -> LabelView:
    """A label in a language; ``script`` is the hash of the one that asks.

    The author's texts are in the survey's language that is nearest to those ``wanted``.
    """
    survey, host = label.document, tuple(map(say, HOST))
    tag = nearest(survey.languages, wanted)
    words = survey.texts(tag)
    facts = (*facts_of(label, say), (say("script_hash"), script))
    return LabelView(
        say, words.title or survey.name, tag or "", survey, asked_of(survey, words, say), label.statements, host,
        guesses_of(label, say, words), fitting_of(label, say, words), terms_of(survey, say, words.purpose), facts,
        versions, certificate, proving,
    )  # fmt: skip


def _version(row: SurveyRow, survey: Survey, shown: SurveyRow) -> Version:
    since, title = day(datetime.date.fromisoformat(row.day)), survey.title or survey.name
    return Version(row.digest, title, when(survey), since, row.ended is not None, row.digest == shown.digest)
