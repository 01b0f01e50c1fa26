"""Two questions that were crossed, as a page and as JSON: shares within rows, two rows compared, pairs of answers."""

from __future__ import annotations

import asyncio
import math
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from deniable.estimation.words import quoted
from deniable.intake.http.json_reply import json_reply
from deniable.intake.refusals import UNKNOWN, Refused
from deniable.pages.drawing import PictureHead, RowsOnAxis, chart_picture
from deniable.pages.frame import HEADERS, download
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.languages import say_to
from deniable.pages.results.address import page_of, place_of, query_of, results_of
from deniable.pages.results.crossing import (
    MOST_COLUMNS,
    CrossView,
    NumberCrossView,
    crossed,
    crossed_numbers,
    crossed_pairs,
    longer_as_rows,
    question_in_words,
)
from deniable.pages.results.period_view import KEPT, PeriodView, read
from deniable.pages.results.selection import AT_ONCE, Paging
from deniable.pages.results.within_rows import AnswerView, DrawnDifference
from deniable.pages.shapes import Picture
from deniable.pages.site import Site
from deniable.protocol.say import Phrase, Say, Statement

Pair = tuple[str, str]
LARGE, KEPT_LARGE = 400, 2
"""A table of more pairs takes seconds, so few are kept, and they are worked out one at a time."""
MOST_ROWS = 200
"""Of more rows no lists to choose from are made: they would outweigh the page."""


@dataclass(frozen=True)
class ShownPair:
    """What a reader sees of two crossed questions, by ``names`` that of the rows and that of the columns.

    ``pairs`` are all that were crossed, for the reader to choose another; ``difference`` is of two rows in one answer.
    """

    view: PeriodView
    names: Pair
    pairs: list[Pair]
    result: CrossView | NumberCrossView | None
    """None of a number while the period is open."""
    paging: Paging
    answer: AnswerView | None = None
    """One answer's share within each row; None where pairs are shown."""
    difference: DrawnDifference | None = None

    @property
    def can_turn(self) -> bool:
        """Whether rows and columns can change places: a long list makes the rows."""
        return longer_as_rows(self.view.survey, (self.names[1], self.names[0])) != self.names

    @property
    def choices(self) -> list[tuple[int, Phrase]]:
        """The rows that a reader can compare, by their places; none of very many."""
        if not isinstance(self.result, CrossView) or self.result.within is None:
            return []
        places = self.result.within.places
        return [(place, self.result.rows[place][0]) for place in places] if len(places) <= MOST_ROWS else []


class CrossPages:
    """Shows crossed questions to whoever may read the result."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [
            page("/s/{name}/cross.json", self.data),
            page("/s/{name}/cross.csv", self.csv),
            page("/s/{name}/cross.svg", self.svg),
            page("/s/{name}/cross.png", self.png),
            page("/s/{name}/cross", self.cross),
        ]

    async def cross(self, request: Request) -> Response:
        """What the two questions say together; of a period that is open the shares of pairs alone."""
        seen = await seen_pair(self._site, request)
        return await self._site.render(
            request, "result/cross.html", found=seen.view, seen=seen, most_columns=MOST_COLUMNS,
            asked=partial(question_in_words, seen.view.survey), query=partial(query_of, request),
        )  # fmt: skip

    async def data(self, request: Request) -> Response:
        """Two crossed questions for programs, with all answers; of a period that is open nothing is compared."""
        seen = await seen_pair(self._site, request)
        content: dict[str, Any] = {} if seen.result is None else await asyncio.to_thread(seen.result.to_dict)
        if seen.difference is not None:
            content["difference"] = seen.difference.contrast.to_dict()
        reply = await asyncio.to_thread(seen.view.to_json, {"questions": list(seen.names), **content})
        return json_reply(reply, headers=HEADERS)

    async def csv(self, request: Request) -> Response:
        """A row for each pair of answers, with its share within the row unless pairs were asked for."""
        seen = await seen_pair(self._site, request)
        if seen.result is None:
            raise Refused(UNKNOWN)
        async with self._site.drawing:
            table = await asyncio.to_thread(_csv_of, seen.result, seen.answer is not None)
        return _file(table.encode(), "text/csv; charset=utf-8", seen, "csv")

    async def svg(self, request: Request) -> Response:
        """One answer's share within each row, as a picture that scales."""
        seen = await seen_pair(self._site, request)
        source = self._site.source(request, seen.view, "/cross")
        picture = await asyncio.to_thread(_picture, seen, source, say_to(request))
        return _file(picture.svg().encode(), "image/svg+xml", seen, "svg")

    async def png(self, request: Request) -> Response:
        """One answer's share within each row, as pixels."""
        seen = await seen_pair(self._site, request)
        source = self._site.source(request, seen.view, "/cross")
        picture = await asyncio.to_thread(_picture, seen, source, say_to(request))
        async with self._site.drawing:
            pixels = await asyncio.to_thread(picture.png)
        return _file(pixels, "image/png", seen, "png")


