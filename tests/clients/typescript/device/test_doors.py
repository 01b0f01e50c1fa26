"""Doors: which of the periods that one offers an answer goes to, and when a survey is over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.clients.python.device.test_device import WEEK
from tests.clients.python.device.test_sending import posted
from tests.clients.stub import Stub, problem, sent
from tests.clients.typescript.device.devices import Device, Devices, in_node
from tests.clients.typescript.device.test_sending import DAY, START, SURVEY, device


@pytest.fixture(scope="module")
def devices(built: Path) -> Iterator[Devices]:
    with in_node(built) as running:
        yield running


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub(SURVEY).running() as running:
        yield running


@pytest.fixture
def client(devices: Devices, stub: Stub) -> Device:
    """One that has answered."""
    client = device(devices, stub, SURVEY)
    client.answer()
    return client


@pytest.mark.parametrize("wrong", [-DAY, DAY])
def test_a_clock_that_is_wrong_by_a_day(wrong: float, devices: Devices, stub: Stub) -> None:
    """The door names the period, whatever the clock says, and it is answered once."""
    stub.open = ["2026-W32"]
    client = devices.agreed(stub.url, SURVEY).at(START + (5 * DAY if wrong > 0 else -3 * DAY) + wrong)
    client.answer()
    assert (client.flush()[0].state, client.flush()[0].period) == ("sent", "2026-W32")
    client.at(START).answer()
    client.flush()
    assert len(stub.accepted[SURVEY.digest, "2026-W32"]) == 1


@pytest.mark.parametrize("offered", [["2026-08"], ["yesterday"], ["Once", 7], [None], "once", [{"x": 1}], []])
def test_a_door_of_strange_periods_is_not_believed(offered: Any, client: Device, stub: Stub) -> None:
    stub.open = ["2026-W32"]
    listed = [{"period": name} for name in offered] if isinstance(offered, list) else offered
    stub.planned = [sent(200, {"periods": listed})]
    (receipt,) = client.flush()
    assert (receipt.state, receipt.reason, receipt.period) == ("waiting", "no open period", None)
    assert posted(stub) == []
    assert client.sent_again().state == "sent"


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
def test_a_period_that_has_begun_comes_first(
    offered: list[str], taken: str | None, devices: Devices, stub: Stub
) -> None:
    stub.open = offered
    client = device(devices, stub, SURVEY)
    client.answer()
    assert client.flush()[0].period == taken


def test_each_period_is_answered_once(devices: Devices, stub: Stub) -> None:
    """Of two open periods the later; one that was answered is never answered again, nor one before it."""
    stub.open = ["2026-W31", "2026-W32"]
    client = device(devices, stub, SURVEY)
    for week in range(3):
        client.at(START + week * WEEK).answer()
        client.flush()
    assert [receipt.period for receipt in client.receipts()] == ["2026-W32", None]
    stub.open = ["2026-W32", "2026-W33"]
    assert client.sent_again().period == "2026-W33"
    assert list(stub.accepted) == [(SURVEY.digest, "2026-W32"), (SURVEY.digest, "2026-W33")]


def test_a_survey_that_is_over_charges_no_more(devices: Devices, stub: Stub) -> None:
    client = device(devices, stub, SURVEY)
    client.answer()
    stub.planned = [problem(410, "closed")]
    (refused,) = client.flush()
    assert (refused.state, refused.reason, posted(stub)) == ("refused", "closed", [])
    for week in range(1, 4):
        assert client.at(START + week * WEEK).answer() == refused
    assert (client.spent()["total"], client.receipts()) == (1, [refused])


@pytest.mark.parametrize(("period", "last"), [("day", "9999-12-31"), ("week", "9999-W52"), ("month", "9999-12")])
def test_the_last_period_of_the_calendar_is_none(period: str, last: str, devices: Devices, stub: Stub) -> None:
    client = device(devices, stub, json.dumps({**json.loads(SURVEY.to_json()), "period": period}))
    client.at(253402214400.0 + 80000.0).answer()
    stub.planned = [sent(200, {"periods": [{"period": last}]})]
    assert client.flush()[0].reason == "no open period"
