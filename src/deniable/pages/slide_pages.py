"""The slide of a question's result, as SVG and as PNG."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from deniable.collector.refusals import UNKNOWN, Refused
from deniable.pages.languages import author_language
from deniable.pages.results.asked import question_of, results_of
from deniable.pages.results.made_up import made_up_in_short
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.rows import Chart
from deniable.pages.results.selection import LARGEST, Selection
from deniable.pages.results.view import view
from deniable.pages.site import Site, base_of, download
from deniable.pages.slide import Slide, legend_of
from deniable.pages.translation import translation
from deniable.protocol.questions.question import Question
from deniable.sentence import Sentence, sentence
from deniable.surveys.advising.words import becomes


class SlidePages:
    """Makes slides for whoever may read the result."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [page("/s/{name}/slide.svg", self.svg), page("/s/{name}/slide.png", self.png)]

    async def svg(self, request: Request) -> Response:
        """The slide as a picture that scales."""
        found, question, slide = await self._slide(request)
        return _file((await asyncio.to_thread(slide.picture.svg)).encode(), "image/svg+xml", found, question, "svg")

    async def png(self, request: Request) -> Response:
        """The slide as pixels."""
        found, question, slide = await self._slide(request)
        async with self._site.drawing:
            picture = await asyncio.to_thread(slide.picture.png)
        return _file(picture, "image/png", found, question, "png")

    async def _slide(self, request: Request) -> tuple[PeriodView, Question, Slide]:
        found = await self._site.found(request)
        question, address = question_of(request, found), base_of(request).partition("://")[2]
        told = translation(author_language(request)).told
        slide = await asyncio.to_thread(partial(slide_of, found, question, f"{address}/s/{found.row.name}", told))
        return found, question, slide


def slide_of(found: PeriodView, question: Question, address: str, told: Callable[[Any], str]) -> Slide:
    """The slide of a question, of many answers the largest; ``told`` says sentences in the language of its reader."""
    results = results_of(found)
    shown = view(found, question, Selection(most=LARGEST))
    if shown.reported is None:
        raise Refused(UNKNOWN)
    state = told(sentence("provisional")) if found.is_open else ""
    when = ", ".join(filter(None, (told(found.when), state)))
    return Slide(
        shown.wording,
        told(shown.sentence),
        None if shown.chart is None else in_language(shown.chart, told),
        told(sentence("people in 100")),
        f"{told(shown.reported.number)} {told(shown.reported.rest)} {when}".rstrip(),
        " · ".join(filter(None, (found.survey.owner, found.title))),
        told(protection(found)),
        address,
        told(legend_of(shown.chart)),
        told(made_up_in_short(found, question.name, results[question.name])),
        found.is_open,
    )


def in_language(chart: Chart, told: Callable[[Any], str]) -> Chart:
    """A chart with all its words in a language."""
    rows = tuple(replace(row, label=told(row.label), words=told(row.words)) for row in chart.rows)
    ticks = tuple((told(label), place) for label, place in chart.axis.ticks)
    return replace(chart, rows=rows, axis=replace(chart.axis, ticks=ticks), rest=told(chart.rest))


def protection(found: PeriodView) -> Sentence:
    """What protects whoever answered, in a sentence."""
    level = found.survey.promise.level
    if not found.survey.guarantee or not math.isfinite(level):
        return sentence(
            "Each answer was mixed with chance on the person's own device; how much a guess can gain differs by "
            "question."
        )
    return sentence(
        "Each answer was mixed with chance on the person's own device: a guess of 50 in 100 about somebody becomes "
        "{guess} at most.",
        guess=becomes(level),
    )


def _file(body: bytes, kind: str, found: PeriodView, question: Question, ending: str) -> Response:
    name = f"{found.row.name}-{found.period or 'result'}-{question.name}-slide.{ending}"
    return download(body, kind, name)
