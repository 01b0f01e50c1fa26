"""What stands beneath a result: periods in a row, pairs of questions, and trust; each as a page and as JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from deniable.collector.refusals import UNKNOWN, Refused
from deniable.pages.json_values import finite
from deniable.pages.proofs import Certificate
from deniable.pages.results.asked import page_of, place_of, query_of, question_of, results_of
from deniable.pages.results.cautions import MADE_UP
from deniable.pages.results.changes import Timeline
from deniable.pages.results.crossing import CrossView, asked_in_words, crossed, crossed_pairs, long_one_down
from deniable.pages.results.number_crossing import ComparisonView, beside
from deniable.pages.results.paging import Paging
from deniable.pages.results.period_view import KEPT, PeriodView, read
from deniable.pages.results.timeline import answered, timeline, told_of, whole_time
from deniable.pages.site import HEADERS, Site
from deniable.protocol.questions.question import Question
from deniable.surveys.question_shift import QuestionShift

Pair = tuple[str, str]
SPANS: Final = ("first", "last")
"""How an address names how many periods are compared."""


@dataclass(frozen=True)
class Trust:
    """What was refused, by period and reason; what made-up answers could do; and the proof, or that it is made."""

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
            page("/s/{name}/time", self.time),
            page("/s/{name}/trust.json", self.trust_data),
            page("/s/{name}/trust", self.trust),
            page("/s/{name}/cross.json", self.cross_data),
            page("/s/{name}/cross", self.cross),
        ]

    # --- period after period ----------------------------------------------------------------------------------------

    async def time(self, request: Request) -> Response:
        """Every answer, or a number, period after period, and what changed."""
        found, question, line = await self._line(request)
        kept = {name: request.query_params[name] for name in SPANS if name in request.query_params}
        return await self._site.render(
            request, "result/time.html", found=found, question=question, line=line, query=partial(query_of, request),
            kept=kept, answered=answered, when=whole_time(found),
        )  # fmt: skip

    async def time_data(self, request: Request) -> Response:
        """The same for programs."""
        found, question, line = await self._line(request)
        return await asyncio.to_thread(_json, found, {"question": question.name, **told_of(line)})

    async def _line(self, request: Request) -> tuple[PeriodView, Question, Timeline]:
        found = await self._site.found(request)
        question, desk = question_of(request, found), self._site.context.desk
        place, first, last = (place_of(request.query_params.get(name)) for name in ("label", *SPANS))
        return found, question, await asyncio.to_thread(timeline, desk, found, question.name, place, first, last)

    # --- trust ------------------------------------------------------------------------------------------------------

    async def trust(self, request: Request) -> Response:
        """What was refused, what made-up answers could do, and the proof of the promise."""
        found = await self._site.found(request)
        query, trust = partial(query_of, request), await self._trust(found)
        return await self._site.render(request, "result/trust.html", found=found, trust=trust, query=query)

    async def trust_data(self, request: Request) -> Response:
        """The same for programs."""
        found = await self._site.found(request)
        trust = await self._trust(found)
        refused = [
            {"reason": kind, "period": period or None, "uploads": uploads}
            for (period, kind), uploads in trust.refused.items()
        ]
        shifts = [{"question": each.name, "share": each.shift, "words": each.words} for each in trust.shifts]
        proof = {"certificate": trust.certificate, "proving": trust.proving}
        return _json(found, {"invited": found.row.invited, "refused": refused, "made_up": shifts, **proof})

    async def _trust(self, found: PeriodView) -> Trust:
        refused = await asyncio.to_thread(self._site.context.desk.refusals, found.row)
        proof = await self._site.proofs.of(found.row.digest, found.row.document)
        shifts = tuple(found.survey.manipulation(MADE_UP).shifts.values())
        return Trust(refused, shifts, proof.certificate, proof.proving)

    # --- pairs of questions -----------------------------------------------------------------------------------------

    async def cross(self, request: Request) -> Response:
        """Two questions that were crossed, once the period is closed."""
        found, names, pairs, shown = await self._crossed(request)
        paging = None if shown is None else Paging.of(page_of(request), len(shown.rows), shown.at_once)
        return await self._site.render(
            request, "result/cross.html", found=found, names=names, pairs=pairs, shown=shown, paging=paging,
            asked=partial(asked_in_words, found.survey), query=partial(query_of, request),
        )  # fmt: skip

    async def cross_data(self, request: Request) -> Response:
        """The same for programs; of a period that is open nothing is compared."""
        found, names, _, shown = await self._crossed(request)
        told = {} if shown is None else await asyncio.to_thread(shown.to_dict)
        return await asyncio.to_thread(_json, found, {"questions": list(names), **told})

    async def _crossed(
        self, request: Request
    ) -> tuple[PeriodView, Pair, list[Pair], CrossView | ComparisonView | None]:
        found = await self._site.found(request)
        pairs = crossed_pairs(found)
        results_of(found)
        if not pairs:
            raise Refused(UNKNOWN)
        asked = (request.query_params.get("rows", ""), request.query_params.get("columns", ""))
        names = long_one_down(found.survey, asked if asked in pairs or asked[::-1] in pairs else pairs[0])
        shown = None if found.is_open else await asyncio.to_thread(_both, found.tally, *names)
        return found, names, pairs, shown


@lru_cache(maxsize=KEPT)
def _both(tally: bytes, first: str, second: str) -> CrossView | ComparisonView:
    """Two questions of a result, worked out once: a test of thousands of pairs takes seconds."""
    results = read(tally)
    return beside(results, first, second) or crossed(results, first, second)


def _json(found: PeriodView, told: Mapping[str, Any]) -> JSONResponse:
    """What a page says, and of which result."""
    about = {"survey": found.row.name, "digest": found.row.digest, "period": found.period, "state": found.state}
    return JSONResponse(finite({**about, "provisional": found.is_open, **told}), headers=HEADERS)