async def seen_pair(site: Site, request: Request) -> ShownPair:
    """What whoever asks sees of two questions."""
    view = await site.period_view(request)
    pairs = crossed_pairs(view)
    results_of(view)
    if not pairs:
        raise Refused(UNKNOWN)
    asked = (request.query_params.get("rows", ""), request.query_params.get("columns", ""))
    names = longer_as_rows(view.survey, asked if asked in pairs or asked[::-1] in pairs else pairs[0])
    is_large = math.prod(len(view.survey.question(name).choices) for name in names) > LARGE
    async with site.drawing if is_large else nullcontext():
        work_out = _large_pair if is_large else _small_pair
        shown = await asyncio.to_thread(work_out, view.tally, names, view.is_open)
        return await asyncio.to_thread(_with_choices, request, ShownPair(view, names, pairs, shown, Paging(1, 0)))


def _csv_of(shown: CrossView | NumberCrossView, is_within: bool) -> str:
    """What the page shows, of all answers."""
    if isinstance(shown, NumberCrossView):
        return shown.to_csv()
    return shown.within.csv if is_within and shown.within is not None else shown.csv


def _picture(seen: ShownPair, source: Phrase, say: Say) -> Picture:
    """The picture of the page, where there is one: tables of pairs and of numbers have none."""
    if seen.answer is None or not isinstance(seen.result, CrossView):
        raise Refused(UNKNOWN)
    rows, columns = (question_in_words(seen.view.survey, name) for name in seen.names)
    about = Statement("reported_state", reported=seen.result.reported.words, state=seen.view.state)
    head = PictureHead(
        Statement("to_by", answer=quoted(seen.answer.label), columns=columns, rows=rows),
        seen.result.finding,
        Statement("of_100_people_with_each", about=about, rows=rows),
        source,
    )
    drawn = RowsOnAxis(seen.answer.axis, [*seen.answer.rows, seen.answer.everybody])
    return chart_picture(head, drawn, say=say)


def _file(body: bytes, kind: str, seen: ShownPair, ending: str) -> Response:
    """Something to keep, with a name that says what it is."""
    view = seen.view
    return download(body, kind, f"{view.row.name}-{view.period or 'result'}-{'-'.join(seen.names)}.{ending}")


def _with_choices(request: Request, seen: ShownPair) -> ShownPair:
    """The pair with the page of rows, the answer and the two rows that its reader asked for."""
    shown, query = seen.result, request.query_params
    if shown is None:
        return seen
    if not isinstance(shown, CrossView) or shown.within is None or query.get("show") == "pairs":
        return replace(seen, paging=Paging.of(page_of(request), len(shown.rows), shown.at_once))
    paging, within = Paging.of(page_of(request), len(shown.rows), AT_ONCE), shown.within
    column = within.column(place_of(query.get("answer")))
    answer = within.answer(column, paging.part(range(len(shown.rows))), query.get("zoom") == "1")
    first, second = (place_of(query.get(name)) for name in ("a", "b"))
    return replace(seen, paging=paging, answer=answer, difference=within.difference((first, second), column))


def _pair(tally: bytes, names: Pair, is_open: bool) -> CrossView | NumberCrossView | None:
    """Two questions of a result, worked out once, as many pairs take seconds; None of numbers while it is open."""
    results = read(tally)
    if not all(page_kind(results.document.question(name)).has_shares for name in names):
        return None if is_open else crossed_numbers(results, *names)
    return crossed(results, *names, is_open)


_small_pair, _large_pair = lru_cache(maxsize=KEPT)(_pair), lru_cache(maxsize=KEPT_LARGE)(_pair)
