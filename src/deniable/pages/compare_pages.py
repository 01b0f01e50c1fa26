"""A result beside that of another period or survey."""

from __future__ import annotations

import asyncio
from functools import lru_cache, partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from deniable.collector.access import allows
from deniable.collector.http.json_reply import json_reply
from deniable.estimation.estimate import Estimate
from deniable.pages.json_values import finite
from deniable.pages.results.asked import page_of, query_of, question_of, results_of
from deniable.pages.results.changes import Comparison
from deniable.pages.results.comparison import change, compared
from deniable.pages.results.others import Other, chosen, others, titles_of
from deniable.pages.results.paging import Paging
from deniable.pages.results.period_view import KEPT, PeriodView, find, read
from deniable.pages.site import HEADERS, Site
from deniable.protocol.questions.question import Question


class ComparePages:
    """Compares closed results for whoever may read both."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [page("/s/{name}/compare.json", self.data), page("/s/{name}/compare", self.compare)]

    async def compare(self, request: Request) -> Response:
        """A form that asks what to compare with, and the comparison."""
        found, question, offered = await self._offered(request)
        wanted = request.query_params.get("with", "")
        other = chosen(offered, wanted) if wanted else None
        shown, paging = None, None
        if other is not None:
            shown = await asyncio.to_thread(self._compared, found, question, other)
            paging = Paging.of(page_of(request), len(shown.rows))
        return await self._site.render(
            request, "result/compare.html", found=found, question=question, offered=offered, other=other, shown=shown,
            paging=paging, query=partial(query_of, request),
        )  # fmt: skip

    async def data(self, request: Request) -> Response:
        """The same for programs, with the interval of each label by itself."""
        found, question, offered = await self._offered(request)
        other = chosen(offered, request.query_params.get("with", ""))
        before, after = await asyncio.to_thread(self._both, found, question, other)
        told = await asyncio.to_thread(change, before, after)
        places = [[each.name, period] for each, period in ((found.row, found.period), (other.row, other.period))]
        return json_reply(finite({"of": places, "question": question.name, **told}), headers=HEADERS)

    async def _offered(self, request: Request) -> tuple[PeriodView, Question, list[Other]]:
        """The result of the address, and what it can be compared with: nothing while it is open."""
        row, context = await self._site.named(request), self._site.context
        token = await self._site.admit(request, "read", row)
        parts = await self._site.parts(request, token)
        found = await self._site.period(request, row, parts.get(row.name))
        question = question_of(request, found)
        if found.is_open or found.results is None:
            return found, question, []
        may = partial(allows, token, "read")
        offered = await asyncio.to_thread(others, context.collector, context.desk, found, question, may)
        return found, question, [each for each in offered if each.question in parts.get(each.row.name, {each.question})]

    def _compared(self, found: PeriodView, question: Question, other: Other) -> Comparison:
        second = self._second(other)
        for each in (found, second):
            results_of(each)
        are_weeks = other.row.digest == found.row.digest and found.survey.period == "week"
        return _kept(found.tally, second.tally, (question.name, other.question), titles_of(found, other), are_weeks)

    def _both(self, found: PeriodView, question: Question, other: Other) -> tuple[Estimate, Estimate]:
        return results_of(found)[question.name], results_of(self._second(other))[other.question]

    def _second(self, other: Other) -> PeriodView:
        context = self._site.context
        return find(context.collector, context.desk, other.row, other.period)


@lru_cache(maxsize=KEPT)
def _kept(
    first: bytes, second: bytes, questions: tuple[str, str], titles: tuple[str, str], are_weeks: bool
) -> Comparison:
    """The comparison of two results, worked out once."""
    return compared(read(first)[questions[0]], read(second)[questions[1]], titles, are_weeks)
