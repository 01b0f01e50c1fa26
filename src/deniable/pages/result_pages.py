"""Results: what a survey found, on one screen, with all that must be known to read it rightly."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute

from deniable.estimation.contrast import LabelContrast
from deniable.intake.access import allows
from deniable.intake.http.json_reply import json_reply
from deniable.intake.refusals import UNKNOWN, Refusal, Refused
from deniable.intake.storage.visits import ResultLinkRow
from deniable.pages.drawing import PictureHead, RowsOnAxis, chart_picture
from deniable.pages.frame import HEADERS, base_of, download
from deniable.pages.grid_picture import GridTexts, grid_picture
from deniable.pages.handing.codes import qr_code
from deniable.pages.histogram_picture import number_picture
from deniable.pages.json_values import finite
from deniable.pages.languages import author_language, say_to
from deniable.pages.result_links import COOKIE
from deniable.pages.results.about import python_of
from deniable.pages.results.address import (
    made_up_share,
    place_of,
    query_of,
    question_of,
    range_of,
    results_of,
    selection_of,
)
from deniable.pages.results.asked import main_shares, result_kind_of
from deniable.pages.results.crossing import crossed_pairs, question_in_words
from deniable.pages.results.grids import is_grid, table_runs
from deniable.pages.results.period_view import KEPT, PeriodView, day_in_words
from deniable.pages.results.rows import Chart
from deniable.pages.results.selection import ORDERS, Selection
from deniable.pages.results.survey_view import (
    QuestionView,
    SurveyView,
    axis_of_shares,
    grid_from,
    one_question,
    question_view,
    survey_view,
)
from deniable.pages.shapes import Picture
from deniable.pages.site import Site, templates
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement, language
from deniable.surveys.results import Results


class DrawnQuestions:
    """The questions of whole surveys as pages show them, drawn once for all who read them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[Sequence[QuestionView], Markup]] = OrderedDict()

    def of(self, request: Request, values: Mapping[str, Any]) -> Markup:
        """The questions among the values of a template; one alone is drawn as its reader wants it."""
        code, views = author_language(request), values["survey"].sections
        if len(views) == 1:
            return _questions(code, values)
        key = (id(views), code, values["query"](), language(code).text(values["source"]))
        if key not in self._kept:
            self._kept[key] = views, _questions(code, values)  # the views stay, so that no others are taken for them
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[key][1]


def _questions(code: str, values: Mapping[str, Any]) -> Markup:
    return Markup(templates(code).get_template("result/questions.html").render(values))


