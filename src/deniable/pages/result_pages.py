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

    def of(self, request: Request, told: Mapping[str, Any]) -> Markup:
        """Those that a page is told to show; one question alone is drawn as its reader wants it."""
        code, views = author_language(request), told["survey"].sections
        if len(views) == 1:
            return _questions(code, told)
        key = (id(views), code, told["query"](), language(code).text(told["source"]))
        if key not in self._kept:
            self._kept[key] = views, _questions(code, told)  # the views stay, so that no others are taken for them
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[key][1]


def _questions(code: str, told: Mapping[str, Any]) -> Markup:
    return Markup(templates(code).get_template("result/questions.html").render(told))


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
        found = await self._site.found(request)
        return await self._shown(request, found, "result/page.html")

    async def export(self, request: Request) -> Response:
        """What can be kept of it: each question as a picture, all as tables, and the counts themselves."""
        found = await self._site.found(request)
        results_of(found)
        kept = [(each.wording or each.name, {"question": each.name}) for each in found.questions]
        grids = [run[0] for run in table_runs(found.questions) if is_grid(run)]
        kept += [(first.words.heading, {"question": first.name, "grid": "all"}) for first in grids]
        return await self._site.render(
            request, "result/export.html", found=found, query=partial(query_of, request), pairs=crossed_pairs(found),
            asked=partial(question_in_words, found.survey), kept=kept,
        )  # fmt: skip

    async def embed(self, request: Request) -> Response:
        """The same within a page of another host, where no cookie comes along: a shared link stands in the address."""
        link = await self._link(request)
        if link is None:
            found = await self._site.found(request)
        else:
            found = await self._site.period(request, await self._site.named(request), link.only)
        return await self._shown(request, found, "result/embed.html", frame=True)

    async def _shown(self, request: Request, found: PeriodView, template: str, frame: bool = False) -> Response:
        query = partial(query_of, request)
        if found.results is None:
            counts = any(allows(each.token, "count", found.row) for each in await self._site.visitors(request))
            return await self._site.render(
                request, "result/nothing.html", frame=frame, found=found, query=query, counts=counts
            )
        questions = _asked(request, found)
        if not await self._site.readings.are_ready(found.results, [each.name for each in questions]):
            again = f"?{request.url.query}"
            reply = await self._site.render(
                request, "result/working.html", frame=frame, found=found, query=query, again=again
            )
            reply.headers["Refresh"] = "1"
            return reply
        wanted = selection_of(request)
        wanted = replace(wanted, page=max(wanted.page, 1))  # an export has all on one
        shown, chosen = await asyncio.to_thread(self._read, request, found, wanted)
        own = f"/s/{found.row.name}?{query()}".rstrip("?")
        cookie = request.cookies.get(COOKIE, "")
        live = base_of(request) + (await asyncio.to_thread(self._site.result_links.open_to, found.row, cookie) or own)
        today, source = day_in_words(self._site.context.collector.now()), self._site.source(request, found)
        told: dict[str, Any] = {
            "found": found, "survey": shown, "wanted": wanted, "chosen": chosen, "query": query, "orders": ORDERS,
            "source": source,
        }  # fmt: skip
        return await self._site.render(
            request, template, frame=frame, **told, live=live, code=await asyncio.to_thread(live_code, live),
            today=today, share=made_up_share(request), questions="" if frame else self._questions.of(request, told),
        )  # fmt: skip

    def _read(self, request: Request, found: PeriodView, wanted: Selection) -> tuple[SurveyView, LabelContrast | None]:
        """All questions, unless the address names one; of that one also what the reader compares."""
        question, *others = _asked(request, found)
        if others:
            return survey_view(found, wanted.zoomed), None
        shown = one_question(found, question, wanted, range_of(request), made_up_share(request))
        return shown, self._compared(request, found, question.name)

    def _compared(self, request: Request, found: PeriodView, question: str) -> LabelContrast | None:
        """The two labels that a reader chose, once the period is closed."""
        first, second = (place_of(request.query_params.get(name)) for name in ("a", "b"))
        if found.is_open or found.results is None or first is None or second is None or first == second:
            return None
        estimate = main_shares(found.results[question])
        if max(first, second) >= len(estimate.labels):
            return None
        return estimate.compare(estimate.labels[first], estimate.labels[second])

    # --- for programs -----------------------------------------------------------------------------------------------

    async def data(self, request: Request) -> Response:
        """Everything as JSON."""
        found = await self._site.found(request)
        told = {"state": found.state, "period": found.period, "provisional": found.is_open}
        if found.results is None:
            shown: dict[str, Any] = {"survey": found.row.name, "n": found.n, "questions": {}}
        else:
            shown = await asyncio.to_thread(_all_of, found.results, found.is_open)
        return json_reply(finite({**shown, **told}), headers=HEADERS)

    async def csv(self, request: Request) -> Response:
        """A row for each label of each question."""
        found = await self._site.found(request)
        written = await asyncio.to_thread(results_of(found).to_csv)
        return _file(written.encode(), "text/csv; charset=utf-8", found, ".csv")

    async def svg(self, request: Request) -> Response:
        """The chart as a picture that scales."""
        found = await self._site.found(request)
        question = question_of(request, found)
        picture = await asyncio.to_thread(self._picture, request, found, question)
        return _file(picture.svg().encode(), "image/svg+xml", found, f"-{question.name}.svg")

    async def png(self, request: Request) -> Response:
        """The chart as pixels."""
        found = await self._site.found(request)
        question = question_of(request, found)
        picture = await asyncio.to_thread(self._picture, request, found, question)
        async with self._site.drawing:
            pixels = await asyncio.to_thread(picture.png)
        return _file(pixels, "image/png", found, f"-{question.name}.png")

    async def python(self, request: Request) -> Response:
        """The Python that repeats the numbers."""
        found = _whole(await self._site.found(request))
        results_of(found)
        code = python_of(found, base_of(request) + request.url.path.removesuffix(".py"))
        return PlainTextResponse(code, headers=HEADERS)

    async def tally(self, request: Request) -> Response:
        """The counts themselves."""
        found = _whole(await self._site.found(request))
        results_of(found)
        return _file(found.tally, "application/octet-stream", found, ".tally")

    def _picture(self, request: Request, found: PeriodView, question: Question) -> Picture:
        """A question's chart with its finding and what it is about: of very many rows those of one page."""
        results_of(found)
        wanted = selection_of(request)
        wanted, say = replace(wanted, page=max(wanted.page, 1)), say_to(request)
        source = self._site.source(request, found)
        if "grid" in request.query_params:
            grid = grid_from(found, question.name, wanted.zoomed)
            head = PictureHead(grid.heading, grid.sentence, _provisional(grid.about, found), source)
            return grid_picture(head, GridTexts.of(grid, say, found.is_open), say)
        shown = question_view(found, question, wanted, axis=axis_of_shares(found, [question], wanted))
        if shown.reported is None:
            raise Refused(Refusal("malformed", 422, shown.missing))
        about: Phrase = Statement("reported_state", reported=shown.reported.words, state=found.state)
        if shown.among:
            about = Statement("parted", first=shown.among, last=about)
        about = _provisional(about, found)
        if shown.numbers is not None:
            head = PictureHead(shown.wording, shown.finding, about, source)
            return number_picture(head, shown.numbers.histogram, found.is_open, say)
        chart = shown.chart
        assert chart is not None
        head = PictureHead(shown.wording, shown.finding, _with_drawn(about, chart), source)
        return chart_picture(head, RowsOnAxis.of(chart), found.is_open, say)

    async def _link(self, request: Request) -> ResultLinkRow | None:
        """The link to this survey's results in the address, if it is good now and has no password."""
        link = await asyncio.to_thread(self._site.result_links.read, request.query_params.get("link", ""))
        return link if link is not None and link.survey == request.path_params["name"] and not link.salt else None


