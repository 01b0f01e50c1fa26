"""A backup of a large file is made while uploads are taken: none waits for long, and the copy lacks none of them."""

from __future__ import annotations

import itertools
import os
import secrets
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from tests.collector.faults.serving import Serving, send
from tests.collector.worlds import Clock, Service, World, a_survey, body_of, kinds
from tests.waiting import PATIENCE, check_quick

from deniable.intake.storage.checksums import chunk_of
from deniable.intake.storage.copies import COPY
from deniable.intake.storage.sqlite import SqliteStore
from deniable.protocol.errors import StoreError

SURVEY, LARGE = a_survey(minimum=1), a_survey("large")
MEBIBYTES, FEW, LONGEST = 110, 2, 0.1


def fill(folder: Path, mebibytes: int = MEBIBYTES) -> None:
    """A storage of so many mebibytes, most of them answers of which nothing more is asked."""
    world = World(SqliteStore(folder, Clock()), Clock())
    for survey in (SURVEY, LARGE):
        world.put(survey)
    number = world.run(lambda t: t.batch(LARGE.digest, "once")).number
    bodies = [secrets.token_bytes(1 << 20) for _ in range(min(mebibytes, 10))]
    for start in range(0, mebibytes, len(bodies)):
        chunks = [chunk_of((LARGE.digest, "once"), start + place, number, 1, body) for place, body in enumerate(bodies)]
        with world.store.transaction() as t:
            t.add_chunks(chunks, folded=True)
    world.store.close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A collector on such a storage."""
    fill(tmp_path / "data")
    clock = Clock()
    with Service(clock, lambda: SqliteStore(tmp_path / "data", clock)) as found:
        yield found


def waits_beside(service: Service, do: Callable[[], object]) -> list[float]:
    """How long uploads waited, one after another, while something was done."""
    row, over, waits = service.collector.survey(SURVEY.digest), threading.Event(), []

    def send() -> None:
        while not over.is_set():
            before, begun = len(service.told), time.perf_counter()
            assert service.collector.offer(row, "once", body_of([1]), None, before) is None
            while len(service.told) == before:
                time.sleep(0.001)
            waits.append(time.perf_counter() - begun)

    with ThreadPoolExecutor(1) as pool:
        sent = pool.submit(send)
        do()
        over.set()
        sent.result(PATIENCE)
    return waits


def ids_in(path: Path) -> tuple[int, str]:
    """How many uploads a copy knows, and whether it says that it is a copy."""
    with closing(sqlite3.connect(path)) as copy:
        assert copy.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        assert copy.execute("PRAGMA journal_mode").fetchall() == [("delete",)]
        tables = [name for (name,) in copy.execute("SELECT name FROM sqlite_schema WHERE name LIKE 'seen_%'")]
        n = sum(copy.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables)
        return n, copy.execute("SELECT value FROM fact WHERE key = ?", (COPY,)).fetchone()[0]


def test_no_upload_waits_long_for_a_backup_of_a_large_file(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "copy"

    def longest() -> float:
        before = len(service.told)
        found = waits_beside(service, lambda: service.desk.backup(path))
        assert len(found) >= 10
        assert path.stat().st_size > MEBIBYTES << 20
        known, said = ids_in(path)
        assert before < known <= len(service.told)
        assert said == "yes"
        assert path.stat().st_mode & 0o777 == 0o600
        path.unlink()
        return max(found)

    check_quick(longest, LONGEST, lambda: max(waits_beside(service, lambda: time.sleep(1))))
    assert kinds([outcome for _, outcome in service.told]) == [1] * len(service.told)


def test_no_upload_waits_while_the_disk_takes_its_time_with_the_copy(tmp_path: Path, disk: Path) -> None:
    """Every sync of a file of a backup takes four times what an upload may wait: waiting for one is seen.

    Those of uploads are real ones, and the disk is shared with other tests.
    """
    slow = tmp_path / "slow"
    slow.write_text(f"slow {4000 * LONGEST:.0f}")
    shim = {"LD_PRELOAD": str(disk), "DISK_ROOT": str(tmp_path / "data" / "backups"), "DISK_FAULTS": str(slow)}
    serving = Serving(tmp_path, environment=shim)
    fill(serving.data, FEW)
    serving.start()
    names = itertools.count()

    def longest() -> float:
        found = []
        with ThreadPoolExecutor(1) as pool, closing(serving.connection()) as connection:
            written = pool.submit(serving.ask, "PUT", f"/v1/backups/{next(names)}.sqlite")
            while not written.done():
                begun = time.perf_counter()
                assert send(connection, SURVEY, body_of([1])) == 200
                found.append(time.perf_counter() - begun)
        assert sum(found) > 2 * FEW * 3 * LONGEST
        return max(found)

    try:
        check_quick(longest, 3 * LONGEST)
    finally:
        serving.kill()


def test_a_backup_that_is_cut_off_leaves_no_file_of_its_name(tmp_path: Path) -> None:
    clock = Clock()
    world = World(SqliteStore(tmp_path / "data", clock), clock)
    world.put(SURVEY)
    number = world.run(lambda t: t.batch(SURVEY.digest, "once").number)
    world.run(lambda t: t.add_chunks([chunk_of((SURVEY.digest, "once"), 1, number, 1, bytes(1 << 20))]))

    def cut_off(_: Future[None]) -> None:
        raise StoreError("the collector must be running, got one that stops")

    with pytest.raises(StoreError, match="the collector must be running"):
        world.store.backup(str(tmp_path / "copy"), cut_off)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    if child := os.fork():
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
    else:
        world.store.backup(str(tmp_path / "copy"), lambda _: os.kill(os.getpid(), signal.SIGKILL))
    assert not (tmp_path / "copy").exists()
    world.store.backup(str(tmp_path / "copy"), lambda _: None)()
    assert ids_in(tmp_path / "copy") == (0, "yes")
    assert kinds(world.send(SURVEY, body_of([1]))) == [1]
    world.store.close()


def test_what_a_killed_backup_has_left_goes_at_the_next_start(tmp_path: Path) -> None:
    fill(tmp_path / "data", FEW)
    (tmp_path / "data" / "backups").mkdir()
    if child := os.fork():
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
    else:
        store = SqliteStore(tmp_path / "data", Clock())
        store.backup(str(tmp_path / "data" / "backups" / "one"), lambda _: os.kill(os.getpid(), signal.SIGKILL))
    [part] = (tmp_path / "data" / "backups").iterdir()
    for name in (f"{part.name}-journal", "kept.sqlite"):
        (part.parent / name).write_bytes(b"of a backup")
    (tmp_path / "data" / ".collector.sqlite.part").write_bytes(b"of a restore")
    SqliteStore(tmp_path / "data", Clock()).close()
    assert [path.name for path in part.parent.iterdir()] == ["kept.sqlite"]
    assert not (tmp_path / "data" / ".collector.sqlite.part").exists()
