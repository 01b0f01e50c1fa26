"""wire/device.md: sending, and receipts; the same bytes to the same period until a final reply."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.clients.conduct.conftest import PROCESSES, Make
from tests.clients.conduct.devices import Device, Devices, in_process
from tests.clients.conduct.surveys import DAY, ENDPOINT, ONE, START, WEEK, weekly
from tests.clients.stub import NOT_FINAL, Planned, Stub, problem, sent

from deniable.protocol.device.outbox import FARTHEST
from deniable.protocol.device.transport import MOST_REPLY

FINAL = {400: "malformed", 409: "other-bytes", 410: "closed", 413: "too-large", 415: "media-type", 422: "no-answer"}
OWN = {"host", "accept-encoding"}
FETCH = {*OWN, "connection", "accept", "accept-language", "sec-fetch-mode", "user-agent", "pragma", "cache-control"}
BROWSER = {*FETCH, "origin", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform", "sec-fetch-dest", "sec-fetch-site"}
HEADERS = {"python": OWN, "node": FETCH, "browser": BROWSER}
"""The headers that each port cannot do without, or that its platform writes."""


@pytest.fixture
def store() -> str:
    """A store in memory."""
    return ""


@pytest.fixture
def client(make: Make) -> Device:
    """One that has answered."""
    client = make()
    client.answer()
    return client


@PROCESSES
@pytest.mark.parametrize("name", NOT_FINAL)
def test_whatever_is_not_final_leaves_the_answer_waiting(name: str, client: Device, stub: Stub) -> None:
    """Its bytes stay hidden, and the same ones are sent again once the pause is over."""
    stub.plan_after_door(NOT_FINAL[name])
    for _ in range(2):
        (receipt,) = client.flush()
        assert (receipt.state, receipt.period, receipt.bytes) == ("waiting", "once", b"")
        assert len(stub.posted) == 1  # not due yet
    assert client.sent_again().state == "sent"
    first, second = stub.posted
    assert first == second
    assert first[1] == client.last.bytes


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int, client: Device, stub: Stub) -> None:
    """Not even to where everything would be accepted."""
    stub.plan_after_door(Planned(status, b"", {"Location": f"{stub.url}/elsewhere"}), sent(200, {"answers": 1}))
    assert (client.flush()[0].state, len(stub.asked)) == ("waiting", 2)


@pytest.mark.parametrize("status", FINAL)
def test_a_final_problem_ends_trying_with_its_reason(status: int, client: Device, stub: Stub) -> None:
    stub.plan_after_door(problem(status, FINAL[status]))
    (receipt,) = client.flush()
    assert (receipt.state, receipt.reason, receipt.bytes) == ("refused", FINAL[status], stub.posted[0][1])
    assert client.sent_again() == receipt
    assert len(stub.posted) == 1


@PROCESSES
def test_a_lost_acknowledgement_counts_once(client: Device, stub: Stub) -> None:
    stub.plan_after_door(Planned(None, after=True))
    assert client.flush()[0].state == "waiting"
    assert client.sent_again().state == "sent"
    assert len(stub.accepted[ONE.digest, "once"]) == 1


@PROCESSES
@pytest.mark.parametrize("status", [409, 410])
def test_closed_after_an_unknown_outcome_is_unknown(status: int, client: Device, stub: Stub) -> None:
    """Of other problems an earlier attempt says nothing."""
    stub.plan_after_door(Planned(None))
    client.flush()
    stub.planned = [problem(status, FINAL[status])]
    receipt = client.sent_again()
    assert receipt.state == ("unknown" if status == 410 else "refused")
    assert receipt.bytes == stub.posted[0][1]


@PROCESSES
def test_a_server_that_is_down_for_a_week(client: Device, stub: Stub) -> None:
    """Attempts become rarer, up to one a day or so, and the answer arrives in the end."""
    for hour in range(7 * 24):
        stub.planned = [Planned(503)]
        client.at(START + 3600.0 * hour).flush()
    assert 15 <= len(stub.asked) <= 25
    stub.planned = []
    assert client.sent_again().state == "sent"


@pytest.mark.parametrize("written", ["3600", "a date"])
def test_retry_after_is_obeyed(written: str, client: Device, stub: Stub) -> None:
    date = email.utils.formatdate(time.time() + 3600, usegmt=True)
    stub.plan_after_door(problem(503, "busy", **{"Retry-After": date if written == "a date" else written}))
    client.flush()
    assert client.sent_again(3590.0).state == "waiting"
    assert len(stub.posted) == 1
    assert client.sent_again(80.0).state == "sent"


@PROCESSES
@pytest.mark.parametrize(
    ("written", "least"),
    [
        ("soon", 29.0),
        ("-5", 29.0),
        ("9" * 400, 7 * DAY - 1),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 7 * DAY - 1),
        ("Mon, 01 Jan 2026 00:00:00 +99999999999999", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 -2300", 0.0),
        ("Mon, 01 Jan 99999999999999999999 00:00:00 GMT", 0.0),
        ("Mon, 01 Jan 2026 99999999999999999999:00:00 GMT", 0.0),
    ],
)
def test_an_absurd_time_to_come_back_is_at_most_a_week(written: str, least: float, client: Device, stub: Stub) -> None:
    stub.plan_after_door(problem(503, "busy", **{"Retry-After": written}))
    client.flush()
    if least:
        assert client.at(START + least).flush()[0].state == "waiting"
    assert client.at(START + 7 * DAY + 60).flush()[0].state == "sent"


@PROCESSES
def test_a_clock_that_jumped_does_not_silence_a_device(client: Device, stub: Stub) -> None:
    client.at(1e10)
    stub.plan_after_door(Planned(503))
    client.flush()
    assert client.at(1e10 - FARTHEST - 1e5).flush()[0].state == "sent"


@PROCESSES
def test_a_retry_goes_to_the_period_and_the_endpoint_of_the_first_attempt(devices: Devices, stub: Stub) -> None:
    """An app of a new version, with another endpoint, finds the answer; another period is open too."""
    stub.open = ["2026-W31"]
    client = devices.agreed(stub.url, weekly()).at(START)
    client.answer()
    stub.plan_after_door(Planned(None))
    client.flush()
    stub.open = ["2026-W31", "2026-W32"]
    moved = devices.open(ENDPOINT, weekly(), store=client.store)
    assert moved.at(START + 1e6).flush()[0].period == "2026-W31"
    assert len({path for path, _ in stub.posted}) == 1


def test_requests_say_no_more_than_they_must(devices: Devices, make: Make, stub: Stub) -> None:
    client = make(code="a-code")
    client.answer()
    client.flush()
    door, upload = stub.asked
    own = HEADERS[devices.kind]
    assert set(door.headers) - own == set()
    assert set(upload.headers) - own == {"content-length", "content-type", "authorization"}
    assert upload.headers["authorization"] == "Invitation a-code"
    assert door.path == f"/v1/surveys/{ONE.digest}/door"
    assert upload.path == f"/v1/surveys/{ONE.digest}/periods/once/answers"


def test_an_invitation_goes_to_its_own_collector_alone(devices: Devices, make: Make, stub: Stub) -> None:
    """An answer of an earlier app waits for another endpoint than the one that this code is for."""
    first = make(code="of-the-first")
    first.answer()
    devices.open("https://another.example", ONE, store=first.store, code="of-the-second").flush()
    assert [asked.method for asked in stub.asked] == ["GET", "POST"]
    assert all("authorization" not in asked.headers for asked in stub.asked)


@pytest.mark.parametrize(("more", "state"), [(0, "sent"), (1, "waiting")])
def test_a_reply_is_as_long_as_a_door_or_a_receipt(more: int, state: str, client: Device, stub: Stub) -> None:
    body = b'{"answers": 1}'.ljust(MOST_REPLY + more)
    stub.plan_after_door(Planned(200, body, {"Content-Type": "application/json"}))
    assert client.flush()[0].state == state


def test_answers_are_sent_one_at_a_time(client: Device, stub: Stub) -> None:
    assert [receipts[0].state for receipts in client.flushes(20)] == ["sent"] * 20
    assert [asked.method for asked in stub.asked] == ["GET", "POST"]


@PROCESSES
def test_answers_know_nothing_of_each_other(devices: Devices, make: Make, stub: Stub) -> None:
    """Two surveys of one store: a flush sends its own survey's alone."""
    first = make()
    other = devices.agreed(stub.url, weekly(), store=first.store)
    first.answer()
    other.answer()
    first.flush()
    assert {asked.path.split("/")[3] for asked in stub.asked} == {ONE.digest}
    assert other.last.state == "waiting"


