"""A device whose process is killed at any statement of its store: never a second draw, never a charge by itself."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import deniable_client
import pytest
from deniable_client import Client, SqliteStore
from deniable_client.device.records import records_of
from tests.clients.conduct.surveys import IN_CROWD, crowded, drawn_in, opened_of
from tests.clients.stub import Stub
from tests.wire.generate.documents import samples
from tests.wire.generate.labels import labelled

import deniable as dn

CHILD = """
import os, signal, sys
import deniable_client
from deniable_client import SqliteStore

path, url, text, steps, act = sys.argv[1:]
client = deniable_client.open(url, text, store=SqliteStore(path))
left = int(steps)

def count(_statement):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

connect = SqliteStore._connect
def traced(self):
    connection = connect(self)
    connection.set_trace_callback(count)
    return connection
SqliteStore._connect = traced

if act == "grant":
    client.consent().grant(client.survey.sentences)
elif act == "answer":
    client.answer({"way": "bus"})
else:
    client.flush()
"""
"""Does one thing, and is killed before the statement of that number, if there are so many."""
MOST = 60


def run(*arguments: str) -> int:
    """The exit status of a child; -9 if it was killed."""
    return subprocess.run([sys.executable, "-c", CHILD, *arguments], check=False, timeout=60).returncode


def opened(path: Path, survey: dn.Survey, url: str = "https://collector.example") -> Client:
    """The client in this process."""
    return deniable_client.open(url, survey.to_json(), store=SqliteStore(path))


def killed_at_every_statement(act: str, arguments: list[str], check: Callable[[], None]) -> int:
    """Do a thing until it is not killed any more; how many statements it takes."""
    for steps in range(1, MOST):
        status = run(*arguments, str(steps), act)
        check()
        if status == 0:
            return steps
        assert status == -signal.SIGKILL
    raise AssertionError(f"a child must end by itself within {MOST} statements, got one that does not")


def test_killed_while_it_answers(tmp_path: Path) -> None:
    survey, path = samples()["one question"], tmp_path / "device.sqlite"
    client = opened(path, survey)
    client.consent().grant(client.survey.sentences)
    uploads: set[str] = set()

    def check() -> None:
        assert client.spent()["total"] == len(client.receipts()) <= 1
        with client.store.transaction() as entries:
            uploads.update(record.upload for record in records_of(entries, survey.digest))

    assert killed_at_every_statement("answer", [str(path), "https://a.example", survey.to_json()], check) > 5
    assert len(uploads) == 1


def test_killed_while_it_enrols(tmp_path: Path) -> None:
    """Consent, the charge and the permanent reports are there together or not at all."""
    survey, path = labelled()["remembered"], tmp_path / "device.sqlite"
    client, enrolled = opened(path, survey), set()

    def check() -> None:
        with client.store.transaction() as entries:
            found = entries.get(f"enrolled/{survey.digest}")
        assert client.spent()["total"] == (0.0 if found is None else 6.0)
        assert client.consent().granted == (found is not None)
        enrolled.add(found)

    assert killed_at_every_statement("grant", [str(path), "https://a.example", survey.to_json()], check) > 5
    assert len(enrolled - {None}) == 1


def test_killed_while_it_sends(tmp_path: Path) -> None:
    """However often it has to begin again, one answer arrives once, in the same bytes."""
    survey, path = samples()["one question"], tmp_path / "device.sqlite"
    with Stub(survey).running() as stub:
        client = opened(path, survey, stub.url)
        client.consent().grant(client.survey.sentences)
        client.answer({"way": "bus"})
        uploads = uploads_of_killed(client, path, stub)
        assert {asked.body.hex() for asked in stub.asked if asked.method == "POST"} == uploads
        assert len(stub.accepted[survey.digest, "once"]) == len(uploads) == 1


def test_killed_while_it_seals_and_sends(tmp_path: Path) -> None:
    """The store holds the answer or what was sealed of it, never both; what may have been sent is sent again."""
    path = tmp_path / "device.sqlite"
    with Stub().running() as stub:
        survey = crowded(stub.url)
        stub.surveys[survey.digest] = survey
        client = deniable_client.open(stub.url, survey.to_json(), store=SqliteStore(path), code="a-code")
        client.consent().grant(client.survey.sentences)
        client.answer(IN_CROWD)
        forgotten, waiting, sealed = sorted(uploads_of_killed(client, path, stub), key=len)
        assert forgotten == ""
        assert {asked.body.hex() for asked in stub.asked if asked.method == "POST"} == {sealed}
        assert opened_of(survey, bytes.fromhex(sealed)).answer == drawn_in(bytes.fromhex(waiting))
        assert len(stub.accepted[survey.digest, "once"]) == 1


def uploads_of_killed(client: Client, path: Path, stub: Stub) -> set[str]:
    """The uploads that the store held of an answer while a child was killed at every statement of sending it."""
    seen: set[str] = set()

    def check() -> None:
        """What waits is due at once, for this test's sake."""
        with client.store.transaction() as entries:
            (key,) = entries.keys("answer/")
            record = json.loads(entries.get(key) or "")
            seen.add(record["upload"])
            entries.put(key, json.dumps({**record, "not_before": 0.0}))

    assert killed_at_every_statement("flush", [str(path), stub.url, client.survey.to_json()], check) > 10
    assert client.receipts()[0].state == "sent"
    return seen


@pytest.mark.parametrize("processes", [4])
def test_processes_that_answer_at_once_draw_one_answer(processes: int, tmp_path: Path) -> None:
    survey, path = samples()["one question"], tmp_path / "device.sqlite"
    client = opened(path, survey)
    client.consent().grant(client.survey.sentences)
    command = [sys.executable, "-c", CHILD, str(path), "https://a.example", survey.to_json(), "0", "answer"]
    running = [subprocess.Popen(command) for _ in range(processes)]
    assert [child.wait(timeout=60) for child in running] == [0] * processes
    assert len(client.receipts()) == client.spent()["total"] == 1
