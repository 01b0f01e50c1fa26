"""The slides of a question's result, of two questions together and of one over time, as SVG and as PNG."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from deniable.intake.refusals import UNKNOWN, Refused
from deniable.pages.cross_pages import ShownPair, seen_pair
from deniable.pages.detail_pages import asked_timeline
from deniable.pages.drawing import RowsOnAxis
from deniable.pages.frame import download
from deniable.pages.grid_picture import GridTexts
from deniable.pages.histogram_picture import HistogramTexts
from deniable.pages.languages import say_to
from deniable.pages.results.address import question_of, results_of, selection_of
from deniable.pages.results.cautions import OPEN_TO_ALL, made_up_in_short
from deniable.pages.results.crossing import CrossView, question_in_words
from deniable.pages.results.grids import GridView
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.period_words import NOUNS
from deniable.pages.results.selection import LARGEST, Selection
from deniable.pages.results.survey_view import QuestionView, axis_of_shares, grid_from, question_view
from deniable.pages.results.time_series import whole_time
from deniable.pages.results.timeline import Timeline
from deniable.pages.site import Site
from deniable.pages.slide import Slide, legend_of
from deniable.pages.time_picture import TimelineTexts
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Say, Statement
from deniable.protocol.surveys.protection import Protection

MOST_ROWS: Final = 20
"""So many rows of a grid a slide has room for."""


class SlidePages:
    """Makes slides for whoever may read the result."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [
            page("/s/{name}/slide.svg", self.svg),
            page("/s/{name}/slide.png", self.png),
            page("/s/{name}/cross/slide.svg", self.cross_svg),
            page("/s/{name}/cross/slide.png", self.cross_png),
            page("/s/{name}/time/slide.svg", self.time_svg),
            page("/s/{name}/time/slide.png", self.time_png),
        ]

    async def svg(self, request: Request) -> Response:
        """The slide of a question as a picture that scales."""
        return await self._svg(*await self._slide(request))

    async def png(self, request: Request) -> Response:
        """The slide of a question as pixels."""
        return await self._png(*await self._slide(request))

    async def cross_svg(self, request: Request) -> Response:
        """The slide of two questions as a picture that scales."""
        return await self._svg(*await self._cross_slide(request))

    async def cross_png(self, request: Request) -> Response:
        """The slide of two questions as pixels."""
        return await self._png(*await self._cross_slide(request))

    async def time_svg(self, request: Request) -> Response:
        """The slide of an answer over time as a picture that scales."""
        return await self._svg(*await self._time_slide(request))

    async def time_png(self, request: Request) -> Response:
        """The slide of an answer over time as pixels."""
        return await self._png(*await self._time_slide(request))

    async def _svg(self, slide: Slide, name: str) -> Response:
        return download((await asyncio.to_thread(slide.picture.svg)).encode(), "image/svg+xml", f"{name}-slide.svg")

    async def _png(self, slide: Slide, name: str) -> Response:
        async with self._site.drawing:
            picture = await asyncio.to_thread(slide.picture.png)
        return download(picture, "image/png", f"{name}-slide.png")

    async def _slide(self, request: Request) -> tuple[Slide, str]:
        """The slide that a request asks for, and what its file is called."""
        view = await self._site.period_view(request)
        question = question_of(request, view)
        asked, source = selection_of(request), self._site.source(request, view)
        if "grid" in request.query_params:
            results_of(view)
            grid = await asyncio.to_thread(grid_from, view, question.name, asked.zoomed)
            return grid_slide(view, grid, source, say_to(request)), f"{_file_name(view)}-{question.name}-lines"
        wanted = Selection(most=LARGEST, above=asked.above, zoomed=asked.zoomed)
        slide = await asyncio.to_thread(slide_of, view, question, wanted, source, say_to(request))
        return slide, f"{_file_name(view)}-{question.name}"

    async def _cross_slide(self, request: Request) -> tuple[Slide, str]:
        seen = await seen_pair(self._site, request)
        source = self._site.source(request, seen.view, "/cross")
        slide = await asyncio.to_thread(cross_slide, seen, source, say_to(request))
        return slide, f"{_file_name(seen.view)}-{'-'.join(seen.names)}"

    async def _time_slide(self, request: Request) -> tuple[Slide, str]:
        view, question, timeline = await asked_timeline(self._site, request)
        source = self._site.source(request, view, "/time", whole_time(view))
        return time_slide(
            view, question, timeline, source, say_to(request)
        ), f"{view.row.name}-{question.name}-over-time"


