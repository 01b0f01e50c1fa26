"""From devices by way of a mixer to a result, in two processes that are killed: each answer is counted exactly once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.collector.commands import command, in_a_line
from tests.collector.servers import stopped
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


def test_what_a_restored_collector_lost_is_sent_again_and_counted_once(parties: Parties) -> None:
    """The backup knows the survey and its key, and nothing of the parcel; both parties are processes."""
    data = ("--data", str(parties.collector.data))
    assert command("collector", "backup", "before", *data).returncode == 0
    given = drawn(parties.survey)
    parties.send(given, parties.codes)
    parties.close()
    until(lambda: (parties.period() or {}).get("state") == "released", 0.1)
    assert stopped(parties.collector) == 0
    backup = parties.collector.data / "backups" / "before"
    assert command("collector", "restore", str(backup), *data).returncode == 0
    parties.restart_collector()
    assert parties.period() is None or parties.period()["state"] != "released"
    again = ("mixer", "send-again", "commute", "--data", str(parties.mixer.data))
    for _ in range(2):
        assert "1 parcel is sent again" in command(*again).stdout
        until(parties.is_taken, 0.1)
        until(lambda: (parties.period() or {}).get("state") == "released", 0.1)
        assert parties.tally() == parties.survey.tally(given).to_bytes()


def test_neither_serves_on_the_folder_of_the_other(parties: Parties) -> None:
    servers = (
        (parties.collector, ["mixer", "serve"], "a mixer's, got a collector's"),
        (parties.mixer, ["serve"], "a collector's, got a mixer's"),
    )
    for server, words, told in servers:
        for commands in (["mixer", "status"], ["collector", "status"], ["mixer", "close", "commute", "--yes"]):
            done = command(*commands, "--data", str(server.data))
            is_own = (commands[0] == "mixer") is (server is parties.mixer)
            assert is_own or (done.returncode == 2 and "data must be a " in done.stderr), commands
        assert "the storage must be" in in_a_line(command(*words, "--data", str(server.data), "--port", "0").stderr)
        assert stopped(server) == 0
        refused = command(*words, "--data", str(server.data), "--port", "0")
        assert (refused.returncode, refused.stdout) == (2, "")
        assert f"the storage must be {told}; name a folder of its own" in in_a_line(refused.stderr)
    parties.restart_collector()
    parties.restart_mixer()
