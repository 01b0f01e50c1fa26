"""Storage that cannot be relied on is not opened, and one of another schema is brought up to date or left as it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from tests.collector.conftest import OpenStore
from tests.collector.worlds import Clock, World, a_survey, body_of, kinds

from deniable.collector.closing import recount
from deniable.collector.storage import postgres, sqlite
from deniable.collector.storage.migrations import Migration, migrations_of
from deniable.collector.storage.sqlite import FILE, SqliteStore
from deniable.errors import StoreError

FOLDER = Path(__file__).parent
SURVEY = a_survey("older", minimum=1)
"""The survey of which the older storages hold three answers."""
SENT = [body_of([place], bytes([255] * 15 + [place])) for place in range(3)]


@pytest.fixture
def older_sqlite(tmp_path: Path) -> OpenStore:
    """A file of schema 1."""
    (tmp_path / "data").mkdir()
    with closing(sqlite3.connect(tmp_path / "data" / FILE)) as connection:
        connection.executescript((FOLDER / "schema-1.sqlite.sql").read_text(encoding="utf-8"))
    return lambda clock: SqliteStore(tmp_path / "data", clock)


@pytest.fixture
def older_postgres(database: str) -> OpenStore:
    """A database of schema 1."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute((FOLDER / "schema-1.postgres.sql").read_bytes())
    return lambda clock: postgres.PostgresStore(database, clock)


@pytest.fixture(params=["sqlite", "postgres"])
def older(request: pytest.FixtureRequest) -> OpenStore:
    """Opens a storage of schema 1, which holds three answers."""
    found: OpenStore = request.getfixturevalue(f"older_{request.param}")
    return found


def known(text: str) -> Callable[[str], list[Migration]]:
    """The migrations, and a second one that is made up."""
    return lambda dialect: [*migrations_of(dialect), Migration(2, "0002_made_up.sql", text)]


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes this release one with a second migration."""

    def make(text: str) -> None:
        for module in (sqlite, postgres):
            monkeypatch.setattr(module, "migrations_of", known(text) if text else migrations_of)

    return make


@pytest.fixture
def opened(older: OpenStore) -> Iterator[Callable[[], World]]:
    """Opens the storage as often as it is called."""
    worlds: list[World] = []

    def open_it() -> World:
        while worlds:
            worlds.pop().store.close()
        clock = Clock()
        worlds.append(World(older(clock), clock))
        return worlds[-1]

    yield open_it
    for world in worlds:
        world.store.close()


def check_answers(world: World, n: int) -> None:
    """All answers are there, and their uploads are known."""
    row = world.row(SURVEY)
    [batch] = world.run(lambda t: t.batches(SURVEY.digest))
    assert kinds(world.send(SURVEY, *SENT)) == [1] * len(SENT)
    assert world.kept(SURVEY) == n
    assert recount(world.run, world.form(row), batch).same


SECOND = "ALTER TABLE batch ADD COLUMN made_up text;\nUPDATE batch SET made_up = state;\n"


def test_an_older_storage_keeps_its_answers(opened: Callable[[], World], release: Callable[[str], None]) -> None:
    check_answers(opened(), 3)
    release(SECOND)
    world = opened()
    check_answers(world, 3)
    assert kinds(world.send(SURVEY, body_of([1]))) == [1]
    check_answers(opened(), 4)


def test_a_newer_storage_is_refused(opened: Callable[[], World], release: Callable[[str], None]) -> None:
    release(SECOND)
    check_answers(opened(), 3)
    release("")
    with pytest.raises(StoreError, match="must be of schema 1 or older, got schema 2; use a newer release"):
        opened()


def test_a_migration_that_was_altered_is_refused(opened: Callable[[], World], release: Callable[[str], None]) -> None:
    release(SECOND)
    check_answers(opened(), 3)
    release(SECOND + "-- a second thought\n")
    with pytest.raises(StoreError, match="migration 2 must be as it was applied, got another text of it"):
        opened()


def test_a_migration_that_fails_changes_nothing(opened: Callable[[], World], release: Callable[[str], None]) -> None:
    release("ALTER TABLE batch ADD COLUMN made_up text;\nUPDATE nothing SET x = 1;\n")
    with pytest.raises(StoreError):
        opened()
    release(SECOND)
    check_answers(opened(), 3)


@pytest.mark.parametrize("written", [b"no database, but a text that is long enough" * 100, b"\0" * 4096])
def test_what_is_no_database_is_refused(tmp_path: Path, written: bytes) -> None:
    (tmp_path / FILE).write_bytes(written)
    with pytest.raises(StoreError, match="the storage must be a file that can be read and written, got SQLITE_NOTADB"):
        SqliteStore(tmp_path)
    assert (tmp_path / FILE).read_bytes() == written


def test_storage_that_keeps_no_log_is_refused(tmp_path: Path) -> None:
    def in_memory(_path: str) -> sqlite3.Connection:
        return sqlite3.connect(":memory:", isolation_level=None)

    with pytest.raises(StoreError, match="the storage must keep a log of its own"):
        SqliteStore(tmp_path, connect=in_memory)