@lru_cache(maxsize=256)
def live_code(address: str) -> Markup:
    """The QR code that a printed report leads back by; drawing it takes longer than the rest of the page."""
    return qr_code(address, address)


def _all_of(results: Results, is_open: bool) -> dict[str, Any]:
    """All questions as plain values, each with its finding, as its page says it."""
    shown = results.to_dict()
    for name, told in shown["questions"].items():
        if "missing" not in told:
            told["finding"] = result_kind_of(results.document, results.document.question(name)).finding(
                results[name], is_open
            )
    return shown


def _whole(found: PeriodView) -> PeriodView:
    """A result of which its reader may see all: a tally tells of every question."""
    if found.only is not None:
        raise Refused(UNKNOWN)
    return found


def _asked(request: Request, found: PeriodView) -> list[Question]:
    """The questions of the page: all, unless the address names one."""
    return [question_of(request, found)] if "question" in request.query_params else list(found.questions)


def _file(body: bytes, kind: str, found: PeriodView, ending: str) -> Response:
    """Something to keep, with a name that says what it is."""
    return download(body, kind, f"{found.row.name}-{found.period or 'result'}{ending}")


def _provisional(about: Phrase, found: PeriodView) -> Phrase:
    """What a picture is about, and that it is not final, where it is not."""
    return Statement("provisional_about", about=about) if found.is_open else about


def _with_drawn(about: Phrase, chart: Chart) -> Statement:
    """Also what a picture's axis counts, and which answers it shows if these are not all."""
    if chart.paging is not None:
        span = chart.paging.span(chart.paging.number)
        return Statement("people_in_100_answers_of", about=about, span=span, total=chart.paging.total)
    if chart.rest:
        return Statement(
            "people_in_100_the_largest",
            about=about, most=len(chart.rows), total=chart.total,
        )  # fmt: skip
    return Statement("people_in_100_about", about=about)
