"""The pages of the person asked: a survey to answer in one's own browser, and what that browser has sent and spent."""

from __future__ import annotations

import asyncio
import datetime
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute

from deniable.intake.http.replies import packed, takes_gzip
from deniable.intake.http.reply_headers import root_of
from deniable.intake.refusals import CLOSED, UNKNOWN, Refused
from deniable.intake.storage.rows import SurveyRow
from deniable.pages.assets import integrity_of
from deniable.pages.builder.draft_survey import trial_of
from deniable.pages.builder.forms import faults_of_questions
from deniable.pages.calendar_pages import next_begin
from deniable.pages.consent_view import ConsentView, consent_view
from deniable.pages.frame import HEADERS, base_of
from deniable.pages.label_terms import keeping
from deniable.pages.languages import lang_of, language_for, links_of, say_to, wanted_by
from deniable.pages.moments import moment
from deniable.pages.result_links import asked_link
from deniable.pages.results.headlines import Finding, HeadlineKey
from deniable.pages.site import Site
from deniable.protocol.say import Language, Statement
from deniable.surveys.survey import Survey

OPEN, EARLY, OVER, APP = "open", "early", "over", "app"
SCRIPT = "deniable.js"


@dataclass(frozen=True)
class QuestionContent:
    """What the page of a survey shows before, and without, its script."""

    survey: Survey
    state: str
    """Whether it can be answered: open, early, over, or app if an app alone asks it."""
    headline: str
    """What stands in place of the question while it cannot be answered; empty where it can."""
    told: str
    """Why it cannot."""
    keeping: str
    """How long reports are kept."""
    invited: bool
    rehearse: bool
    is_late: bool
    """Whether it asks nothing new, but still takes what was answered before."""
    given: str
    """The survey as the element gets it: its digest, or for a rehearsal, which asks for nothing, its text."""

    @property
    def asks(self) -> bool:
        """Whether the client has something to do: to ask, or to send what waits."""
        return self.state == OPEN or self.rehearse or self.is_late

    @property
    def needs_code(self) -> bool:
        """Whether nobody is asked without an invitation."""
        return self.invited and self.state == OPEN and not self.rehearse

    @property
    def mixer(self) -> str:
        """Where answers go that are sealed; empty where they are not."""
        return "" if self.survey.crowd is None or self.rehearse else self.survey.crowd.mixer


