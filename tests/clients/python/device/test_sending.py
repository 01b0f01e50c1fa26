"""Sending: the same bytes to the same period until a final reply, and nothing else is final."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import deniable_client
import pytest
from deniable_client import Client, FormatError, MemoryStore, ParameterError, Receipt
from deniable_client.device import outbox
from deniable_client.device.outbox import FARTHEST
from deniable_client.device.transport import Reply, request
from deniable_client.surveys.periods import bounds_of
from tests.clients.python.device.test_device import BUS, DURING, WEEK, agreed, at, finish, weekly
from tests.clients.stub import Planned, Stub, problem, sent
from tests.house.house_tree import ROOT
from tests.wire.generate.documents import PEOPLE, samples

import deniable as dn

ONE = samples()["one question"]
START = DURING
"""The Wednesday of the week 2026-W32."""


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub(*samples().values(), weekly()).running() as running:
        yield running


def device(stub: Stub, survey: dn.Survey = ONE, **options: Any) -> Client:
    """A client at the stub, whose person has agreed, in the week 2026-W32."""
    client = deniable_client.open(stub.url, survey.to_json(), **options)
    client.consent().grant(client.survey.sentences)
    return at(client, START)


def sent_again(client: Client, later: float = 1e6) -> Receipt:
    """The receipt after another attempt, when it is certainly due."""
    return at(client, client.now() + later).flush()[-1]


def posted(stub: Stub) -> list[tuple[str, bytes]]:
    """Where and what was handed in."""
    return [(asked.path, asked.body) for asked in stub.asked if asked.method == "POST"]


@pytest.mark.parametrize("name", samples())
def test_an_answer_arrives(name: str, stub: Stub) -> None:
    survey = samples()[name]
    stub.open = ["2026-W32"] if survey.period == "week" else ["once"]
    client = device(stub, survey)
    client.answer(PEOPLE[name])
    (receipt,) = client.flush()
    assert (receipt.state, receipt.period) == ("sent", stub.open[0])
    (answer,) = stub.accepted[survey.digest, stub.open[0]]
    assert receipt.bytes[16:].endswith(answer[2:] if len(survey.arms) > 1 else answer)
    assert client.flush() == [receipt]
    assert len(posted(stub)) == 1


def test_nothing_is_asked_before_consent(stub: Stub) -> None:
    client = deniable_client.open(stub.url, ONE.to_json())
    client.facts(), client.outcomes(BUS), client.flush(), client.receipts(), client.spent()
    assert stub.asked == []


def test_requests_say_no_more_than_they_must(stub: Stub) -> None:
    client = device(stub, code="a-code")
    client.answer(BUS)
    client.flush()
    door, upload = stub.asked
    assert set(door.headers) <= {"host", "accept-encoding", "authorization"}
    assert set(upload.headers) == {"host", "accept-encoding", "content-length", "content-type", "authorization"}
    assert upload.headers["authorization"] == "Invitation a-code"


NOT_FINAL = {
    "a captive portal": Planned(200, b"<html>Welcome to our hotel</html>", {"Content-Type": "text/html"}),
    "a captive portal that speaks JSON": sent(200, {"ok": True}),
    "another number of answers": sent(200, {"answers": 2}),
    "a truth value": sent(200, {"answers": True}),
    "a redirect": Planned(302, b"", {"Location": "https://elsewhere.example/"}),
    "a 404 during a deploy": problem(404, "unknown"),
    "a spent invitation": problem(401, "invitation"),
    "a proxy's 400": Planned(400, b"Bad Request", {"Content-Type": "text/plain"}),
    "a problem of somebody else": sent(422, {"type": "about:blank", "status": 422}, "application/problem+json"),
    "a problem of another status": sent(
        422, {"type": "urn:deniable:problem:closed", "status": 410}, "application/problem+json"
    ),
    "too early": problem(409, "too-early", **{"Retry-After": "60"}),
    "too many": problem(429, "busy", **{"Retry-After": "60"}),
    "busy": problem(503, "busy", **{"Retry-After": "60"}),
    "broken": Planned(500, b""),
    "silence": Planned(None),
}


@pytest.mark.parametrize("name", NOT_FINAL)
def test_whatever_is_not_final_leaves_the_answer_waiting(name: str, stub: Stub) -> None:
    client = device(stub)
    client.answer(BUS)
    door_then(stub, NOT_FINAL[name])
    assert client.flush()[0].state == "waiting"
    assert client.flush()[0].bytes == b""
    assert len(posted(stub)) == 1  # not due yet
    assert sent_again(client).state == "sent"
    first, second = posted(stub)
    assert first == second


def door_then(stub: Stub, reply: Planned) -> None:
    """The stub's own door, then this reply."""
    periods = [{"period": name, "opens": None, "closes": None} for name in stub.open]
    stub.planned = [sent(200, {"periods": periods, "limits": {}}), reply]


