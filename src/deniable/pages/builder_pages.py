"""The builder: five forms from a question to a survey that runs. Everything typed travels within the forms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from deniable.collector.access import allows
from deniable.collector.desk import TAKEN
from deniable.collector.refusals import UNKNOWN, Refused
from deniable.collector.storage.rows import Token
from deniable.pages.builder.advice import advice, shut_out
from deniable.pages.builder.applying import advice_on, applied, offered, taken_back
from deniable.pages.builder.draft import KINDS, MOST_QUESTIONS, PROTECTED, SILENCE, WANTED, Draft, DraftQuestion
from deniable.pages.builder.fields import Faults
from deniable.pages.builder.number_promise import promises
from deniable.pages.builder.reading import is_past, read_people, read_protection, read_questions, read_run
from deniable.pages.builder.rehearsal import rehearsed
from deniable.pages.builder.solving import EPSILONS, example, guesses, solved, survey_of, table
from deniable.pages.results.cautions import Caution
from deniable.pages.site import HEADERS, Site
from deniable.protocol.errors import DenialError
from deniable.protocol.fields import MOST_WORDS
from deniable.surveys.survey import Survey

STEPS: Final = {
    "questions": "Questions",
    "protection": "Who is protected",
    "people": "People, error, privacy",
    "rehearse": "Rehearse",
    "run": "Run",
}
FIXED: Final[dict[str, Any]] = {"kinds": KINDS, "protected": PROTECTED, "silence": SILENCE, "wanted": WANTED}
"""What each form may need to write."""
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
Read = Callable[[Draft, FormData], tuple[Draft, Faults]]
READERS: Final[dict[str, Read]] = {
    "questions": read_questions,
    "protection": read_protection,
    "people": read_people,
    "run": read_run,
}
MOST_DRAFT: Final = 1 << 20
"""The most bytes of a form of the builder, which only authors may send."""


class BuilderPages:
    """Leads an author through the five steps."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        page = self._site.page
        return [page("/new", self.begin), page("/new/{step}", self.go_on, ("POST",))]

    async def begin(self, request: Request) -> Response:
        """The first form, empty."""
        await self._site.admit(request, "put")
        return await self._show(request, "questions", Draft(), {})

    async def go_on(self, request: Request) -> Response:
        """Read the form that was sent; show the wanted one, or the same with what is wrong in it."""
        wanted = request.path_params["step"]
        token = await self._site.admit(request, "put")
        form = await self._site.form(request, MOST_DRAFT)
        sent = str(form.get("sent", ""))
        if wanted not in (*STEPS, "open") or sent not in STEPS:
            raise Refused(UNKNOWN)
        draft = Draft.from_json(str(form.get("draft", "")))
        draft, faults = READERS[sent](draft, form) if sent in READERS else (draft, {})
        if wanted == "open" and is_past(draft, self._site.context.collector.now()):
            faults.setdefault("closes", "This moment is over: the survey would be closed before anybody answers.")
        if "add" in form and len(draft.questions) < MOST_QUESTIONS:
            return await self._show(
                request, "questions", replace(draft, questions=(*draft.questions, DraftQuestion())), {}
            )
        is_back = wanted in STEPS and list(STEPS).index(wanted) < list(STEPS).index(sent)
        if faults and not is_back:
            return await self._show(request, sent, draft, faults, 422, _written(form, faults))
        if sent == "people" and not is_back:
            try:
                draft = await asyncio.to_thread(_changed, draft, form)
            except DenialError as error:
                return await self._show(request, sent, draft, {"survey": _said(error)}, 422)
        if wanted == "open":
            return await self._open(request, draft, token)
        return await self._show(request, wanted, draft, {})

    async def _open(self, request: Request, draft: Draft, token: Token) -> Response:
        """Serve the survey, and lead on to its own page; back to its name if that is somebody else's."""
        survey = await asyncio.to_thread(survey_of, draft)
        try:
            await asyncio.to_thread(self._site.context.desk.put, survey, token.name)
            is_own = allows(token, "share", await self._site.context.cache.survey(survey.digest))
        except Refused as refused:
            if refused.refusal is not TAKEN:
                raise
            is_own = False
        if is_own:
            return RedirectResponse(f"/run/{survey.digest}", 303, HEADERS)
        faults = {"name": f"“{draft.slug}” belongs to another author: choose a name of your own."}
        return await self._show(request, "questions", replace(draft, name=draft.slug), faults, 409)

    async def _show(
        self,
        request: Request,
        step: str,
        draft: Draft,
        faults: Faults,
        status: int = 200,
        written: Mapping[str, str] = NOTHING,
    ) -> Response:
        """A form; of fields that cannot stand what was ``written``, and nothing that follows from other numbers."""
        try:
            known = step in VALUES and not (faults and step == "people")
            values = await asyncio.to_thread(VALUES[step] if known else _alone, draft)
            if "advice" in values:
                values["advice"] += await self._shut_out(request, values["survey"])
        except DenialError as error:  # such as an error that no level of privacy allows
            step, status = ("people", 422) if step != "protection" else ("questions", 422)
            faults = {**faults, "survey": _said(error)}
            values = _alone(draft)
        shown: dict[str, Any] = {"step": step, "steps": STEPS, "faults": faults, "written": written}
        template = f"builder/{step}.html"
        return await self._site.render(request, template, status=status, **FIXED, **shown, **values)

    async def _shut_out(self, request: Request, survey: Survey) -> list[Caution]:
        """Whether devices that answered the author's earlier surveys on the topic would refuse to answer this one."""
        token = await self._site.admit(request, "put")
        rows = await asyncio.to_thread(self._site.context.desk.surveys)
        form = self._site.context.collector.form
        return shut_out(survey, [form(row).survey for row in rows if allows(token, "read", row)])