class QuestionPages:
    """Shows surveys to whoever has their link."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [
            page("/q/{digest}.json", self.json),
            page("/q/{digest}", self.question),
            page("/new/{id}/try", self.trial),
            page("/me", self.account),
        ]

    async def question(self, request: Request) -> Response:
        """A survey to answer."""
        say = language_for(request)
        try:
            row = await self._site.context.row(request)
        except Refused as refused:
            if refused.refusal != UNKNOWN:
                raise
            return await self._page(request, "question/unknown.html", say, status=404, rehearse=False)
        lan = self._site.context.lan
        if lan is not None:
            lan.found(request.scope, row.digest)
        content = self._content(row, say, "rehearse" in request.query_params)
        view = await asyncio.to_thread(consent_view, content.survey, say, wanted_by(request))
        alone = lan is not None and lan.has(request.scope)  # no other page is there to be linked to
        result = "" if alone else await asyncio.to_thread(self._result, row)
        finding = await self._finding(row, content.survey, say) if result and content.state == OVER else ""
        return await self._question(
            request, say, content, view, result=result, finding=finding, back="",
            calendar=not alone and self._has_calendar(content),
        )  # fmt: skip

    async def trial(self, request: Request) -> Response:
        """The survey that a draft plans, for its author to go every way through it; nothing is sent or kept."""
        token = await self._site.admit(request, "put")
        draft = await asyncio.to_thread(self._site.shelf.find, token.id, request.path_params["id"])
        back, say = f"/new/{draft.id}/questions", language_for(request)
        if faults_of_questions(draft.draft, is_taken=False):
            return RedirectResponse(f"{back}?check=1", 303, HEADERS)
        survey = await asyncio.to_thread(trial_of, draft.draft)
        content = QuestionContent(
            survey, OPEN, headline="", told="", keeping=say(keeping(survey, None)), invited=False, rehearse=True,
            is_late=False, given=survey.to_json(),
        )  # fmt: skip
        view = await asyncio.to_thread(consent_view, survey, say, wanted_by(request))
        words = say_to(request)(Statement("back_to_the_questions"))
        return await self._question(request, say, content, view, result="", back=back, back_words=words)

    async def _question(
        self, request: Request, say: Language, content: QuestionContent, view: ConsentView, **values: Any
    ) -> Response:
        """A survey to answer, with what is told beside it."""
        return await self._page(
            request, "question/question.html", say, asked=content, view=view, lang=lang_of(view.lang),
            trust=say("trust_text"), rehearse=content.rehearse, mixer=content.mixer,
            others=links_of(content.survey.languages, view.lang, say),
            endpoint=content.mixer or (base_of(request) if root_of(request.scope) else ""), **values,
        )  # fmt: skip

    async def json(self, request: Request) -> Response:
        """How a survey stands, for programs."""
        row = await self._site.context.row(request)
        survey = self._site.context.collector.form(row).survey
        about = {"survey": survey.name, "digest": row.digest, "title": survey.title, "purpose": survey.purpose}
        terms = {"owner": survey.owner, "contact": survey.contact, "state": self._state(row), "invited": row.invited}
        root = root_of(request.scope)
        links = {"document": f"{root}/v1/surveys/{row.digest}", "label": f"{root}/label/{row.digest}.json"}
        return JSONResponse({**about, **terms, **links, "integrity": integrity_of(SCRIPT)}, headers=HEADERS)

    async def account(self, request: Request) -> Response:
        """What this browser has sent and spent, which its script reads; the server does not know it."""
        return await self._page(request, "question/account.html", language_for(request), rehearse=False)

    async def _page(
        self, request: Request, template: str, say: Language, *, status: int = 200, **values: Any
    ) -> Response:
        shared = {"say": say, "others": links_of((), "", say)}
        page = await self._site.render(request, template, status=status, **{**shared, **values})
        return _compressed(request, page)

    def _result(self, row: SurveyRow) -> str:
        """Where everybody who was asked may read the result; empty while its author has not opened it to them."""
        link = asked_link(row.digest)
        return f"/shared/{link}" if self._site.result_links.read(link) else ""

    async def _finding(self, row: SurveyRow, survey: Survey, say: Language) -> str:
        """What was found, in a sentence."""
        desk = self._site.context.desk
        key = HeadlineKey.of(await asyncio.to_thread(desk.standings, row))
        if key is None:
            return ""
        finding = (await self._site.headlines.of(desk, {key: survey})).get(key, Finding())
        return str(say.text(finding.sentence))

    def _content(self, row: SurveyRow, say: Language, rehearse: bool) -> QuestionContent:
        """What the page of a survey shows as it stands now."""
        survey, state = self._site.context.collector.form(row).survey, self._state(row)
        headline, told = ("", "") if state == OPEN else (say(state), say(f"{state}_text", moment=_opening(survey)))
        given = survey.to_json() if rehearse else row.digest
        late = not rehearse and state == OVER and self._is_taking(row)
        return QuestionContent(
            survey, state, headline, told, say(keeping(survey, row.ended)),
            row.invited or survey.crowd is not None, rehearse, late, given,
        )  # fmt: skip

    def _has_calendar(self, content: QuestionContent) -> bool:
        """Whether it is asked again, on days that one can put into a calendar."""
        now = datetime.datetime.fromtimestamp(self._site.context.collector.now(), datetime.UTC)
        return content.state in {OPEN, EARLY} and next_begin(content.survey, now) is not None

    def _state(self, row: SurveyRow) -> str:
        """Whether a survey can be answered now, or why not: one of the states above."""
        collector = self._site.context.collector
        if collector.form(row).survey.mode == "background":
            return APP
        if collector.now() >= collector.doors(row).ends or not self._is_taking(row):
            return OVER
        return OPEN if self._open_periods(row) else EARLY

    def _is_taking(self, row: SurveyRow) -> bool:
        """Whether anything is taken, now or later: answers, or after the end those that were on their way."""
        try:
            self._open_periods(row)
        except Refused as refused:
            if refused.refusal != CLOSED:
                raise
            return False
        return True

    def _open_periods(self, row: SurveyRow) -> list[str]:
        """The periods that can be answered now; of answers that a mixer takes, by the document alone."""
        collector = self._site.context.collector
        if collector.form(row).survey.crowd is None:
            return collector.open_periods(row, self._site.context.cache.shut(row.digest))
        doors, now = collector.doors(row), collector.now()
        if doors.is_over(now):
            raise Refused(CLOSED)
        return list(doors.open_periods(now))


def _compressed(request: Request, page: Response) -> Response:
    """The page in gzip. To whoever sends no cookie it tells no secret, so its length tells none either."""
    if "cookie" in request.headers or not takes_gzip(request):
        return page
    page.body = packed(bytes(page.body))
    page.headers.update({"Content-Encoding": "gzip", "Content-Length": str(len(page.body)), "Vary": "Accept-Encoding"})
    return page


def _opening(survey: Survey) -> Statement | str:
    """When it begins; nothing if it did from the start."""
    return "" if survey.opens is None else moment(survey.opens)
