"""Backups of a SQLite file: whole or not there at all, and each says of itself that it is a copy."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from deniable.errors import StoreError
from deniable.reports.atomic_files import settle

COPY = "copy"
"""The fact that a storage is a copy which has not been opened yet."""


def write_copy(connection: sqlite3.Connection, path: Path) -> None:
    """Write a copy into a new file, for its owner alone."""
    if path.exists():
        raise StoreError(f"a backup must go into a new file, got one that is there: {path}")
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_RDWR, 0o600))
    connection.execute("VACUUM INTO ?", (str(part),))
    _mark(part)
    part.replace(path)
    settle(path.parent)


def _mark(part: Path) -> None:
    """Write that it is a copy; the commit syncs all of the file."""
    with closing(sqlite3.connect(part, isolation_level=None)) as copy:
        copy.execute("PRAGMA fullfsync = ON")
        copy.execute(
            "INSERT INTO fact (key, value) VALUES (?, 'yes') ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (COPY,),
        )
