"""The builder: five forms from a question to a survey that runs. Everything typed travels within the forms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from deniable.collector.refusals import UNKNOWN, Refused
from deniable.errors import DenialError
from deniable.pages.builder.advice import advice
from deniable.pages.builder.draft import KINDS, MOST_QUESTIONS, PROTECTED, SILENCE, Asked, Draft
from deniable.pages.builder.reading import Faults, read_people, read_protection, read_questions, read_run
from deniable.pages.builder.rehearsal import rehearsed
from deniable.pages.builder.solving import EPSILONS, guesses, solved, survey_of, table
from deniable.pages.site import HEADERS, Site

STEPS: Final = {
    "questions": "Questions",
    "protection": "Who is protected",
    "people": "People, error, privacy",
    "rehearse": "Rehearse",
    "run": "Run",
}
Read = Callable[[Draft, FormData], tuple[Draft, Faults]]
READERS: Final[dict[str, Read]] = {
    "questions": read_questions,
    "protection": read_protection,
    "people": read_people,
    "run": read_run,
}


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
        form = await self._site.form(request)
        sent = str(form.get("sent", ""))
        if wanted not in (*STEPS, "open") or sent not in STEPS:
            raise Refused(UNKNOWN)
        draft = Draft.from_json(str(form.get("draft", "")))
        draft, faults = READERS[sent](draft, form) if sent in READERS else (draft, {})
        if "add" in form and len(draft.questions) < MOST_QUESTIONS:
            return await self._show(request, "questions", replace(draft, questions=(*draft.questions, Asked())), {})
        is_back = wanted in STEPS and list(STEPS).index(wanted) < list(STEPS).index(sent)
        if faults and not is_back:
            return await self._show(request, sent, draft, faults, 422)
        if sent == "people" and not is_back:
            try:
                draft = await asyncio.to_thread(solved, draft)
            except DenialError as error:
                return await self._show(request, sent, draft, {"survey": _said(error)}, 422)
        if wanted == "open":
            return await self._open(draft, token.name)
        return await self._show(request, wanted, draft, {})

    async def _open(self, draft: Draft, owner: str) -> Response:
        """Serve the survey, and lead on to its own page."""
        survey = await asyncio.to_thread(survey_of, draft)
        await asyncio.to_thread(self._site.context.desk.put, survey, owner)
        return RedirectResponse(f"/run/{survey.digest}", 303, HEADERS)

    async def _show(self, request: Request, step: str, draft: Draft, faults: Faults, status: int = 200) -> Response:
        try:
            known = step in VALUES and "survey" not in faults
            values = await asyncio.to_thread(VALUES[step], draft) if known else {"draft": draft, "survey": None}
        except DenialError as error:  # such as an error that no level of privacy allows
            step, status = ("people", 422) if step != "protection" else ("questions", 422)
            faults = {**faults, "survey": _said(error)}
            values = {"draft": draft, "survey": None}
        shown: dict[str, Any] = {"step": step, "steps": STEPS, "faults": faults, "kinds": KINDS, "protected": PROTECTED}
        template = f"builder/{step}.html"
        return await self._site.render(request, template, status=status, silence=SILENCE, **shown, **values)


def _said(error: DenialError) -> str:
    """An error as a sentence."""
    return f"{str(error)[:1].upper()}{str(error)[1:]}."


def _people(draft: Draft) -> dict[str, Any]:
    """What follows from the numbers."""
    full = solved(draft)
    survey = survey_of(full)
    told = {"survey": survey, "reason": survey.reason, "advice": advice(full, survey), "table": table(full)}
    return {"draft": full, **told, "epsilons": EPSILONS, "guesses": guesses(full.epsilon)}


def _rehearse(draft: Draft) -> dict[str, Any]:
    """A made-up result, and what devices may send."""
    survey = survey_of(draft)
    return {"draft": draft, "results": rehearsed(survey, draft.people), "label": survey.label()}


def _run(draft: Draft) -> dict[str, Any]:
    """The survey as it will be."""
    survey = survey_of(draft)
    return {"draft": draft, "survey": survey, "advice": advice(draft, survey)}


VALUES: Final[dict[str, Callable[[Draft], dict[str, Any]]]] = {"people": _people, "rehearse": _rehearse, "run": _run}
