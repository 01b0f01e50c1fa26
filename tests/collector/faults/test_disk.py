"""The disk of a running collector is slow, full, or fails: nobody is told more than is true, and it ends if it must."""

from __future__ import annotations

import errno
import http.client
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.collector.faults.serving import BYTES, Serving, path_of, send
from tests.collector.worlds import a_survey, an_id, body_of

from deniable.collector.writer import EXIT_BROKEN

SURVEY = a_survey(minimum=1)


@pytest.fixture
def faults(tmp_path: Path) -> Path:
    """Says what is wrong with the disk while it is there."""
    return tmp_path / "faults"


@pytest.fixture
def serving(tmp_path: Path, disk: Path, faults: Path) -> Iterator[Serving]:
    """A collector on a disk that may fail, with a survey that has one answer."""
    shim = {"LD_PRELOAD": str(disk), "DISK_ROOT": str(tmp_path / "data"), "DISK_FAULTS": str(faults)}
    found = Serving(tmp_path, environment=shim)
    found.start()
    found.ask("PUT", "/v1/surveys", SURVEY.document)
    yield found
    if found.process is not None and found.process.poll() is None:
        found.kill()


def told(serving: Serving, body: bytes) -> tuple[int, str | None]:
    """The status of a reply, and when to come back."""
    with closing(serving.connection()) as connection:
        connection.request("POST", path_of(SURVEY), body, BYTES)
        reply = connection.getresponse()
        reply.read()
        return reply.status, reply.headers["Retry-After"]


def answers(serving: Serving) -> int:
    """How many answers there are."""
    found: list[dict[str, int]] = serving.ask("GET", f"/v1/surveys/{SURVEY.digest}/periods")
    return found[0]["answers"]


def test_a_disk_that_is_slow_full_and_then_broken(serving: Serving, faults: Path) -> None:
    kept, full, broken = (body_of([place], an_id()) for place in range(3))
    faults.write_text("slow 400")
    begun = time.monotonic()
    assert told(serving, kept) == (200, None)
    assert time.monotonic() - begun >= 0.4

    faults.write_text(f"write {errno.ENOSPC}")
    status, later = told(serving, full)
    assert status == 503
    assert int(later or 0) > 0
    faults.unlink()
    assert told(serving, full) == (200, None)
    assert answers(serving) == 2

    faults.write_text(f"sync {errno.EIO}")
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        told(serving, broken)
    assert serving.ended() == EXIT_BROKEN
    assert "The collector ends: a commit must reach the disk, got SQLITE_IOERR_FSYNC." in serving.errors()

    faults.unlink()
    serving.start()
    with closing(serving.connection()) as connection:
        assert [send(connection, SURVEY, body) for body in (kept, full, broken)] == [200] * 3
    assert answers(serving) == 3
    again = serving.ask("POST", f"/v1/surveys/{SURVEY.digest}/periods/once/recount")
    assert again == {"answers": 3, "kept": True, "same": True}

    faults.write_text(f"write {errno.EIO}")
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        told(serving, body_of([1], an_id()))
    assert serving.ended() == EXIT_BROKEN
