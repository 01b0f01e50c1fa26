"""Putting a backup in the place of a SQLite file; whatever is killed meanwhile, one of the two is there, whole."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from deniable.intake.private_files import make_folder
from deniable.intake.storage.checksums import DamagedError
from deniable.intake.storage.copies import COPY, mark_as_copy
from deniable.intake.storage.migrations import migrate, migrations_of
from deniable.protocol.errors import StoreError
from deniable.reports.atomic_files import settle

LOG = "-wal"
BESIDE = (LOG, "-shm", "-journal")
"""What SQLite writes beside a file."""
OPENED = "opened"
"""What a copy says of itself once it is in use; it is noted as restored a moment later."""
DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


def restore(backup: Path, storage: Path, path: Path, check: Callable[[Path], None]) -> None:
    """Put a backup in the place of a storage that nobody uses; what was there is kept at ``path``.

    It is kept as a backup if it is sound; ``check`` refuses a file that is not.
    """
    part = storage.with_name(f".{storage.name}.part")
    _copy(backup, part)
    try:
        check_copy(part, backup, check)
        make_folder(path.parent)
        with _set_aside(storage, path) as is_sound:
            Path(f"{storage}{BESIDE[-1]}").unlink(missing_ok=True)  # it would be rolled back into the backup
            part.replace(storage)
            for ending in BESIDE:
                Path(f"{storage}{ending}").unlink(missing_ok=True)
            settle(storage.parent)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    if is_sound:
        mark_as_copy(path)


def check_copy(path: Path, named: Path, check: Callable[[Path], None]) -> None:
    """Refuse what is no backup, one that only a newer release can read, or a damaged one; errors call it ``named``."""
    applied: list[tuple[int, str]] = []
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as copy:
            marked = copy.execute("SELECT value FROM fact WHERE key = ?", (COPY,)).fetchall() == [("yes",)]
            applied = copy.execute("SELECT number, checksum FROM migration ORDER BY number").fetchall()
    except sqlite3.Error:
        marked = False
    if not marked:
        raise StoreError(f"a backup must be a file that deniable collector backup wrote, got {named}")
    migrate(migrations_of("sqlite"), applied, lambda _: None)
    try:
        check(path)
    except DamagedError:
        raise StoreError(f"a backup must be whole, got one that is damaged: {named}") from None


def check_log(storage: Path) -> None:
    """Refuse a backup that somebody put in the place of a file whose log is still there."""
    if has_foreign_log(storage):
        raise StoreError(
            f"a backup must stand alone, got {storage} with the log of the file before it; put it back with "
            "deniable collector restore FILE"
        )


def has_foreign_log(storage: Path) -> bool:
    """Whether a file is a backup that was never opened, which has no log of its own, and there is one beside it.

    The file alone is looked at, as if there were no log.
    """
    log = Path(f"{storage}{LOG}")
    if not log.exists() or not log.stat().st_size:
        return False
    try:
        with closing(sqlite3.connect(f"file:{quote(str(storage))}?immutable=1", uri=True)) as alone:
            return alone.execute("SELECT value FROM fact WHERE key = ?", (COPY,)).fetchall() == [("yes",)]
    except sqlite3.Error:  # a file whose latest pages are in its log
        return False


def begin_use(connection: sqlite3.Connection) -> None:
    """Have a copy say, in the file itself and before there is a log, that it is in use: any log is its own then."""
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'fact'").fetchall():
        connection.execute("UPDATE fact SET value = ? WHERE key = ? AND value = 'yes'", (OPENED, COPY))


@contextmanager
def _set_aside(storage: Path, path: Path) -> Iterator[bool]:
    """Keep a storage at ``path`` too, and let nobody open it until the block ends; yields whether it is sound."""
    if not storage.exists() or has_foreign_log(storage):
        _copy_with_log(storage, path)
        yield False
        return
    with closing(sqlite3.connect(storage, timeout=0, isolation_level=None)) as connection:
        is_sound = _lock_exclusively(connection, storage)
        if is_sound:
            _link_or_copy(connection, storage, path)
        else:
            _copy_with_log(storage, path)
        settle(path.parent)
        yield is_sound


def _lock_exclusively(connection: sqlite3.Connection, storage: Path) -> bool:
    """Take a storage for itself, with all of its log in the file; whether it is sound."""
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
        [(mode,)] = connection.execute("PRAGMA journal_mode = DELETE").fetchall()
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", type(error).__name__)
        if code.startswith("SQLITE_BUSY"):
            raise StoreError(
                f"the storage must be free, got one that another process has: {storage}; stop that one first"
            ) from None
        if not code.startswith(DAMAGED):
            raise StoreError(f"the storage must be one that can be set aside, got {code}") from None
        return False
    if mode != "delete":
        raise StoreError(f"the storage must be one that can be set aside, got a log that stays: {storage}")
    return True


def _link_or_copy(connection: sqlite3.Connection, storage: Path, path: Path) -> None:
    """Give the file another name; where file systems have no such names, or it is another one, copy it."""
    try:
        os.link(storage, path)
    except OSError:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with closing(sqlite3.connect(path, isolation_level=None)) as copy:
            connection.backup(copy)


def _copy_with_log(storage: Path, path: Path) -> None:
    """Keep a file that cannot be read, and a log beside it that belongs to another, byte for byte."""
    for source, target in ((storage, path), (Path(f"{storage}{LOG}"), Path(f"{path}{LOG}"))):
        with suppress(FileNotFoundError):
            _copy(source, target)


def _copy(source: Path, target: Path) -> None:
    """Copy a file for its owner alone, to the disk."""
    target.unlink(missing_ok=True)
    with source.open("rb") as read, os.fdopen(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600), "wb") as file:
        shutil.copyfileobj(read, file, 1 << 20)
        file.flush()
        os.fsync(file.fileno())
