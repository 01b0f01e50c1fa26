"""From devices by way of a mixer to a result, in two processes that are killed: each answer is counted exactly once."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.collector.crowds import a_survey, an_id
from tests.collector.crowds import sealed as sealed_of
from tests.collector.servers import Server, started, stopped
from tests.mixer.servers import killed, mixing
from tests.mixer.worlds import upload_of
from tests.waiting import until

import deniable as dn

PEOPLE = 24
DELAYS = (0.2, 0.5, 0.8, 1.1, 1.4)
"""Seconds after which both are killed: while a parcel is asked after, sent, opened, stored and acknowledged."""


@dataclass
class Parties:
    """A collector and a mixer, and a survey that both know."""

    folder: Path
    collector: Server
    mixer: Server
    survey: dn.Survey
    codes: Sequence[str]

    def restart(self) -> None:
        """Both again, at the addresses that they had."""
        self.collector = collecting(self.folder, port_of(self.collector))
        self.mixer = mixing(self.folder / "m" / "data", port_of(self.mixer))

    def period(self) -> Any:
        """How the one period stands at the collector; None while nothing is known of it."""
        path = f"/v1/surveys/{self.survey.digest}/periods"
        return next(iter(self.collector.ask("GET", path, token=self.collector.operator).json), None)

    def tally(self) -> bytes:
        """The result."""
        path = f"/v1/surveys/{self.survey.digest}/periods/once/tally"
        return self.collector.ask("GET", path, token=self.collector.operator).body

    def send(self, answers: Sequence[bytes], codes: Sequence[str]) -> None:
        """What devices do: each seals its answer, and sends it under an id of its own."""
        for number, (answer, code) in enumerate(zip(answers, codes, strict=True)):
            upload = upload_of(sealed_of(self.survey, an_id(number), answer))
            assert self.mixer.send(self.survey, upload, Authorization=f"Invitation {code}").status == 200

    def close(self) -> None:
        """The mixer shuts the one period, and sends it."""
        path = f"/v1/surveys/{self.survey.digest}/close"
        assert self.mixer.ask("POST", path, token=self.mixer.operator).status == 200


def port_of(server: Server) -> str:
    """Where it listens."""
    return server.url.rpartition(":")[2]


def collecting(folder: Path, port: str = "0") -> Server:
    """A collector, started anew."""
    return started(folder / "c" / "data", "--rate", "0", "--port", port)


@pytest.fixture
def parties(tmp_path: Path) -> Any:
    """Both, with a survey whose key the collector made, and a token for the mixer."""
    for name in ("c", "m"):
        (tmp_path / name).mkdir()
    collector, mixer = collecting(tmp_path), mixing(tmp_path / "m" / "data")
    key = collector.ask("POST", "/v1/keys", b"", collector.token("ann", "author")).json["key"]
    closes = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    survey = a_survey(key, {"mixer": mixer.url, "collector": collector.url}, closes=closes)
    assert collector.ask("PUT", "/v1/surveys", survey.document, collector.operator).status == 201
    told = {"deniable_token": collector.token("council", "mixer", survey.name)}
    assert mixer.ask("PUT", "/v1/surveys", survey.document, mixer.operator, **told).status == 201
    asked = json.dumps({"people": PEOPLE}).encode()
    path = f"/v1/surveys/{survey.digest}/invitations"
    found = Parties(tmp_path, collector, mixer, survey, mixer.ask("POST", path, asked, mixer.operator).json["codes"])
    yield found
    for server in (found.mixer, found.collector):
        assert stopped(server) == 0


def answers(survey: dn.Survey, people: int = PEOPLE) -> list[bytes]:
    """What devices draw."""
    ways = ("car", "bus", "bus", "bike")
    return [survey.answer({"way": ways[k % 4]}, dn.SeededEntropy(k)) for k in range(people)]


def test_sealed_answers_become_a_result(parties: Parties) -> None:
    given = answers(parties.survey)
    parties.send(given, parties.codes)
    assert parties.period() is None
    parties.close()
    until(lambda: (parties.period() or {}).get("state") == "released", 0.1)
    assert parties.tally() == parties.survey.tally(given).to_bytes()
    crowd = parties.period()["crowd"]
    assert {name: crowd[name] for name in ("answers", "repeated", "unreadable", "codes", "withheld")} == {
        "answers": PEOPLE, "repeated": 0, "unreadable": 0, "codes": PEOPLE, "withheld": 0,
    }  # fmt: skip
    path = f"/v1/surveys/{parties.survey.digest}/periods/once/estimate.json"
    assert parties.collector.ask("GET", path, token=parties.collector.operator).json["n"] == PEOPLE
    [told] = parties.mixer.ask("GET", "/v1/status", token=parties.mixer.operator).json
    until(lambda: is_taken(parties), 0.1)
    assert told["codes"] == PEOPLE


def is_taken(parties: Parties) -> bool:
    """Whether the mixer knows what became of its parcel."""
    [told] = parties.mixer.ask("GET", "/v1/status", token=parties.mixer.operator).json
    return bool(told["periods"][0]["reply"] == {"is": "taken", "answers": PEOPLE, "repeated": 0, "unreadable": 0})


def test_both_are_killed_and_each_answer_is_counted_once(parties: Parties) -> None:
    given = answers(parties.survey)
    parties.send(given, parties.codes)
    parties.close()
    for delay in DELAYS:
        time.sleep(delay)
        for server in (parties.mixer, parties.collector):
            killed(server)
        parties.restart()
    until(lambda: is_taken(parties), 0.1)
    until(lambda: (parties.period() or {}).get("state") == "released", 0.1)
    assert parties.tally() == parties.survey.tally(given).to_bytes()


def test_too_few_are_withheld_and_both_say_so(parties: Parties) -> None:
    parties.send(answers(parties.survey, 3), parties.codes[:3])
    parties.close()
    until(lambda: (parties.period() or {}).get("state") == "withheld", 0.1)
    crowd = parties.period()["crowd"]
    assert (crowd["withheld"], crowd["codes"], "answers" in crowd) == (3, PEOPLE, False)
    text = parties.collector.ask("GET", "/metrics").body.decode()
    assert "deniable_withheld_parcels" in text
