"""The slide of a question's result, as SVG and as PNG."""

from __future__ import annotations

import asyncio
import math
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from deniable.collector.refusals import UNKNOWN, Refused
from deniable.pages.results.asked import question_of, results_of
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.selection import LARGEST, Selection
from deniable.pages.results.view import view
from deniable.pages.site import Site, base_of, download
from deniable.pages.slide import Slide
from deniable.protocol.questions.question import Question
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
        slide = await asyncio.to_thread(partial(slide_of, found, question, f"{address}/s/{found.row.name}"))
        return found, question, slide


def slide_of(found: PeriodView, question: Question, address: str) -> Slide:
    """The slide of a question: of many answers the largest."""
    results_of(found)
    shown = view(found, question, Selection(most=LARGEST))
    if shown.reported is None:
        raise Refused(UNKNOWN)
    state = "provisional" if found.is_open else ""
    return Slide(
        shown.wording,
        shown.sentence,
        shown.chart,
        "people in 100",
        f"{shown.reported} {', '.join(filter(None, (found.when, state)))}".rstrip(),
        " · ".join(filter(None, (found.survey.owner, found.title))),
        protection(found),
        address,
        found.is_open,
    )


def protection(found: PeriodView) -> str:
    """What protects whoever answered, in a sentence."""
    mixed, level = "Each answer was mixed with chance on the person's own device", found.survey.promise.level
    if not found.survey.guarantee or not math.isfinite(level):
        return f"{mixed}; how much a guess can gain differs by question."
    return f"{mixed}: a guess of 50 in 100 about somebody becomes {becomes(level)} at most."


def _file(body: bytes, kind: str, found: PeriodView, question: Question, ending: str) -> Response:
    name = f"{found.row.name}-{found.period or 'result'}-{question.name}-slide.{ending}"
    return download(body, kind, name)
