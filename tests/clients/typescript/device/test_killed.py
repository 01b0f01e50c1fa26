"""A device in Node whose process is killed at any call to the file system, and many processes at once."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.clients.conduct.devices import Device, Devices, in_process
from tests.clients.conduct.surveys import IN_CROWD, crowded, drawn_in, opened_of
from tests.clients.stub import Stub
from tests.lengths import by_length
from tests.wire.generate.documents import samples
from tests.wire.generate.labels import labelled

import deniable as dn

ONE = samples()["one question"]
NOWHERE = "https://a.example"
MOST, PROCESSES = 80, by_length(12, 40)


@pytest.fixture(scope="module")
def devices(built: Path) -> Iterator[Devices]:
    assert built.is_dir()
    with in_process("node") as running:
        yield running


def killed(built: Path, steps: int, act: str, folder: Path, survey: dn.Survey, url: str = NOWHERE) -> bool:
    """Let a child do a thing, and say whether it was killed before the call of this number."""
    command = ["node", str(built / "killed.js"), str(folder), url, survey.to_json(), str(steps), act]
    status = subprocess.run(command, check=False, timeout=60, stdin=subprocess.DEVNULL).returncode
    assert status in (0, -signal.SIGKILL)
    return status != 0


def killed_at_each_call(built: Path, act: str, before: Path, survey: dn.Survey) -> Iterator[Path]:
    """The folders of stores like the given one after a child was killed at its first call, at its second, and so on."""
    for steps in range(1, MOST):
        folder = before.with_name(f"killed at {steps}")
        if before.exists():
            shutil.copytree(before, folder)
        if not killed(built, steps, act, folder, survey):
            return
        yield folder
    raise AssertionError(f"a child must end by itself within {MOST} calls, got one that does not")


def test_killed_while_it_answers(built: Path, devices: Devices, tmp_path: Path) -> None:
    """The charge, the report and its place in the outbox are there together or not at all, and drawn once."""
    devices.agreed(NOWHERE, ONE, store=str(tmp_path / "device"))
    counts = []
    for folder in killed_at_each_call(built, "answer", tmp_path / "device", ONE):
        client = devices.open(NOWHERE, ONE, store=str(folder))
        kept = client.records()
        assert client.spent()["total"] == len(kept)
        client.answer()
        assert client.spent()["total"] == len(client.records()) == 1
        assert kept in ([], client.records())
        counts.append(len(kept))
    assert counts == sorted(counts)
    assert counts.count(0) > 5 < counts.count(1)


def test_killed_while_it_enrols(built: Path, devices: Devices, tmp_path: Path) -> None:
    """Consent, the charge and the permanent reports are there together or not at all."""
    survey = labelled()["remembered"]
    counts = []
    for folder in killed_at_each_call(built, "grant", tmp_path / "device", survey):
        client = devices.open(NOWHERE, survey, store=str(folder))
        enrolled = [text for key, text in client.texts().items() if key.startswith("enrolled/")]
        assert (client.spent()["total"], client.granted) == (6 * len(enrolled), bool(enrolled))
        client.grant()
        assert client.spent()["total"] == 6
        assert enrolled in ([], [client.texts()[f"enrolled/{survey.digest}"]])
        counts.append(len(enrolled))
    assert counts.count(0) > 5 < counts.count(1)


def test_killed_while_it_sends(built: Path, devices: Devices, tmp_path: Path) -> None:
    """However often it has to begin again, one answer arrives once, in the same bytes."""
    with Stub(ONE).running() as stub:
        client = devices.agreed(stub.url, ONE, store=str(tmp_path / "device"))
        client.answer()
        uploads = uploads_of_killed(built, client, ONE, stub.url)
        assert {asked.body.hex() for asked in stub.asked if asked.method == "POST"} == uploads
        assert len(stub.accepted[ONE.digest, "once"]) == len(uploads) == 1


def test_killed_while_it_seals_and_sends(built: Path, devices: Devices, tmp_path: Path) -> None:
    """The store holds the answer or what was sealed of it, never both; what may have been sent is sent again."""
    with Stub().running() as stub:
        survey = crowded(stub.url)
        stub.surveys[survey.digest] = survey
        client = devices.agreed(stub.url, survey, store=str(tmp_path / "device"), code="a-code")
        client.answer(IN_CROWD)
        forgotten, waiting, sealed = sorted(uploads_of_killed(built, client, survey, stub.url), key=len)
        assert forgotten == ""
        assert {asked.body.hex() for asked in stub.asked if asked.method == "POST"} == {sealed}
        assert opened_of(survey, bytes.fromhex(sealed)).answer == drawn_in(bytes.fromhex(waiting))
        assert len(stub.accepted[survey.digest, "once"]) == 1


def uploads_of_killed(built: Path, client: Device, survey: dn.Survey, url: str) -> set[str]:
    """The uploads that the store held of an answer while a child was killed at each call of sending it."""
    seen, steps = set[str](), 1
    while steps < MOST and killed(built, steps, "flush", Path(client.store), survey, url):
        seen.add(client.records()[-1]["upload"])
        client.change(notBefore=0)  # what waits is due at once, for this test's sake
        steps += 1
    assert 20 < steps < MOST
    assert client.receipts()[0].state == "sent"
    return {*seen, client.records()[-1]["upload"]}


@pytest.mark.soak
def test_processes_that_answer_at_once_draw_one_answer(built: Path, devices: Devices, tmp_path: Path) -> None:
    client = devices.agreed(NOWHERE, ONE, store=str(tmp_path / "device"))
    command = ["node", str(built / "killed.js"), client.store, NOWHERE, ONE.to_json(), "0", "answer"]
    gate, opener = os.pipe()
    running = [subprocess.Popen(command, stdin=gate) for _ in range(PROCESSES)]
    os.close(opener)
    os.close(gate)
    assert [child.wait(timeout=60) for child in running] == [0] * PROCESSES
    assert len(client.receipts()) == client.spent()["total"] == 1
