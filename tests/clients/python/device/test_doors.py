"""Doors: which of the periods that one offers an answer goes to, and when a survey is over."""

from __future__ import annotations

import json
from collections.abc import Iterator

import deniable_client
import pytest
from deniable_client import ParameterError
from tests.clients.python.device.test_device import BUS, WEEK, at, finish, weekly
from tests.clients.python.device.test_sending import START, device, sent_again
from tests.clients.stub import Stub, problem, sent
from tests.wire.generate.labels import labelled

SURVEY = weekly(9.0)
DAY = 86400.0


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub(SURVEY).running() as running:
        yield running


@pytest.mark.parametrize(
    ("offered", "taken"),
    [
        (["2026-W31", "2026-W32", "2026-W33"], "2026-W32"),  # the clock's own week, and not the one that is near
        (["2026-W31", "2026-W33"], "2026-W31"),
        (["2026-W33"], "2026-W33"),  # a slow clock
        (["2026-W34"], None),  # it begins in 12 days
        (["2026-W34", "2099-W01"], None),
        (["2026-W32", "2099-W01"], "2026-W32"),
    ],
)
def test_a_period_that_has_begun_comes_first(offered: list[str], taken: str | None, stub: Stub) -> None:
    stub.open = offered
    client = device(stub, SURVEY)
    client.answer(BUS)
    assert client.flush()[0].period == taken


def test_one_strange_period_does_not_silence_a_device(stub: Stub) -> None:
    client = device(stub, SURVEY)
    client.answer(BUS)
    stub.planned = [sent(200, {"periods": [{"period": "2099-W01"}]})]
    assert client.flush()[0].state == "waiting"
    stub.open = ["2026-W32"]
    assert sent_again(client, DAY).state == "sent"


def test_a_survey_that_is_over_charges_no_more(stub: Stub) -> None:
    client = device(stub, SURVEY)
    client.answer(BUS)
    stub.planned = [problem(410, "closed")]
    (refused,) = client.flush()
    for week in range(1, 4):
        assert at(client, START + week * WEEK).answer(BUS) == refused
    assert (client.spent()["total"], client.receipts()) == (1.0, [refused])


@pytest.mark.parametrize(("late", "drawn"), [(0.0, True), (1.0, False)])
def test_nothing_is_drawn_long_after_the_end(late: float, drawn: bool, stub: Stub) -> None:
    """The survey closes at the beginning of the week, with a grace of two days; a week more is the clock's."""
    text = json.dumps({**json.loads(SURVEY.to_json()), "closes": "2026-08-05T12:00:00Z", "grace": 172800})
    client = deniable_client.open(stub.url, text)
    client.consent().grant(client.survey.sentences)
    at(client, START + 9 * DAY + late)
    if drawn:
        finish(client, client.answer(BUS))
    else:
        with pytest.raises(ParameterError, match=r"^the survey must be open"):
            client.answer(BUS)
    assert client.spent()["total"] == (1.0 if drawn else 0.0)


def test_nobody_enrols_long_after_the_end(stub: Stub) -> None:
    text = json.dumps({**json.loads(labelled()["remembered"].to_json()), "closes": "2020-01-01T00:00:00Z"})
    client = deniable_client.open(stub.url, text)
    with pytest.raises(ParameterError, match=r"^the survey must be open"):
        client.consent().grant(client.survey.sentences)
    assert client.spent()["total"] == 0.0
