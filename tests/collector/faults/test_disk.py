"""The disk of a running collector is slow, full, or fails: nobody is told more than is true, and it ends if it must."""

from __future__ import annotations

import errno
import http.client
import struct
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.collector.faults.load import Load, check_result, wait_for_more
from tests.collector.faults.serving import BYTES, Serving, path_of
from tests.collector.worlds import a_survey, an_id, body_of
from tests.waiting import until

import deniable as dn
from deniable.intake.uploads import MOST_ANSWERS
from deniable.intake.writer import EXIT_BROKEN, ROOM

SURVEY = a_survey(minimum=1, grace=0)
BIT = dn.OneOf("bit", list(range(800)))
WIDE = dn.Survey("wide", [BIT], [dn.Arm([dn.Part([BIT], dn.OptimizedUnary(800, 1.0))])])
"""A survey whose answers are long, a hundred bytes each: few of them fill what waits."""
MOST_SENT = 30


@pytest.fixture
def faults(tmp_path: Path) -> Path:
    """Says what is wrong with the disk while it is there."""
    return tmp_path / "faults"


@pytest.fixture
def serving(tmp_path: Path, disk: Path, faults: Path) -> Iterator[Serving]:
    """A collector on a disk that may fail, with a survey."""
    shim = {"LD_PRELOAD": str(disk), "DISK_ROOT": str(tmp_path / "data"), "DISK_FAULTS": str(faults)}
    found = Serving(tmp_path, environment=shim, program="tests.collector.faults.remembering")
    found.start()
    found.ask("PUT", "/v1/surveys", SURVEY.document)
    yield found
    if found.process is not None and found.process.poll() is None:
        found.kill()


def told(serving: Serving, body: bytes, survey: dn.Survey = SURVEY) -> tuple[int, str | None]:
    """The status of a reply, and when to come back."""
    with closing(serving.connection()) as connection:
        connection.request("POST", path_of(survey), body, BYTES)
        reply = connection.getresponse()
        reply.read()
        return reply.status, reply.headers["Retry-After"]


def answers(serving: Serving, survey: dn.Survey = SURVEY) -> int:
    """How many answers there are."""
    found: list[dict[str, int]] = serving.ask("GET", f"/v1/surveys/{survey.digest}/periods")
    return found[0]["answers"]


def test_a_disk_that_is_slow_full_and_then_broken(serving: Serving, faults: Path) -> None:
    faults.write_text("slow 400")
    begun = time.monotonic()
    assert told(serving, body_of([0])) == (200, None)
    assert time.monotonic() - begun >= 0.4

    full = body_of([1])
    faults.write_text(f"write {errno.ENOSPC}")
    status, later = told(serving, full)
    assert status == 503
    assert int(later or 0) > 0
    faults.unlink()
    assert told(serving, full) == (200, None)
    assert answers(serving) == 2

    faults.write_text(f"write {errno.EIO}")
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        told(serving, body_of([2]))
    assert serving.ended() == EXIT_BROKEN
    assert "the collector ends: a commit must reach the disk, got SQLITE_IOERR_WRITE" in serving.errors()


def test_under_load_a_disk_that_fills_and_then_fails_loses_nothing(serving: Serving, faults: Path) -> None:
    load = Load(serving, SURVEY)

    def fill_and_fail() -> None:
        for fault in ("", "slow 20", ""):
            faults.write_text(fault)
            wait_for_more(lambda: len(load.told))
            faults.write_text(f"write {errno.ENOSPC}")
            wait_for_more(lambda: load.busy)
        faults.write_text(f"sync {errno.EIO}")
        assert serving.ended() == EXIT_BROKEN

    load.during(fill_and_fail)
    assert "the collector ends: a commit must reach the disk, got SQLITE_IOERR_FSYNC" in serving.errors()
    faults.unlink()
    serving.start()
    load.again()
    assert (load.waiting(), load.odd) == ([], [])
    check_result(load, load.sent)