def _file_name(view: PeriodView) -> str:
    """What the files of a result begin with."""
    return f"{view.row.name}-{view.period or 'result'}"


def slide_of(view: PeriodView, question: Question, wanted: Selection, source: Phrase, say: Say) -> Slide:
    """The slide of a question, of many answers the largest; ``say`` says sentences in the language of its reader."""
    results = results_of(view)
    shown = question_view(view, question, wanted, axis=axis_of_shares(view, [question], wanted))
    if shown.reported is None:
        raise Refused(UNKNOWN)
    chart, columns = None if shown.numbers else shown.chart, shown.numbers and shown.numbers.histogram
    return Slide(
        shown.wording,
        say(shown.finding),
        None if chart is None else RowsOnAxis.of(chart).in_language(say),
        say(Statement("people_in_100")),
        say(_reported(shown)),
        say(source),
        say(protection(view)),
        say(legend_of(chart is not None, chart is not None and chart.simultaneous, columns is not None)),
        say(made_up_in_short(view, question.name, results[question.name])),
        view.is_open,
        HistogramTexts.of(columns, say, view.is_open) if columns else None,
    )


def _reported(shown: QuestionView) -> Phrase:
    """How many told of it, and of whom the shares are where not everybody was asked."""
    assert shown.reported is not None
    return Statement("parted", first=shown.among, last=shown.reported.words) if shown.among else shown.reported.words


def grid_slide(view: PeriodView, grid: GridView, source: Phrase, say: Say) -> Slide:
    """The slide of all rows of a grid, of very many the first."""
    return Slide(
        grid.heading, say(grid.sentence), None, "", say(grid.about), say(source), say(protection(view)),
        say(legend_of(has_chart=True, is_simultaneous=False)), "" if view.row.invited else say(OPEN_TO_ALL),
        drawing=GridTexts.of(grid, say, view.is_open, MOST_ROWS),
    )  # fmt: skip


def cross_slide(seen: ShownPair, source: Phrase, say: Say) -> Slide:
    """The slide of one answer's share within each row of two questions, of many rows the first."""
    view, answer = seen.view, seen.answer
    if answer is None or not isinstance(seen.result, CrossView):
        raise Refused(UNKNOWN)
    rows, columns = (question_in_words(view.survey, name) for name in seen.names)
    left = len(answer.rows) - LARGEST
    rest = Statement("more_rows_are_on_the_page", count=left)
    drawn = RowsOnAxis(answer.axis, [*answer.rows[:LARGEST], answer.everybody], rest=rest if left > 0 else "")
    return Slide(
        say(Statement("by_columns_rows", columns=columns, rows=rows)),
        say(seen.result.finding),
        drawn.in_language(say),
        say(Statement("of_100_in_each_row", label=answer.label)),
        say(seen.result.reported.words),
        say(source),
        say(protection(view)),
        say(legend_of(has_chart=True, is_simultaneous=False)),
        "" if view.row.invited else say(OPEN_TO_ALL),
    )


def time_slide(view: PeriodView, question: Question, timeline: Timeline, source: Phrase, say: Say) -> Slide:
    """The slide of the answer that a page draws large, over time."""
    drawn = TimelineTexts.of(timeline, NOUNS[view.survey.period].each, say)
    if drawn is None:
        raise Refused(UNKNOWN)
    asked, reported = question.wording or question.name, whole_time(view)
    if timeline.change is not None:
        first, last = timeline.change.first.statement, timeline.change.last.statement
        asked = f"{asked} {say(Statement('against_first_last_heading', first=first, last=last))}"
        reported = timeline.change.answered
    return Slide(
        asked, say(timeline.sentence), None, "", say(reported), say(source), say(protection(view)), say(drawn.legend),
        "" if view.row.invited else say(OPEN_TO_ALL), drawing=drawn,
    )  # fmt: skip


def protection(view: PeriodView) -> Statement:
    """What protects whoever answered, in a sentence."""
    return Statement("each_answer_was_mixed_with_chance_on", guess=Protection.of(view.survey).guess())