FINAL = {400: "malformed", 409: "other-bytes", 410: "closed", 413: "too-large", 415: "media-type", 422: "no-answer"}


@pytest.mark.parametrize("status", FINAL)
def test_a_final_problem_ends_trying_with_its_reason(status: int, stub: Stub) -> None:
    client = device(stub)
    client.answer(BUS)
    door_then(stub, problem(status, FINAL[status]))
    (receipt,) = client.flush()
    assert (receipt.state, receipt.reason) == ("refused", FINAL[status])
    assert len(receipt.bytes) == 23
    assert sent_again(client) == receipt
    assert len(posted(stub)) == 1


def test_a_lost_acknowledgement_counts_once(stub: Stub) -> None:
    client = device(stub)
    client.answer(BUS)
    periods = [{"period": "once", "opens": None, "closes": None}]
    stub.planned = [sent(200, {"periods": periods, "limits": {}}), Planned(None, after=True)]
    assert client.flush()[0].state == "waiting"
    assert sent_again(client).state == "sent"
    assert len(stub.accepted[ONE.digest, "once"]) == 1


def test_closed_after_an_unknown_outcome_is_unknown(stub: Stub) -> None:
    client = device(stub)
    client.answer(BUS)
    door_then(stub, Planned(None))
    client.flush()
    stub.planned = [problem(410, "closed")]
    assert sent_again(client).state == "unknown"


def test_a_server_that_is_down_for_a_week(stub: Stub) -> None:
    """Attempts become rarer, up to one a day or so, and the answer arrives in the end."""
    client = device(stub)
    client.answer(BUS)
    for minute in range(7 * 24 * 60):
        stub.planned = [Planned(503)]
        at(client, START + 60.0 * minute).flush()
    assert 12 <= len(stub.asked) <= 26
    stub.planned = []
    assert sent_again(client).state == "sent"


def test_retry_after_is_obeyed(stub: Stub) -> None:
    client = device(stub)
    client.answer(BUS)
    door_then(stub, problem(503, "busy", **{"Retry-After": "3600"}))
    client.flush()
    assert sent_again(client, 3599.0).state == "waiting"
    assert len(posted(stub)) == 1
    assert sent_again(client, 61.0).state == "sent"


def test_a_clock_that_jumped_does_not_silence_a_device(stub: Stub) -> None:
    client = at(device(stub), 1e10)
    client.answer(BUS)
    door_then(stub, Planned(503))
    client.flush()
    assert at(client, 1e10 - FARTHEST - 1e5).flush()[0].state == "sent"


@pytest.mark.parametrize("offered", [["2026-W31"], ["yesterday"], ["Once", 7], [None], "once", [{"x": 1}], []])
def test_a_door_of_strange_periods_is_not_believed(offered: Any, stub: Stub) -> None:
    client = device(stub)
    client.answer(BUS)
    listed = [{"period": name} for name in offered] if isinstance(offered, list) else offered
    stub.planned = [sent(200, {"periods": listed})]
    (receipt,) = client.flush()
    assert (receipt.state, receipt.period, posted(stub)) == ("waiting", None, [])
    assert sent_again(client).state == "sent"


def test_each_period_is_answered_once(stub: Stub) -> None:
    """Of two open periods the later; one that was answered is never answered again, nor one before it."""
    survey = weekly(9.0)
    stub.surveys[survey.digest] = survey
    stub.open = ["2026-W31", "2026-W32"]
    client = device(stub, survey)
    for week in range(3):
        at(client, START + week * WEEK).answer(BUS)
        client.flush()
    assert [receipt.period for receipt in client.receipts()] == ["2026-W32", None]
    stub.open = ["2026-W32", "2026-W33"]
    assert sent_again(client).period == "2026-W33"
    assert list(stub.accepted) == [(survey.digest, "2026-W32"), (survey.digest, "2026-W33")]


def test_a_retry_goes_to_the_period_and_the_endpoint_of_the_first_attempt(stub: Stub) -> None:
    survey, store = weekly(9.0), MemoryStore()
    stub.surveys[survey.digest] = survey
    stub.open = ["2026-W31"]
    client = device(stub, survey, store=store)
    client.answer(BUS)
    door_then(stub, Planned(None))
    client.flush()
    stub.open = ["2026-W31", "2026-W32"]
    moved = agreed(survey, store=store)  # an app of a new version, with another endpoint
    assert at(moved, START + 1e6).flush()[0].period == "2026-W31"
    assert len({path for path, _ in posted(stub)}) == 1


def test_a_survey_that_is_over_before_it_was_sent(stub: Stub) -> None:
    client = device(stub)
    client.answer(BUS)
    stub.planned = [problem(410, "closed")]
    (receipt,) = client.flush()
    assert (receipt.state, receipt.reason, posted(stub)) == ("refused", "closed", [])


def test_withdrawn_answers_are_not_sent(stub: Stub) -> None:
    client = device(stub)
    client.answer(BUS)
    client.consent().withdraw()
    client.consent().grant(client.survey.sentences)
    assert client.flush()[0].state == "withdrawn"
    assert stub.asked == []


