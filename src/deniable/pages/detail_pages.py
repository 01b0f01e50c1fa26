"""What stands beside a result: periods in a row, and trust; each as a page and as JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from deniable.estimation.words import joined
from deniable.intake.http.json_reply import json_reply
from deniable.pages.drawing import PictureHead
from deniable.pages.frame import HEADERS, download
from deniable.pages.languages import say_to
from deniable.pages.proofs import Certificate
from deniable.pages.results.address import made_up_share, place_of, query_of, question_of
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.period_words import NOUNS
from deniable.pages.results.time_series import timeline, whole_time
from deniable.pages.results.timeline import Timeline, timeline_csv, timeline_data
from deniable.pages.shapes import Picture
from deniable.pages.site import Site
from deniable.pages.time_picture import TimelineTexts, time_picture
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Say, Statement
from deniable.protocol.surveys.crowd import THIS_MACHINE
from deniable.protocol.surveys.label_statements import LabelStatements
from deniable.surveys.question_shift import QuestionShift
from deniable.surveys.survey import Survey

Pair = tuple[str, str]
SPANS: Final = ("first", "last")
"""How an address names how many periods are compared."""


@dataclass(frozen=True)
class Trust:
    """Uploads refused, by period and reason; what made-up answers could do; the proof, or that it is being made."""

    refused: Mapping[Pair, int]
    shifts: tuple[QuestionShift, ...]
    certificate: Certificate | None
    proving: bool


class DetailPages:
    """Shows what belongs to a result to whoever may read it."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [
            page("/s/{name}/time.json", self.time_data),
            page("/s/{name}/time.csv", self.time_csv),
            page("/s/{name}/time.svg", self.time_svg),
            page("/s/{name}/time.png", self.time_png),
            page("/s/{name}/time", self.time),
            page("/s/{name}/trust.json", self.trust_data),
            page("/s/{name}/trust", self.trust),
        ]

    # --- period after period ----------------------------------------------------------------------------------------

    async def time(self, request: Request) -> Response:
        """Every answer, or a number, period after period, and what changed."""
        view, question, line = await asked_timeline(self._site, request)
        kept = {name: request.query_params[name] for name in SPANS if name in request.query_params}
        return await self._site.render(
            request, "result/time.html", found=view, question=question, line=line, query=partial(query_of, request),
            kept=kept, when=whole_time(view), noun=NOUNS[view.survey.period],
        )  # fmt: skip

    async def time_data(self, request: Request) -> Response:
        """A question over time for programs."""
        view, question, line = await asked_timeline(self._site, request)
        content = {"question": question.name, **timeline_data(line)}
        return json_reply(view.to_json(content), headers=HEADERS)

    async def time_csv(self, request: Request) -> Response:
        """A row for each period of each answer that is drawn."""
        view, question, line = await asked_timeline(self._site, request)
        return _file(timeline_csv(line).encode(), "text/csv; charset=utf-8", view, question, "csv")

    async def time_svg(self, request: Request) -> Response:
        """The answer that is drawn large, as a picture that scales."""
        view, question, line = await asked_timeline(self._site, request)
        source = self._site.source(request, view, "/time", whole_time(view))
        picture = await asyncio.to_thread(_picture, view, question, line, source, say_to(request))
        return _file(picture.svg().encode(), "image/svg+xml", view, question, "svg")

    async def time_png(self, request: Request) -> Response:
        """The answer that is drawn large, as pixels."""
        view, question, line = await asked_timeline(self._site, request)
        source = self._site.source(request, view, "/time", whole_time(view))
        picture = await asyncio.to_thread(_picture, view, question, line, source, say_to(request))
        async with self._site.drawing:
            pixels = await asyncio.to_thread(picture.png)
        return _file(pixels, "image/png", view, question, "png")

    # --- trust ------------------------------------------------------------------------------------------------------

    async def trust(self, request: Request) -> Response:
        """What was refused, what made-up answers could do, and the proof of the promise."""
        view, share = await self._site.period_view(request), made_up_share(request)
        return await self._site.render(
            request, "result/trust.html", found=view, trust=await self._trust(view, share), share=share,
            query=partial(query_of, request), crowd=_of_crowd(view.survey),
        )  # fmt: skip

    async def trust_data(self, request: Request) -> Response:
        """What was refused, what made-up answers could do, and the proof, for programs."""
        view = await self._site.period_view(request)
        trust = await self._trust(view, made_up_share(request))
        refused = [
            {"reason": kind, "period": period or None, "uploads": uploads}
            for (period, kind), uploads in trust.refused.items()
        ]
        shifts = [{"question": each.name, "share": each.shift, "words": each.words} for each in trust.shifts]
        proof = {"certificate": trust.certificate, "proving": trust.proving}
        content = {"invited": view.row.invited, "refused": refused, "made_up": shifts, **proof}
        return json_reply(view.to_json(content), headers=HEADERS)

    async def _trust(self, view: PeriodView, share: float) -> Trust:
        refused = await asyncio.to_thread(self._site.context.desk.refusals, view.row)
        proof = await self._site.proofs.of(view.row.digest, view.row.document)
        shown = {question.name for question in view.questions}
        shifts = tuple(each for each in view.survey.manipulation(share).shifts.values() if each.name in shown)
        return Trust(refused, shifts, proof.certificate, proof.proving)


def _of_crowd(survey: Survey) -> Sequence[Statement]:
    """What a crowd hides, and what both parties see together; where one machine has both, that it hides nothing."""
    is_one_machine = survey.crowd is not None and survey.crowd.mixer.startswith(THIS_MACHINE)
    return [Statement("both_on_one_machine")] if is_one_machine else LabelStatements(survey).of_crowd


async def asked_timeline(site: Site, request: Request) -> tuple[PeriodView, Question, Timeline]:
    """The result that an address names, its question, and its answers over time: one drawn large, and what changed."""
    view = await site.period_view(request)
    question, desk = question_of(request, view), site.context.desk
    label, first, last = (place_of(request.query_params.get(name)) for name in ("label", *SPANS))
    return view, question, await asyncio.to_thread(timeline, desk, view, question.name, label, first, last)


def _picture(view: PeriodView, question: Question, line: Timeline, source: Phrase, say: Say) -> Picture:
    """What the page shows of one answer, with the dates that are compared and how many answered."""
    dates = whole_time(view)
    if line.change is not None and line.dates is not None:
        dates = joined([line.dates, line.change.answered])
    head = PictureHead(question.wording or question.name, line.sentence, dates, source)
    return time_picture(head, TimelineTexts.of(line, NOUNS[view.survey.period].each, say), say)


def _file(body: bytes, kind: str, view: PeriodView, question: Question, ending: str) -> Response:
    """Something to keep, with a name that says what it is."""
    return download(body, kind, f"{view.row.name}-{question.name}-over-time.{ending}")
