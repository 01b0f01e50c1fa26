"""A page begins as many transactions whatever there is, mostly three: uploads wait for each."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.types import ASGIApp
from tests.collector.asgi import fetched
from tests.collector.conftest import OpenStore
from tests.collector.worlds import DAY, Clock, Service, a_survey, body_of

from deniable.collector.http.context import Context
from deniable.intake.http.limits import Rates
from deniable.intake.http.survey_cache import SurveyCache
from deniable.intake.http.token_gate import TokenGate
from deniable.intake.storage.store import Store
from deniable.pages import result_links
from deniable.pages.face import Pages
from deniable.pages.result_links import Key, ResultLinks
from deniable.pages.sessions import COOKIE, OPERATOR_TOKEN, Sessions

MOST = {
    "/": 3,
    "/surveys.json": 3,
    "/s/survey-0": 4,
    "/s/survey-0?period=2026-08-03": 4,
    "/s/survey-0.json": 3,
    "/s/survey-0/time": 4,
    "/s/survey-0/compare": 4,
}
"""Transactions of a page, at most."""


@pytest.fixture
def looks() -> list[float]:
    """When transactions were begun."""
    return []


@pytest.fixture
def service(open_store: OpenStore, looks: list[float], monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A collector that notes each transaction."""
    clock = Clock()

    def opened() -> Store:
        store = open_store(clock)
        begin = store.transaction

        def transaction() -> Any:
            looks.append(time.monotonic())
            return begin()

        monkeypatch.setattr(store, "transaction", transaction)
        return store

    with Service(clock, opened) as found:
        yield found


def answered(service: Service, surveys: int, periods: int) -> None:
    """Surveys with so many periods, all of which but the last are closed."""
    daily = [
        a_survey(f"survey-{number}", period="day", repeat="fresh", minimum=3, grace=3600) for number in range(surveys)
    ]
    for survey in daily:
        service.desk.put(survey, "operator")
    for day in range(3, 3 + periods):
        period = f"2026-08-{day:02}" if day <= 31 else f"2026-09-{day - 31:02}"
        for survey in daily:
            assert service.send(survey, body_of([0, 1, 1, 3]), period=period) == [4]
        service.pass_time(DAY)


def pages(service: Service) -> ASGIApp:
    """The pages alone, without the task that keeps the storage in order beside them."""
    gate = TokenGate(service.desk.tokens, OPERATOR_TOKEN, Rates(0, time.monotonic))
    context = Context(service.collector, service.keeper, service.desk, gate, SurveyCache(service.collector))
    return Starlette(routes=Pages().routes(context))


def cookie_of(service: Service) -> str:
    """That of an operator who followed a shared link too."""
    links = ResultLinks(service.collector)
    link = links.link_to("survey-0", service.clock() + DAY, OPERATOR_TOKEN)
    session = Sessions(service.collector).begin(OPERATOR_TOKEN)
    return f"{COOKIE}={session}; {result_links.COOKIE}={links.cookie_with('', Key(link))}"


@pytest.mark.parametrize(("surveys", "periods"), [(1, 1), (1, 30), (30, 1)])
def test_a_page_begins_as_many_transactions_whatever_there_is(
    service: Service, looks: list[float], surveys: int, periods: int
) -> None:
    answered(service, surveys, periods)
    app, cookie = pages(service), cookie_of(service)

    async def counted() -> dict[str, bytes]:
        found = {}
        for path in (*MOST, *MOST):  # what is kept from the first time makes it no more
            looks.clear()
            status, body = await fetched(app, path, cookie)
            assert status == 200, path
            found[path] = body
            assert len(looks) <= MOST[path], path
        while not any(each["headline"] for each in json.loads(found["/surveys.json"])):
            found["/surveys.json"] = (await fetched(app, "/surveys.json", cookie))[1]
        assert (await fetched(app, "/", ""))[0] == 303, "who reads is kept for one request alone"
        return found

    found = asyncio.run(counted())
    listed = json.loads(found["/surveys.json"])
    assert len(listed) == surveys
    assert {(each["phase"], each["answers"]) for each in listed} == {("open", 4 * periods)}
    assert json.loads(found["/s/survey-0.json"])["n"] == 4