def _said(error: DenialError) -> str:
    """An error as a sentence."""
    return f"{str(error)[:1].upper()}{str(error)[1:]}."


def _written(form: FormData, faults: Faults) -> dict[str, str]:
    """What stands in the fields that cannot stand, so that their author sees what to correct."""
    return {name: str(form[name])[:MOST_WORDS] for name in faults if name in form}


def _changed(draft: Draft, form: FormData) -> Draft:
    """The draft with its third number, and with advice that was applied or taken back."""
    if "back" in form:
        return solved(taken_back(draft))
    return applied(solved(draft), str(form["apply"])) if "apply" in form else solved(draft)


def _alone(draft: Draft) -> dict[str, Any]:
    """No more than was typed."""
    return {"draft": draft, "survey": None}


def _people(draft: Draft) -> dict[str, Any]:
    """What follows from the numbers."""
    full = solved(draft)
    survey = survey_of(full)
    told = {"survey": survey, "reason": survey.reason, "advice": advice(full, survey), "table": table(full)}
    learned = advice_on(full)
    told |= {"learned": learned, "options": offered(learned)}
    told |= {"promises": promises(survey, full.people), "example": example(full) if full.has_shares else ""}
    return {"draft": full, **told, "epsilons": EPSILONS, "guesses": guesses(full.epsilon) if survey.guarantee else []}


def _rehearse(draft: Draft) -> dict[str, Any]:
    """A made-up result, and what devices may send."""
    survey = survey_of(draft)
    results, label = rehearsed(survey, draft.people, draft.expected), survey.label()
    return {"draft": draft, "results": results, "label": label, "sent": label.table(), "about": partial(_about, survey)}


def _about(survey: Survey, names: str) -> str:
    """The wordings of the questions that a row of the label names."""
    asked = [survey.question(name) for name in names.split(" and ")]
    return " / ".join(question.wording or question.name for question in asked)


def _run(draft: Draft) -> dict[str, Any]:
    """The survey as it will be."""
    survey = survey_of(draft)
    return {"draft": draft, "survey": survey, "advice": advice(draft, survey)}


VALUES: Final[dict[str, Callable[[Draft], dict[str, Any]]]] = {"people": _people, "rehearse": _rehearse, "run": _run}
