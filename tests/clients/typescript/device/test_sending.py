"""Sending: the same bytes to the same period until a final reply, and nothing else is final."""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.clients.python.device.test_device import DURING, ENDPOINT, weekly
from tests.clients.python.device.test_sending import FINAL, NOT_FINAL, door_then, posted
from tests.clients.stub import Planned, Stub, problem, sent
from tests.clients.typescript.device.devices import BUS, Device, Devices, in_node
from tests.wire.generate.documents import PEOPLE, samples

import deniable as dn
from deniable.protocol import FormatError, ParameterError
from deniable.protocol.device.outbox import FARTHEST
from deniable.protocol.device.transport import MOST_REPLY

ONE = samples()["one question"]
SURVEY = weekly(9.0)
DAY = 86400.0
START = DURING
"""The Wednesday of the week 2026-W32."""


@pytest.fixture(scope="module")
def devices(built: Path) -> Iterator[Devices]:
    with in_node(built) as running:
        yield running


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub(*samples().values(), SURVEY).running() as running:
        yield running


def device(devices: Devices, stub: Stub, survey: dn.Survey | str = ONE, **options: Any) -> Device:
    """A client at the stub, whose person has agreed, in the week 2026-W32."""
    return devices.agreed(stub.url, survey, **options).at(START)


@pytest.fixture
def client(devices: Devices, stub: Stub) -> Device:
    """One that has answered."""
    client = device(devices, stub)
    client.answer()
    return client


@pytest.mark.parametrize("name", samples())
def test_an_answer_arrives(name: str, devices: Devices, stub: Stub) -> None:
    survey = samples()[name]
    stub.open = ["2026-W32"] if survey.period == "week" else ["once"]
    client = device(devices, stub, survey)
    client.answer(PEOPLE[name])
    (receipt,) = client.flush()
    assert (receipt.state, receipt.period) == ("sent", stub.open[0])
    (answer,) = stub.accepted[survey.digest, stub.open[0]]
    assert bytes.fromhex(receipt.bytes)[16:].endswith(answer[2:] if len(survey.arms) > 1 else answer)
    assert client.flush() == [receipt]
    assert len(posted(stub)) == 1


def test_nothing_is_asked_before_consent(devices: Devices, stub: Stub) -> None:
    client = devices.open(stub.url, ONE)
    client.facts(), client.outcomes(), client.flush(), client.receipts(), client.spent()
    assert stub.asked == []


def test_requests_say_no_more_than_they_must(devices: Devices, stub: Stub) -> None:
    client = device(devices, stub, code="a-code")
    client.answer()
    client.flush()
    door, upload = stub.asked
    own = {"host", "connection", "accept", "accept-language", "accept-encoding", "sec-fetch-mode", "user-agent"}
    caching = {"pragma", "cache-control"}
    assert set(door.headers) <= {*own, *caching}
    assert set(upload.headers) - own - caching == {"content-length", "content-type", "authorization"}
    assert upload.headers["authorization"] == "Invitation a-code"


@pytest.mark.parametrize("name", NOT_FINAL)
def test_whatever_is_not_final_leaves_the_answer_waiting(name: str, client: Device, stub: Stub) -> None:
    door_then(stub, NOT_FINAL[name])
    assert (client.flush()[0].state, client.flush()[0].bytes) == ("waiting", "")
    assert len(posted(stub)) == 1  # not due yet
    assert client.sent_again().state == "sent"
    first, second = posted(stub)
    assert first == second


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int, client: Device, stub: Stub) -> None:
    """Not even to where everything would be accepted."""
    stub.pages["/elsewhere"] = sent(200, {"answers": 1})
    door_then(stub, Planned(status, b"", {"Location": f"{stub.url}/elsewhere"}))
    assert (client.flush()[0].state, client.flush()[0].reason) == ("waiting", f"status {status}")


@pytest.mark.parametrize("status", FINAL)
def test_a_final_problem_ends_trying_with_its_reason(status: int, client: Device, stub: Stub) -> None:
    door_then(stub, problem(status, FINAL[status]))
    (receipt,) = client.flush()
    assert (receipt.state, receipt.reason, len(receipt.bytes)) == ("refused", FINAL[status], 46)
    assert client.sent_again() == receipt
    assert len(posted(stub)) == 1


def test_a_lost_acknowledgement_counts_once(client: Device, stub: Stub) -> None:
    door_then(stub, Planned(None, after=True))
    assert client.flush()[0].state == "waiting"
    assert client.sent_again().state == "sent"
    assert len(stub.accepted[ONE.digest, "once"]) == 1


def test_closed_after_an_unknown_outcome_is_unknown(client: Device, stub: Stub) -> None:
    door_then(stub, Planned(None))
    client.flush()
    stub.planned = [problem(410, "closed")]
    assert client.sent_again().state == "unknown"


def test_a_server_that_is_down_for_a_week(client: Device, stub: Stub) -> None:
    """Attempts become rarer, up to one a day or so, and the answer arrives in the end."""
    for quarter in range(7 * 24 * 4):
        stub.planned = [Planned(503)]
        client.at(START + 900.0 * quarter).flush()
    assert 10 <= len(stub.asked) <= 24
    stub.planned = []
    assert client.sent_again().state == "sent"


