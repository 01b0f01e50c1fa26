"""Backups of a SQLite file: whole or not there at all, and each says of itself that it is a copy."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from deniable.protocol.errors import StoreError
from deniable.reports.atomic_files import settle

BACKUPS = "backups"
"""The folder of backups, beside the storage."""
COPY = "copy"
"""The fact that a storage is a copy which has not been opened yet."""
PAGES = 512
"""How many pages are copied before whatever else waits is done: half a mebibyte takes some milliseconds."""
Meanwhile = Callable[[Future[None]], None]
"""Does whatever else waits until something that goes on elsewhere is done."""


def begin_copy(connection: sqlite3.Connection, path: Path, meanwhile: Meanwhile) -> Path:
    """Copy all pages into a file beside ``path``, which is given back; ``meanwhile`` is called after every few pages.

    Another thread syncs the pages, so that nobody waits for it here: a sync takes as long as the disk likes. It is done
    little by little, for a sync of all of it would hold up those of uploads. What the same connection writes meanwhile
    goes into the copy too: in the end it has all that the storage has.
    """
    if path.exists():
        raise StoreError(f"a backup must go into a new file, got one that is there: {path}")
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    file = os.open(part, os.O_CREAT | os.O_RDWR, 0o600)

    def go_on(_: int, pages_left: int, __: int) -> None:
        if pages_left:
            synced = syncing.submit(os.fsync, file)
            meanwhile(synced)
            synced.result()

    try:
        with ThreadPoolExecutor(1, "copy") as syncing, closing(sqlite3.connect(part, isolation_level=None)) as copy:
            copy.execute("PRAGMA journal_mode = OFF")  # a copy that is cut off is begun anew
            copy.execute("PRAGMA synchronous = OFF")  # see above
            connection.backup(copy, pages=PAGES, progress=go_on)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    finally:
        os.close(file)
    return part


def end_copy(part: Path, path: Path, check: Callable[[Path], None]) -> None:
    """Write into a copy that it is one, check it, and give it its name; no storage is needed for that."""
    try:
        mark_as_copy(part)
        check(part)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    part.replace(path)
    settle(path.parent)


def delete_parts(folder: Path) -> None:
    """Delete the partial files of backups and restores that were killed; nobody else may use the storage meanwhile."""
    for part in (*folder.glob(".*.part*"), *(folder / BACKUPS).glob(".*.part*")):
        part.unlink(missing_ok=True)


def mark_as_copy(path: Path) -> None:
    """Write into a file that it is a copy; the commit syncs whatever of it has not been synced."""
    with closing(sqlite3.connect(path, isolation_level=None)) as copy:
        copy.execute("PRAGMA fullfsync = ON")
        copy.execute("PRAGMA journal_mode = DELETE")  # so that it is one file
        copy.execute(
            "INSERT INTO fact (key, value) VALUES (?, 'yes') ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (COPY,),
        )
