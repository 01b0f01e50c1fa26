"""Storage of older schemas, each with three answers to one survey."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
from tests.collector.conftest import OpenStore
from tests.collector.worlds import a_survey, body_of

from deniable.intake.storage import postgres
from deniable.intake.storage.sqlite import FILE, SqliteStore

FOLDER = Path(__file__).parent
SURVEY = a_survey("older", minimum=1)
"""The survey of which the older storages hold three answers."""
SENT = [body_of([place], bytes([255] * 15 + [place])) for place in range(3)]


def older_sqlite(folder: Path, number: int) -> OpenStore:
    """A file of a schema."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.executescript((FOLDER / f"schema-{number}.sqlite.sql").read_text(encoding="utf-8"))
    return lambda clock: SqliteStore(folder, clock)


def older_postgres(database: str, number: int) -> OpenStore:
    """A database of a schema."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute((FOLDER / f"schema-{number}.postgres.sql").read_bytes())
    return lambda clock: postgres.PostgresStore(database, clock)
