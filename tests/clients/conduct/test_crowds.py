"""wire/crowd.md: answers that are sealed for a collector, and sent to its mixer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.clients.conduct.conftest import PROCESSES, Make
from tests.clients.conduct.devices import Device, Devices, in_process
from tests.clients.conduct.surveys import IN_CROWD, ONE, START, WEEK, crowded, drawn_in, opened, sealed_in
from tests.clients.stub import NOT_FINAL, Planned, Stub, problem
from tests.wire.vectors import vectors

import deniable as dn
from deniable.protocol import ParameterError, StoreError

CODE = "a-code"


@pytest.fixture
def store() -> str:
    """A store in memory."""
    return ""


@pytest.fixture
def survey(stub: Stub) -> dn.Survey:
    """One that the stub mixes."""
    return mixed(stub)


def mixed(stub: Stub, **terms: Any) -> dn.Survey:
    """A survey that the stub mixes."""
    survey = crowded(stub.url, **terms)
    stub.surveys[survey.digest] = survey
    return survey


@pytest.fixture
def client(make: Make, survey: dn.Survey) -> Device:
    """One that has answered."""
    client = make(survey, code=CODE)
    client.answer(IN_CROWD)
    return client


def upload_of(client: Device) -> bytes:
    """The upload that the store holds of the last answer."""
    return bytes.fromhex(client.records()[-1]["upload"])


def test_the_answer_is_sealed_in_the_step_that_fixes_its_period(client: Device, survey: dn.Survey, stub: Stub) -> None:
    """Under the same outer id; of the report nothing is left, and of the inner id nothing was ever there."""
    waiting = upload_of(client)
    assert survey.check(drawn_in(waiting)) is None
    stub.plan_after_door(Planned(None))
    (receipt,) = client.flush()
    assert (receipt.state, receipt.period, receipt.bytes) == ("waiting", "once", b"")
    kept = upload_of(client)
    found = opened(survey, sealed_in(survey, kept))
    assert (kept[:16], found.answer) == (waiting[:16], drawn_in(waiting))
    assert found.id != kept[:16]
    held = json.dumps(client.texts())
    assert waiting.hex() not in held
    assert found.id.hex() not in held


def test_a_retry_is_the_same_bytes_until_a_reply_is_final_and_then_they_are_forgotten(
    client: Device, survey: dn.Survey, stub: Stub
) -> None:
    stub.plan_after_door(Planned(None), *(NOT_FINAL[name] for name in ("a spent invitation", "busy", "broken")))
    client.flush()
    kept = upload_of(client)
    for _ in range(3):
        assert client.sent_again().state == "waiting"
    receipt = client.sent_again()
    assert (receipt.state, receipt.bytes, upload_of(client)) == ("sent", b"", b"")
    path = f"/v1/surveys/{survey.digest}/periods/once/answers"
    assert stub.posted == [(path, kept)] * 5
    assert stub.accepted[survey.digest, "once"] == [sealed_in(survey, kept)]
    assert client.answer(IN_CROWD) == receipt  # once is once
    assert client.spent()["total"] == survey.promise.charge


@pytest.mark.parametrize("status", [400, 410, 422])
def test_what_is_refused_for_good_is_forgotten_too(status: int, client: Device, stub: Stub) -> None:
    stub.plan_after_door(problem(status, "closed" if status == 410 else "no-answer"))
    (receipt,) = client.flush()
    assert (receipt.state, receipt.bytes, upload_of(client)) == ("refused", b"", b"")


def test_a_survey_that_is_over_leaves_no_report_behind(client: Device, stub: Stub) -> None:
    """It was never sealed, and will never be sent."""
    stub.planned = [problem(410, "closed")]
    (receipt,) = client.flush()
    assert (receipt.state, receipt.period, receipt.bytes, upload_of(client)) == ("refused", None, b"", b"")


def test_the_mixer_alone_is_asked_with_the_invitation_at_the_upload(
    devices: Devices, survey: dn.Survey, stub: Stub
) -> None:
    """Given by its digest, the document comes from there too; given as a text, the address does."""
    by_digest = devices.agreed(stub.url, survey.digest, code=CODE).at(START)
    by_text = devices.agreed(f"{stub.url}/", survey, code=CODE).at(START)
    for client in (by_digest, by_text):
        client.answer(IN_CROWD)
        assert client.flush()[0].state == "sent"
    start = f"/v1/surveys/{survey.digest}"
    told = [(asked.method, asked.path, asked.headers.get("authorization")) for asked in stub.asked]
    sent = [("GET", f"{start}/door", None), ("POST", f"{start}/periods/once/answers", f"Invitation {CODE}")]
    assert told == [("GET", start, None), *sent, *sent]


def test_without_an_address_it_is_the_mixers(devices: Devices, survey: dn.Survey, stub: Stub) -> None:
    client = devices.open(None, survey, code=CODE).at(START)
    client.grant()
    client.answer(IN_CROWD)
    assert client.flush()[0].state == "sent"
    assert len(stub.posted) == 1


def test_another_address_is_refused(devices: Devices, survey: dn.Survey) -> None:
    """A collector with a crowd takes no answers of devices, and should not see who asks."""
    for endpoint in ("http://127.0.0.1:1", "https://collector.example"):
        with pytest.raises(ParameterError, match=r"^endpoint must be the mixer of a survey with a crowd"):
            devices.open(endpoint, survey, code=CODE)


def test_a_survey_that_cannot_be_sealed_is_refused(devices: Devices, survey: dn.Survey, stub: Stub) -> None:
    """A document without a key, and one whose key is not on the curve."""
    document = json.loads(survey.to_json())
    planned = {name: each for name, each in document["crowd"].items() if name not in {"collector", "key"}}
    with pytest.raises(ParameterError, match=r"^a survey with a crowd must have the key of its collector"):
        devices.open(stub.url, json.dumps({**document, "crowd": planned}), code=CODE)
    off = next(each["key"] for each in vectors("crowd.json", "keys") if each["why"] == "off the curve")
    with pytest.raises(ParameterError, match=r"^key must be"):
        devices.open(stub.url, json.dumps({**document, "crowd": {**document["crowd"], "key": off}}), code=CODE)
    assert stub.asked == []


def test_without_an_invitation_nothing_is_drawn(make: Make, survey: dn.Survey, stub: Stub) -> None:
    client = make(survey)
    with pytest.raises(ParameterError, match=r"^code must be an invitation of the mixer's"):
        client.answer(IN_CROWD)
    assert (client.receipts(), client.spent()["total"]) == ([], 0)
    assert client.flush() == []
    assert stub.asked == []


def test_what_waits_is_sent_by_an_app_that_no_longer_has_the_invitation(
    client: Device, devices: Devices, survey: dn.Survey, stub: Stub
) -> None:
    """It has been sealed, and a mixer may have it."""
    stub.plan_after_door(Planned(None))
    client.flush()
    again = devices.open(stub.url, survey, client.store).at(START + WEEK)
    assert again.answer(IN_CROWD) == again.last
    assert again.flush()[-1].state == "sent"
    assert len(set(stub.posted)) == 1


def test_each_period_is_sealed_for_itself(devices: Devices, stub: Stub) -> None:
    survey = mixed(stub, period="week", repeat="fresh", cap=9.0, opens="2026-08-01T00:00:00Z")
    client = devices.agreed(stub.url, survey, code=CODE).at(START)
    found = []
    for week, period in enumerate(("2026-W32", "2026-W33")):
        client.at(START + week * WEEK)
        client.answer(IN_CROWD)
        waiting, stub.open = upload_of(client), [period]
        assert client.flush()[-1].state == "sent"
        [sealed] = stub.accepted[survey.digest, period]
        found.append(opened(survey, sealed, period))
        assert found[-1].answer == drawn_in(waiting)
    assert found[0].id != found[1].id


def test_withdrawing_forgets_what_is_sealed_and_what_is_not(make: Make, survey: dn.Survey, stub: Stub) -> None:
    client = make(survey, code=CODE)
    client.answer(IN_CROWD)
    client.withdraw()
    assert (client.last.state, client.last.reason, upload_of(client)) == ("withdrawn", "", b"")
    assert client.flush()[0].state == "withdrawn"
    assert stub.asked == []


def test_what_a_store_holds_unsealed_with_a_period_is_not_sent(client: Device, stub: Stub) -> None:
    """Only somebody else could have written that: a report would reach the mixer as it is."""
    client.change(period="once")
    with pytest.raises(StoreError, match="sealed answers"):
        client.flush()
    assert stub.posted == []


@pytest.fixture
def pair(devices: Devices, stub: Stub, tmp_path: Path) -> Iterator[tuple[Device, Device, dn.Survey]]:
    """A device that has answered, one of the same store in another process, and their survey."""
    survey = mixed(stub)
    with in_process(devices.kind) as others:
        one = devices.agreed(stub.url, survey, str(tmp_path / "device"), code=CODE).at(START)
        one.answer(IN_CROWD)
        yield one, others.open(stub.url, survey, one.store, code=CODE).at(START), survey


@PROCESSES
def test_what_another_process_sealed_meanwhile_is_what_is_sent(
    pair: tuple[Device, Device, dn.Survey], stub: Stub
) -> None:
    """Both were told of the period; the first to write it down has sealed for both."""
    client, other, survey = pair
    stub.plan_after_door()
    [door] = stub.planned
    stub.planned = [replace(door, meanwhile=other.flush)]
    client.flush()
    assert client.last.state == "sent"
    assert len(set(stub.posted)) == 1
    assert len(stub.accepted[survey.digest, "once"]) == 1


@PROCESSES
def test_what_was_withdrawn_meanwhile_is_not_sealed(pair: tuple[Device, Device, dn.Survey], stub: Stub) -> None:
    client, other, _ = pair
    stub.plan_after_door()
    [door] = stub.planned
    stub.planned = [replace(door, meanwhile=other.withdraw)]
    assert client.flush()[0].state == "withdrawn"
    assert (upload_of(client), stub.posted) == (b"", [])


def test_answers_without_a_crowd_go_as_they_are(make: Make, stub: Stub) -> None:
    client = make(ONE)
    client.answer()
    assert client.flush()[0].bytes == stub.posted[0][1]