@pytest.fixture(scope="module")
def others(devices: Devices) -> Iterator[Devices]:
    """Another process."""
    with in_process(devices.kind) as running:
        yield running


@pytest.fixture
def pair(devices: Devices, others: Devices, stub: Stub, tmp_path: Path) -> tuple[Device, Device]:
    """A device that has answered, and one of the same store in another process, a little later."""
    one = devices.agreed(stub.url, ONE, str(tmp_path / "device")).at(START)
    one.answer()
    return one, others.open(stub.url, ONE, one.store).at(START + WEEK)


@PROCESSES
def test_the_period_is_written_down_before_anything_is_sent(pair: tuple[Device, Device], stub: Stub) -> None:
    client, other = pair
    seen = []
    stub.plan_after_door(Planned(500, meanwhile=lambda: seen.extend(other.receipts())))
    client.flush()
    assert [(receipt.state, receipt.period, receipt.bytes) for receipt in seen] == [("waiting", "once", b"")]


@PROCESSES
def test_closed_is_unknown_if_another_process_tried_meanwhile(pair: tuple[Device, Device], stub: Stub) -> None:
    """The other's attempt may have been counted, though this one was told that the period is over."""
    client, other = pair
    stub.plan_after_door(replace(problem(410, "closed"), meanwhile=other.flush), Planned(None))
    assert client.flush()[0].state == "unknown"
    assert len(stub.posted) == 2


@PROCESSES
@pytest.mark.parametrize("late", [problem(410, "closed"), Planned(None), sent(200, {"answers": 1})])
@pytest.mark.parametrize("final", ["sent", "withdrawn"])
def test_a_late_reply_changes_nothing_that_is_final(
    late: Planned, final: str, pair: tuple[Device, Device], stub: Stub
) -> None:
    client, other = pair
    act = other.flush if final == "sent" else other.withdraw
    stub.plan_after_door(replace(late, meanwhile=act))
    assert client.flush()[0].state == final
