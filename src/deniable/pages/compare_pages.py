"""A result beside that of another period or survey."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from deniable.collector.collector import Collector
from deniable.collector.desk import Desk
from deniable.estimation.estimate import Estimate
from deniable.intake.access import allows
from deniable.intake.http.json_reply import json_reply
from deniable.intake.refusals import UNKNOWN, Refused
from deniable.intake.storage.rows import RELEASED, SurveyRow
from deniable.pages.frame import HEADERS
from deniable.pages.json_values import finite
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.results.address import page_of, query_of, question_of, results_of
from deniable.pages.results.asked import result_kind_of
from deniable.pages.results.comparison import Comparison
from deniable.pages.results.period_view import KEPT, PeriodView, find, read
from deniable.pages.results.period_words import period_words
from deniable.pages.results.selection import Paging
from deniable.pages.site import Site
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.survey import Survey

MOST_OFFERED: Final = 200


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
        view, question, offered = await self._offered(request)
        wanted = request.query_params.get("with", "")
        other = chosen(offered, wanted) if wanted else None
        shown, paging = None, None
        if other is not None:
            shown = await asyncio.to_thread(self._compared, view, question, other)
            paging = Paging.of(page_of(request), len(shown.rows))
        return await self._site.render(
            request, "result/compare.html", found=view, question=question, offered=offered, other=other, shown=shown,
            paging=paging, query=partial(query_of, request),
        )  # fmt: skip

    async def data(self, request: Request) -> Response:
        """The comparison for programs, with the interval of each label by itself."""
        view, question, offered = await self._offered(request)
        other = chosen(offered, request.query_params.get("with", ""))
        before, after = await asyncio.to_thread(self._both, view, question, other)
        change = await asyncio.to_thread(result_kind_of(view.survey, question).change, before, after)
        places = [[each.name, period] for each, period in ((view.row, view.period), (other.row, other.period))]
        return json_reply(finite({"of": places, "question": question.name, **change}), headers=HEADERS)

    async def _offered(self, request: Request) -> tuple[PeriodView, Question, list[OtherResult]]:
        """The result of the address, and what it can be compared with: nothing while its period is open."""
        row, context = await self._site.survey_row(request), self._site.context
        token = await self._site.admit(request, "read", row)
        parts = await self._site.parts(request, token)
        view = await self._site.period(request, row, parts.get(row.name))
        question = question_of(request, view)
        if view.is_open or view.results is None:
            return view, question, []
        may = partial(allows, token, "read")
        offered = await asyncio.to_thread(comparable, context.collector, context.desk, view, question, may)
        return view, question, [each for each in offered if each.question in parts.get(each.row.name, {each.question})]

    def _compared(self, view: PeriodView, question: Question, other: OtherResult) -> Comparison:
        """The comparison with another result; refused where either cannot be seen."""
        second = self._second(other)
        for each in (view, second):
            results_of(each)
        are_weeks = other.row.digest == view.row.digest and view.survey.period == "week"
        return _kept_comparison(
            view.tally, second.tally, (question.name, other.question), titles_of(view, other), are_weeks
        )

    def _both(self, view: PeriodView, question: Question, other: OtherResult) -> tuple[Estimate, Estimate]:
        return results_of(view)[question.name], results_of(self._second(other))[other.question]

    def _second(self, other: OtherResult) -> PeriodView:
        context = self._site.context
        return find(context.collector, context.desk, other.row, other.period)


@lru_cache(maxsize=KEPT)
def _kept_comparison(
    first: bytes, second: bytes, questions: tuple[str, str], titles: tuple[str, str], are_weeks: bool
) -> Comparison:
    """Two tallies' results on a question of each, worked out once; ``are_weeks``: two weeks of one survey."""
    before, after = read(first), read(second)
    kind = result_kind_of(before.document, before.document.question(questions[0]))
    return kind.comparison(before[questions[0]], after[questions[1]], titles, are_weeks)


# --- what it can be compared with -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OtherResult:
    """A question in a closed period of this survey or of another one; ``key`` stands for it in an address."""

    key: str
    title: str
    when: Phrase
    """Its period in words; empty where it has but one."""
    row: SurveyRow
    period: str
    question: str

    @property
    def words(self) -> Phrase:
        """How it is called where it can be chosen."""
        return Statement("title_name", title=_with_period(self.title, self.when), name=self.row.name)


def comparable(
    collector: Collector[object], desk: Desk, view: PeriodView, question: Question, may: Callable[[SurveyRow], bool]
) -> list[OtherResult]:
    """The results that a question can be compared with: this survey's other periods, then others, the newest first."""
    offered: list[OtherResult] = []
    seen = [(row, standings) for row, standings in reversed(desk.overview().items()) if may(row)]
    for row, standings in sorted(seen, key=lambda each: each[0].digest != view.row.digest):
        survey = collector.form(row).survey
        same = same_question(survey, question)
        if same is not None:
            offered += [_other(row, survey, each.period, same) for each in standings if each.state == RELEASED]
    return [each for each in offered if (each.row.digest, each.period) != (view.row.digest, view.period)][:MOST_OFFERED]


def chosen(offered: list[OtherResult], wanted: str) -> OtherResult:
    """The result that an address asks for: by its key, or by a survey's name, then of the last closed period."""
    by_key = [each for each in offered if each.key == wanted]
    by_name = [each for each in offered if each.row.name == wanted]
    if not (by_key or by_name):
        raise Refused(UNKNOWN)
    return by_key[0] if by_key else max(by_name, key=lambda each: each.period)


def titles_of(view: PeriodView, other: OtherResult) -> tuple[Phrase, Phrase]:
    """What tells two results apart: of one survey the periods, else the titles, or the names where these are alike."""
    if other.row.digest == view.row.digest:
        return view.named(view.period), other.when
    one: Phrase = view.title
    two: Phrase = other.title
    if one == two:
        one, two = (Statement("title_name", title=one, name=row.name) for row in (view.row, other.row))
    return _with_period(one, view.named(view.period)), _with_period(two, other.when)


def _with_period(title: Phrase, when: Phrase) -> Phrase:
    """A survey's title with the period, if it has several."""
    return Statement("title_when", title=title, when=when) if when else title


def same_question(survey: Survey, question: Question) -> Question | None:
    """The question of a survey that has the same kind and labels or scale: of several that of the same name."""
    kind = page_kind(question)
    same = [each for each in survey.questions if each.kind == question.kind and kind.compares_with(question, each)]
    return min(same, key=lambda each: each.name != question.name, default=None)


def _other(row: SurveyRow, survey: Survey, period: str, question: Question) -> OtherResult:
    title, when = survey.title or row.name, period_words(survey, period)
    return OtherResult(f"{row.digest[:16]}/{period}", title, when, row, period, question.name)