class ResultPages:
    """Shows results to whoever may read them."""

    def __init__(self, site: Site) -> None:
        self._site, self._questions = site, DrawnQuestions()

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [
            page("/s/{name}.json", self.data),
            page("/s/{name}.csv", self.csv),
            page("/s/{name}.svg", self.svg),
            page("/s/{name}.png", self.png),
            page("/s/{name}.py", self.python),
            page("/s/{name}.tally", self.tally),
            page("/s/{name}/export", self.export),
            page("/s/{name}", self.result),
            page("/embed/{name}", self.embed),
        ]

    # --- pages ------------------------------------------------------------------------------------------------------

    async def result(self, request: Request) -> Response:
        """The result on one screen."""
        view = await self._site.period_view(request)
        return await self._page(request, view, "result/page.html")

    async def export(self, request: Request) -> Response:
        """What can be kept of a result: each question as a picture, all as tables, and the counts themselves."""
        view = await self._site.period_view(request)
        results_of(view)
        kept = [(each.wording or each.name, {"question": each.name}) for each in view.questions]
        grids = [run[0] for run in table_runs(view.questions) if is_grid(run)]
        kept += [(first.words.heading, {"question": first.name, "grid": "all"}) for first in grids]
        return await self._site.render(
            request, "result/export.html", found=view, query=partial(query_of, request), pairs=crossed_pairs(view),
            asked=partial(question_in_words, view.survey), kept=kept,
        )  # fmt: skip

    async def embed(self, request: Request) -> Response:
        """The result within a page of another host, where no cookie comes along: a shared link is in the address."""
        link = await self._link(request)
        if link is None:
            view = await self._site.period_view(request)
        else:
            view = await self._site.period(request, await self._site.survey_row(request), link.only)
        return await self._page(request, view, "result/embed.html", is_embedded=True)

    async def _page(self, request: Request, view: PeriodView, template: str, is_embedded: bool = False) -> Response:
        """The page of a result; one that says so while there is none, or it is still worked out."""
        query = partial(query_of, request)
        if view.results is None:
            counts = any(allows(each.token, "count", view.row) for each in await self._site.visitors(request))
            return await self._site.render(
                request, "result/nothing.html", is_embedded=is_embedded, found=view, query=query, counts=counts
            )
        questions = _questions_of(request, view)
        if not await self._site.readings.are_ready(view.results, [each.name for each in questions]):
            again = f"?{request.url.query}"
            reply = await self._site.render(
                request, "result/working.html", is_embedded=is_embedded, found=view, query=query, again=again
            )
            reply.headers["Refresh"] = "1"
            return reply
        wanted = selection_of(request)
        wanted = replace(wanted, page=max(wanted.page, 1))  # an export has all on one
        shown, chosen = await asyncio.to_thread(self._read, request, view, wanted)
        own = f"/s/{view.row.name}?{query()}".rstrip("?")
        cookie = request.cookies.get(COOKIE, "")
        live = base_of(request) + (await asyncio.to_thread(self._site.result_links.open_to, view.row, cookie) or own)
        today, source = day_in_words(self._site.context.collector.now()), self._site.source(request, view)
        values: dict[str, Any] = {
            "found": view, "survey": shown, "wanted": wanted, "chosen": chosen, "query": query, "orders": ORDERS,
            "source": source,
        }  # fmt: skip
        return await self._site.render(
            request, template, is_embedded=is_embedded, **values, live=live, today=today, share=made_up_share(request),
            code=await asyncio.to_thread(live_code, live),
            questions="" if is_embedded else self._questions.of(request, values),
        )  # fmt: skip

    def _read(self, request: Request, view: PeriodView, wanted: Selection) -> tuple[SurveyView, LabelContrast | None]:
        """All questions, unless the address names one; of that one also what the reader compares."""
        question, *others = _questions_of(request, view)
        if others:
            return survey_view(view, wanted.zoomed), None
        shown = one_question(view, question, wanted, range_of(request), made_up_share(request))
        return shown, self._compared(request, view, question.name)

    def _compared(self, request: Request, view: PeriodView, question: str) -> LabelContrast | None:
        """The two labels that a reader chose, once the period is closed."""
        first, second = (place_of(request.query_params.get(name)) for name in ("a", "b"))
        if view.is_open or view.results is None or first is None or second is None or first == second:
            return None
        estimate = main_shares(view.results[question])
        if max(first, second) >= len(estimate.labels):
            return None
        return estimate.compare(estimate.labels[first], estimate.labels[second])

    # --- for programs -----------------------------------------------------------------------------------------------

    async def data(self, request: Request) -> Response:
        """Everything as JSON."""
        view = await self._site.period_view(request)
        about = {"state": view.state, "period": view.period, "provisional": view.is_open}
        if view.results is None:
            shown: dict[str, Any] = {"survey": view.row.name, "n": view.n, "questions": {}}
        else:
            shown = await asyncio.to_thread(_all_questions, view.results, view.is_open)
        return json_reply(finite({**shown, **about}), headers=HEADERS)

    async def csv(self, request: Request) -> Response:
        """A row for each label of each question."""
        view = await self._site.period_view(request)
        table = await asyncio.to_thread(results_of(view).to_csv)
        return _file(table.encode(), "text/csv; charset=utf-8", view, ".csv")

    async def svg(self, request: Request) -> Response:
        """The chart as a picture that scales."""
        view = await self._site.period_view(request)
        question = question_of(request, view)
        picture = await asyncio.to_thread(self._picture, request, view, question)
        return _file(picture.svg().encode(), "image/svg+xml", view, f"-{question.name}.svg")

    async def png(self, request: Request) -> Response:
        """The chart as pixels."""
        view = await self._site.period_view(request)
        question = question_of(request, view)
        picture = await asyncio.to_thread(self._picture, request, view, question)
        async with self._site.drawing:
            pixels = await asyncio.to_thread(picture.png)
        return _file(pixels, "image/png", view, f"-{question.name}.png")

    async def python(self, request: Request) -> Response:
        """The Python that repeats the numbers."""
        view = _whole(await self._site.period_view(request))
        results_of(view)
        code = python_of(view, base_of(request) + request.url.path.removesuffix(".py"))
        return PlainTextResponse(code, headers=HEADERS)

    async def tally(self, request: Request) -> Response:
        """The counts themselves."""
        view = _whole(await self._site.period_view(request))
        results_of(view)
        return _file(view.tally, "application/octet-stream", view, ".tally")

    def _picture(self, request: Request, view: PeriodView, question: Question) -> Picture:
        """A question's chart with its finding and what it is about: of very many rows those of one page."""
        results_of(view)
        wanted = selection_of(request)
        wanted, say = replace(wanted, page=max(wanted.page, 1)), say_to(request)
        source = self._site.source(request, view)
        if "grid" in request.query_params:
            grid = grid_from(view, question.name, wanted.zoomed)
            head = PictureHead(grid.heading, grid.sentence, _provisional(grid.about, view), source)
            return grid_picture(head, GridTexts.of(grid, say, view.is_open), say)
        shown = question_view(view, question, wanted, axis=axis_of_shares(view, [question], wanted))
        if shown.reported is None:
            raise Refused(Refusal("malformed", 422, shown.missing))
        about: Phrase = Statement("reported_state", reported=shown.reported.words, state=view.state)
        if shown.among:
            about = Statement("parted", first=shown.among, last=about)
        about = _provisional(about, view)
        if shown.numbers is not None:
            head = PictureHead(shown.wording, shown.finding, about, source)
            return number_picture(head, shown.numbers.histogram, view.is_open, say)
        chart = shown.chart
        assert chart is not None
        head = PictureHead(shown.wording, shown.finding, _with_axis(about, chart), source)
        return chart_picture(head, RowsOnAxis.of(chart), view.is_open, say)

    async def _link(self, request: Request) -> ResultLinkRow | None:
        """The link to this survey's results in the address, if it is good now and has no password."""
        link = await asyncio.to_thread(self._site.result_links.read, request.query_params.get("link", ""))
        return link if link is not None and link.survey == request.path_params["name"] and not link.salt else None


