"""wire/upload.md: which of the periods behind a door an answer goes to."""

from __future__ import annotations

from typing import Any

import pytest
from tests.clients.conduct.conftest import PROCESSES, Make
from tests.clients.conduct.devices import Device, Devices
from tests.clients.conduct.surveys import DAY, START, WEEK, changed, weekly
from tests.clients.stub import Stub, sent

pytestmark = PROCESSES
SURVEY = weekly()


@pytest.fixture
def store() -> str:
    """A store in memory."""
    return ""


@pytest.fixture
def client(make: Make) -> Device:
    """One that has answered."""
    client = make(SURVEY)
    client.answer()
    return client


@pytest.mark.parametrize("wrong", [-4 * DAY, 6 * DAY])
def test_a_clock_that_is_wrong_by_days(wrong: float, make: Make, stub: Stub) -> None:
    """The door names the period, whatever the clock says, and it is answered once."""
    stub.open = ["2026-W32"]
    client = make(SURVEY).at(START + wrong)
    client.answer()
    assert (client.flush()[0].state, client.last.period) == ("sent", "2026-W32")
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
    assert stub.posted == []
    assert client.sent_again(DAY).state == "sent"


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
def test_a_period_that_has_begun_comes_first(offered: list[str], taken: str | None, client: Device, stub: Stub) -> None:
    stub.open = offered
    assert client.flush()[0].period == taken


def test_each_period_is_answered_once(make: Make, stub: Stub) -> None:
    """Of two open periods the later; one that was answered is never answered again, nor one before it."""
    stub.open = ["2026-W31", "2026-W32"]
    client = make(SURVEY)
    for week in range(3):
        client.at(START + week * WEEK).answer()
        client.flush()
    assert [receipt.period for receipt in client.receipts()] == ["2026-W32", None]
    stub.open = ["2026-W32", "2026-W33"]
    assert client.sent_again().period == "2026-W33"
    assert list(stub.accepted) == [(SURVEY.digest, "2026-W32"), (SURVEY.digest, "2026-W33")]


@pytest.mark.parametrize(("period", "last"), [("day", "9999-12-31"), ("week", "9999-W52"), ("month", "9999-12")])
def test_the_last_period_of_the_calendar_is_none(period: str, last: str, devices: Devices, stub: Stub) -> None:
    client = devices.agreed(stub.url, changed(SURVEY, period=period)).at(253402214400.0 + 80000.0)
    client.answer()
    stub.planned = [sent(200, {"periods": [{"period": last}]})]
    assert client.flush()[0].reason == "no open period"