def test_an_answer_that_was_on_its_way_when_it_was_withdrawn(stub: Stub) -> None:
    client = device(stub)
    client.answer(BUS)
    door_then(stub, Planned(None))
    client.flush()
    client.consent().withdraw()
    assert "may have been counted" in client.receipts()[0].reason


def test_a_survey_may_be_given_as_its_digest(stub: Stub) -> None:
    client = deniable_client.open(stub.url, ONE.digest)
    assert client.survey.to_json() == ONE.to_json()
    with pytest.raises(ParameterError, match="must come with the app"):
        deniable_client.open(stub.url, ONE.digest, mode="background")
    with pytest.raises(FormatError, match="no document of this digest"):
        deniable_client.open(stub.url, "0" * 64)
    with pytest.raises(FormatError, match="must answer with the survey's document, got no reply"):
        deniable_client.open("http://127.0.0.1:1", ONE.digest)
    stub.planned = [Planned(200, samples()["words"].document)]
    with pytest.raises(FormatError, match="got another"):
        deniable_client.open(stub.url, ONE.digest)


def test_the_stub_can_be_steered_from_elsewhere(tmp_path: Path) -> None:
    """As tests in other languages do, who run it as a process of its own."""
    (tmp_path / "one.json").write_text(ONE.to_json(), encoding="utf-8")
    command = [sys.executable, "-m", "tests.clients.stub", str(tmp_path / "one.json")]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        url = json.loads(running.stdout.readline())["url"]
        client = agreed(ONE, endpoint=url)
        client.answer(BUS)
        planned = [{"status": 503, "body": "", "headers": {}, "after": False}]
        request(url, "POST", "/stub", json.dumps({"planned": planned}).encode())
        assert at(client, 0.0).flush()[0].state == "waiting"
        assert sent_again(client).state == "sent"
        told = request(url, "GET", "/stub")
        running.stdin.close()
    assert told is not None
    assert list(told.json["accepted"]) == [f"{ONE.digest}/once"]
    assert [asked["method"] for asked in told.json["asked"]] == ["GET", "GET", "POST"]


def test_finished_answers_are_left_alone(stub: Stub) -> None:
    client = device(stub)
    finish(client, client.answer(BUS))
    assert client.flush()[0].state == "sent"
    assert stub.asked == []


def test_an_invitation_goes_to_its_own_collector_alone(stub: Stub) -> None:
    """An answer of an earlier app waits for another endpoint than the one that this code is for."""
    store = MemoryStore()
    device(stub, store=store, code="of-the-first").answer(BUS)
    moved = deniable_client.open("https://another.example", ONE.to_json(), store=store, code="of-the-second")
    moved.flush()
    assert [asked.method for asked in stub.asked] == ["GET", "POST"]
    assert all("authorization" not in asked.headers for asked in stub.asked)


def test_closed_is_unknown_if_another_process_tried_meanwhile(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other's answer may have been counted, though this one's first attempt was told that the period is over."""
    store = MemoryStore()
    client, other = device(stub, store=store), device(stub, store=store)
    client.answer(BUS)
    door_then(stub, problem(410, "closed"))
    stub.planned.append(Planned(None))

    def overtaken(*asked: Any) -> Reply | None:
        reply = request(*asked)
        if asked[1] == "POST":
            monkeypatch.setattr(outbox, "request", request)
            at(other, START + 1e3).flush()
        return reply

    monkeypatch.setattr(outbox, "request", overtaken)
    assert client.flush()[0].state == "unknown"
    assert len(posted(stub)) == 2


@pytest.mark.parametrize(("period", "last"), [("day", "9999-12-31"), ("week", "9999-W52"), ("month", "9999-12")])
def test_the_last_period_of_the_calendar_is_none(period: str, last: str, stub: Stub) -> None:
    survey = weekly()
    spec = {**json.loads(survey.to_json()), "period": period}
    client = deniable_client.open(stub.url, json.dumps(spec))
    client.consent().grant(client.survey.sentences)
    client.answer(BUS)
    stub.planned = [sent(200, {"periods": [{"period": last}]})]
    (receipt,) = client.flush()
    assert (receipt.state, receipt.reason) == ("waiting", "no open period")
    with pytest.raises(ParameterError, match=r"^the period must be"):
        bounds_of(client.survey, last)


@pytest.mark.parametrize(
    "written",
    [
        "Mon, 01 Jan 2026 00:00:00 +99999999999999",
        "Fri, 31 Dec 9999 23:59:59 -2300",
        "Mon, 01 Jan 99999999999999999999 00:00:00 GMT",
        "Mon, 01 Jan 2026 99999999999999999999:00:00 GMT",
        "soon",
    ],
)
def test_an_absurd_time_to_come_back_is_ignored(written: str) -> None:
    assert (Reply(503, {"retry-after": written}, b"").retry_after or 0.0) < 1e12