@lru_cache(maxsize=256)
def live_code(address: str) -> Markup:
    """The QR code that a printed report leads back by; drawing it takes longer than the rest of the page."""
    return qr_code(address, address)


def _all_questions(results: Results, is_open: bool) -> dict[str, Any]:
    """All questions as plain values, each with its finding, as its page says it."""
    plain = results.to_dict()
    for name, result in plain["questions"].items():
        if "missing" not in result:
            kind = result_kind_of(results.document, results.document.question(name))
            result["finding"] = kind.finding(results[name], is_open)
    return plain


def _whole(view: PeriodView) -> PeriodView:
    """A result of which its reader may see all: a tally tells of every question."""
    if view.only is not None:
        raise Refused(UNKNOWN)
    return view


def _questions_of(request: Request, view: PeriodView) -> list[Question]:
    """The questions of the page: all, unless the address names one."""
    return [question_of(request, view)] if "question" in request.query_params else list(view.questions)


def _file(body: bytes, kind: str, view: PeriodView, ending: str) -> Response:
    """Something to keep, with a name that says what it is."""
    return download(body, kind, f"{view.row.name}-{view.period or 'result'}{ending}")


def _provisional(about: Phrase, view: PeriodView) -> Phrase:
    """What a picture is about, and that it is not final, where it is not."""
    return Statement("provisional_about", about=about) if view.is_open else about


def _with_axis(about: Phrase, chart: Chart) -> Statement:
    """What a picture is about, with what its axis counts, and which answers it shows if these are not all."""
    if chart.paging is not None:
        span = chart.paging.span(chart.paging.number)
        return Statement("people_in_100_answers_of", about=about, span=span, total=chart.paging.total)
    if chart.rest:
        return Statement("people_in_100_the_largest", about=about, most=len(chart.rows), total=chart.total)
    return Statement("people_in_100_about", about=about)
