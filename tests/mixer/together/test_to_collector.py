"""From devices by way of a mixer to a result, in two processes that are killed: each answer is counted exactly once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.mixer.parties import PEOPLE, Parties, drawn, two
from tests.mixer.servers import killed
from tests.waiting import until

DELAYS = (0.2, 0.5, 0.8, 1.1, 1.4)
"""Seconds after which both are killed: while a parcel is asked after, sent, opened, stored and acknowledged."""


@pytest.fixture
def parties(tmp_path: Path) -> Iterator[Parties]:
    """Both, with a survey."""
    with two(tmp_path) as found:
        found.ask("commute")
        yield found


def test_sealed_answers_become_a_result(parties: Parties) -> None:
    given = drawn(parties.survey)
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
    until(parties.is_taken, 0.1)
    assert parties.told()["codes"] == PEOPLE


def test_both_are_killed_and_each_answer_is_counted_once(parties: Parties) -> None:
    given = drawn(parties.survey)
    parties.send(given, parties.codes)
    parties.close()
    for delay in DELAYS:
        time.sleep(delay)
        for server in (parties.mixer, parties.collector):
            killed(server)
        parties.restart_collector()
        parties.restart_mixer()
    until(parties.is_taken, 0.1)
    until(lambda: (parties.period() or {}).get("state") == "released", 0.1)
    assert parties.tally() == parties.survey.tally(given).to_bytes()


def test_too_few_are_withheld_and_both_say_so(parties: Parties) -> None:
    parties.send(drawn(parties.survey, 3), parties.codes[:3])
    parties.close()
    until(lambda: (parties.period() or {}).get("state") == "withheld", 0.1)
    crowd = parties.period()["crowd"]
    assert (crowd["withheld"], crowd["codes"], "answers" in crowd) == (3, PEOPLE, False)
    text = parties.collector.ask("GET", "/metrics").body.decode()
    assert "deniable_withheld_parcels" in text
