"""A survey with a crowd on a page of another host: all is loaded before the choice, then only the mixer is asked."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request
from tests.clients.conduct.surveys import IN_CROWD, crowded, opened_of
from tests.clients.stub import Stub
from tests.clients.typescript.device.pages import NOTHING, stored
from tests.clients.typescript.question.asked import go, onwards, send, serve_question
from tests.clients.typescript.question.asked import stub as stub  # a fixture


@pytest.mark.parametrize("language", ["en", "de"])
def test_once_the_choice_is_there_the_mixer_alone_is_asked(page: Page, stub: Stub, language: str) -> None:
    survey = crowded(stub.url)
    stub.surveys[survey.digest] = survey
    serve_question(stub, survey.digest, "/mixed", language, more=f'endpoint="{stub.url}" code="a-code"')
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(f"{request.method} {request.url.removeprefix(stub.url)}")

    page.on("request", note)
    go(page, f"{stub.url}/mixed")
    page.locator(".choice button").first.wait_for()
    assert stored(page) == NOTHING
    before = len(asked)
    page.locator(".choice button").first.click()
    for answer in IN_CROWD.values():
        page.get_by_role("radio", name=answer, exact=True).check()
        onwards(page)
    send(page)
    told = {
        "en": "Whether at least 2 are there is told once a day, as of midnight.",
        "de": "Ob mindestens 2 da sind, wird ein Mal am Tag gesagt, mit dem Stand von Mitternacht.",
    }  # this door says nothing of that
    page.get_by_text(told[language]).wait_for()
    start = f"/v1/surveys/{survey.digest}"
    assert asked[before:] == [f"GET {start}/door", f"POST {start}/periods/once/answers", f"GET {start}/door"]
    assert opened_of(survey, stub.posted[0][1]).answer[:1] in (b"\0", b"\1")


@pytest.mark.parametrize("language", ["en", "de"])
def test_without_a_code_it_is_said_what_is_missing_and_nothing_is_stored(page: Page, stub: Stub, language: str) -> None:
    survey = crowded(stub.url)
    stub.surveys[survey.digest] = survey
    serve_question(stub, survey.digest, "/uncoded", language, more=f'endpoint="{stub.url}"')
    go(page, f"{stub.url}/uncoded")
    missing = {"en": "An invitation is missing", "de": "Die Einladung fehlt"}
    page.get_by_role("heading", name=missing[language]).wait_for()
    assert page.locator(".choice button").count() == 0
    assert stored(page) == NOTHING
    assert stub.posted == []