@pytest.mark.parametrize("written", ["3600", "a date"])
def test_retry_after_is_obeyed(written: str, client: Device, stub: Stub) -> None:
    door_then(stub, problem(503, "busy", **{"Retry-After": "3600" if written == "3600" else http_date(3600)}))
    client.flush()
    assert client.sent_again(3590.0).state == "waiting"
    assert len(posted(stub)) == 1
    assert client.sent_again(80.0).state == "sent"


def http_date(later: float) -> str:
    """A date as headers write it, so many seconds from now."""
    return email.utils.formatdate(time.time() + later, usegmt=True)


@pytest.mark.parametrize("written", ["soon", "-5", "Fri, 31 Dec 9999 23:59:59 GMT", "9" * 400])
def test_an_absurd_time_to_come_back_is_at_most_a_week(written: str, client: Device, stub: Stub) -> None:
    door_then(stub, problem(503, "busy", **{"Retry-After": written}))
    client.flush()
    assert START < client.records()[0]["notBefore"] <= START + 7 * DAY + 60


def test_a_clock_that_jumped_does_not_silence_a_device(client: Device, stub: Stub) -> None:
    client.at(1e10)
    door_then(stub, Planned(503))
    client.flush()
    assert client.at(1e10 - FARTHEST - 1e5).flush()[0].state == "sent"


def test_a_retry_goes_to_the_period_and_the_endpoint_of_the_first_attempt(devices: Devices, stub: Stub) -> None:
    stub.open = ["2026-W31"]
    client = device(devices, stub, SURVEY)
    client.answer()
    door_then(stub, Planned(None))
    client.flush()
    stub.open = ["2026-W31", "2026-W32"]
    moved = devices.open(ENDPOINT, SURVEY, store=client.store)  # an app of a new version, with another endpoint
    assert moved.at(START + 1e6).flush()[0].period == "2026-W31"
    assert len({path for path, _ in posted(stub)}) == 1


def test_withdrawn_answers_are_not_sent(client: Device, stub: Stub) -> None:
    client.withdraw()
    client.grant()
    assert client.flush()[0].state == "withdrawn"
    assert stub.asked == []


def test_an_answer_that_was_on_its_way_when_it_was_withdrawn(client: Device, stub: Stub) -> None:
    door_then(stub, Planned(None))
    client.flush()
    client.withdraw()
    assert client.receipts()[0].reason == "it had been sent and may have been counted"


def test_a_survey_may_be_given_as_its_digest(devices: Devices, stub: Stub) -> None:
    assert devices.open(stub.url, ONE.digest).digest == ONE.digest
    with pytest.raises(ParameterError, match="must come with the app"):
        devices.open(stub.url, ONE.digest, mode="background")
    with pytest.raises(FormatError, match="no document of this digest"):
        devices.open(stub.url, "0" * 64)
    with pytest.raises(FormatError, match="must answer with the survey's document, got no reply"):
        devices.open("http://127.0.0.1:1", ONE.digest)
    stub.planned = [Planned(200, samples()["words"].document)]
    with pytest.raises(FormatError, match="got another"):
        devices.open(stub.url, ONE.digest)


def test_a_mode_is_read_before_anything_is_fetched(devices: Devices, stub: Stub) -> None:
    with pytest.raises(ParameterError, match=r"^mode must be"):
        devices.open(stub.url, ONE.digest, mode="Background")
    assert stub.asked == []


def test_a_survey_of_background_mode_is_not_fetched(devices: Devices, stub: Stub) -> None:
    text = json.dumps({**json.loads(ONE.to_json()), "mode": "background"})
    stub.planned = [Planned(200, text.encode())]
    with pytest.raises(ParameterError, match=r"must come with the app"):
        devices.open(stub.url, devices.open(ENDPOINT, text).digest)


def test_an_invitation_goes_to_its_own_collector_alone(devices: Devices, stub: Stub) -> None:
    """An answer of an earlier app waits for another endpoint than the one that this code is for."""
    first = device(devices, stub, code="of-the-first")
    first.answer()
    devices.open("https://another.example", ONE, store=first.store, code="of-the-second").flush()
    assert [asked.method for asked in stub.asked] == ["GET", "POST"]
    assert all("authorization" not in asked.headers for asked in stub.asked)


@pytest.mark.parametrize(("more", "state"), [(0, "sent"), (1, "waiting")])
def test_a_reply_is_as_long_as_a_door_or_a_receipt(more: int, state: str, client: Device, stub: Stub) -> None:
    body = b'{"answers": 1}'.ljust(MOST_REPLY + more)
    door_then(stub, Planned(200, body, {"Content-Type": "application/json"}))
    assert client.flush()[0].state == state


def test_flushes_of_one_client_take_turns(client: Device, stub: Stub) -> None:
    assert [receipts[0].state for receipts in client.flushes(20)] == ["sent"] * 20
    assert [asked.method for asked in stub.asked] == ["GET", "POST"]


def test_answers_know_nothing_of_each_other(devices: Devices, stub: Stub) -> None:
    """Two surveys of one store: a flush sends its own survey's alone."""
    first = device(devices, stub)
    other = device(devices, stub, SURVEY, store=first.store)
    first.answer()
    other.answer(BUS)
    first.flush()
    assert {asked.path.split("/")[3] for asked in stub.asked} == {ONE.digest}
