"""Storage that cannot be relied on is not opened, and one of another schema is brought up to date or left as it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.collector.conftest import OpenStore
from tests.collector.faults.older import SENT, SURVEY, older_postgres, older_sqlite
from tests.collector.worlds import Clock, World, body_of, kinds

from deniable.collector.closing import recount
from deniable.intake.storage import postgres, sqlite
from deniable.intake.storage.migrations import Migration, migrations_of
from deniable.intake.storage.sqlite import FILE, SqliteStore
from deniable.protocol.errors import ParameterError, StoreError

LATEST = len(migrations_of("sqlite"))


@pytest.fixture(params=[(dialect, k + 1) for dialect in ("sqlite", "postgres") for k in range(LATEST)], ids=str)
def older(request: pytest.FixtureRequest, tmp_path: Path) -> OpenStore:
    """Opens a storage of each schema that ever was, which holds three answers."""
    dialect, number = request.param
    if dialect == "sqlite":
        return older_sqlite(tmp_path / "data", number)
    return older_postgres(request.getfixturevalue("database"), number)


def known(text: str) -> Callable[[str], list[Migration]]:
    """The migrations, and a further one that is made up."""
    return lambda dialect: [*migrations_of(dialect), Migration(LATEST + 1, "made_up.sql", text)]


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes this release one with a further migration."""

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


FURTHER = "ALTER TABLE batch ADD COLUMN made_up text;\nUPDATE batch SET made_up = state;\n"


def test_an_older_storage_keeps_its_answers(opened: Callable[[], World], release: Callable[[str], None]) -> None:
    check_answers(opened(), 3)
    release(FURTHER)
    world = opened()
    check_answers(world, 3)
    assert kinds(world.send(SURVEY, body_of([1]))) == [1]
    check_answers(opened(), 4)


def test_both_dialects_have_the_same_schemas() -> None:
    assert [step.number for step in migrations_of("postgres")] == list(range(1, LATEST + 1))


def test_a_newer_storage_is_refused(opened: Callable[[], World], release: Callable[[str], None]) -> None:
    release(FURTHER)
    check_answers(opened(), 3)
    release("")
    with pytest.raises(StoreError, match=f"must be of schema {LATEST} or older, got schema {LATEST + 1}; use"):
        opened()


def test_a_migration_that_was_altered_is_refused(opened: Callable[[], World], release: Callable[[str], None]) -> None:
    release(FURTHER)
    check_answers(opened(), 3)
    release(FURTHER + "-- a second thought\n")
    with pytest.raises(StoreError, match=f"migration {LATEST + 1} must be as it was applied, got a changed one"):
        opened()


def test_a_migration_that_fails_changes_nothing(opened: Callable[[], World], release: Callable[[str], None]) -> None:
    release("ALTER TABLE batch ADD COLUMN made_up text;\nUPDATE nothing SET x = 1;\n")
    with pytest.raises(StoreError):
        opened()
    release(FURTHER)
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


@pytest.mark.parametrize("address", ["foo", "host=x password='secret"])
def test_an_address_that_is_none_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(ParameterError, match=r"the database must be postgresql://USER@HOST/NAME or so") as refused:
        postgres.PostgresStore(address)
    assert address not in str(refused.value)
    assert "secret" not in str(refused.value)