def waiting(serving: Serving) -> int:
    """How many bytes of uploads wait."""
    with closing(serving.connection()) as connection:
        connection.request("GET", "/metrics")
        found = connection.getresponse().read().decode()
    return int(float(found.split("\ndeniable_waiting_bytes ")[1].split()[0]))


def wide(answers: int) -> bytes:
    """An upload to the survey with long answers."""
    return an_id() + struct.pack("<HI", 0, answers) + bytes(100 * answers)


def test_behind_a_disk_that_stands_still_a_full_queue_is_told_at_once(serving: Serving, faults: Path) -> None:
    serving.ask("PUT", "/v1/surveys", WIDE.document)
    assert told(serving, wide(1), WIDE) == (200, None)
    faults.write_text("hold 1")
    bodies: list[bytes] = []
    replies: list[Future[tuple[int, str | None]]] = []
    with ThreadPoolExecutor(MOST_SENT) as pool:
        held = hold_writer(serving, pool)
        while not any(reply.done() for reply in replies):
            assert len(bodies) < MOST_SENT
            bodies.append(wide(MOST_ANSWERS))
            before = waiting(serving)
            replies.append(pool.submit(told, serving, bodies[-1], WIDE))
            until(partial(is_known, serving, before, replies[-1]))
        assert {reply.result()[0] for reply in replies if reply.done()} == {503}
        assert ROOM - len(bodies[0]) < waiting(serving) <= ROOM
        faults.unlink()
        assert [reply.result()[0] for reply in [held, *replies]].count(200) > ROOM // len(bodies[0])
    assert [told(serving, body, WIDE) for body in bodies] == [(200, None)] * len(bodies)
    assert answers(serving, WIDE) == 2 + len(bodies) * MOST_ANSWERS


def hold_writer(serving: Serving, pool: ThreadPoolExecutor) -> Future[tuple[int, str | None]]:
    """Send a small upload, and wait until the writer waits for the disk: it has written into the log."""
    log = serving.data / "collector.sqlite-wal"
    before = log.stat().st_mtime_ns
    held = pool.submit(told, serving, wide(1), WIDE)
    until(lambda: log.stat().st_mtime_ns != before)
    return held


def is_known(serving: Serving, before: int, reply: Future[Any]) -> bool:
    """Whether an upload waits with those before it, or has been replied to."""
    return reply.done() or waiting(serving) > before


def test_a_collector_starts_on_a_full_disk_shows_pages_and_takes_answers_once_there_is_room(
    serving: Serving, faults: Path
) -> None:
    assert told(serving, body_of([0])) == (200, None)
    assert serving.stop() == 0  # a kill leaves a log, which can be written again in its place on a real full disk
    faults.write_text(f"write {errno.ENOSPC}")
    serving.start()
    with closing(serving.connection()) as connection:
        for path in ("/live", f"/q/{SURVEY.digest}", "/enter"):
            connection.request("GET", path, headers={"Accept": "text/html"})
            reply = connection.getresponse()
            assert (path, reply.status, len(reply.read()) > 0) == (path, 200, True)
    assert told(serving, body_of([1]))[0] == 503
    assert "commands do not find this server: the disk is full" in serving.errors()
    faults.unlink()
    until(lambda: told(serving, body_of([1])) == (200, None))
    serving.kill()
    serving.start()
    assert answers(serving) == 2


def test_a_full_disk_is_named_with_the_file_that_could_not_be_written(tmp_path: Path, disk: Path) -> None:
    (tmp_path / "faults").write_text(f"write {errno.ENOSPC}")
    shim = {"LD_PRELOAD": str(disk), "DISK_ROOT": str(tmp_path / "data"), "DISK_FAULTS": str(tmp_path / "faults")}
    found = Serving(tmp_path, environment=shim)
    found.process = found._begun(tmp_path / "ready.json")
    assert found.ended() == 2
    assert str(tmp_path / "data") in found.errors()
