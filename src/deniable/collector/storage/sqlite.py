"""Storage in one SQLite file, which one process and one thread have for themselves."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from shutil import disk_usage
from typing import Any

from deniable.collector.clock import Clock, system
from deniable.collector.private_files import make_folder, write_private
from deniable.collector.storage.copies import COPY, Meanwhile, begin_copy, end_copy
from deniable.collector.storage.migrations import Migration, migrate, migrations_of
from deniable.collector.storage.restore import OPENED, begin_use, check_log
from deniable.collector.storage.rows import Chunk, Disk
from deniable.collector.storage.store import BrokenError
from deniable.collector.storage.transaction import Row, Transaction
from deniable.protocol.errors import StoreError

FILE, STARTS = "collector.sqlite", "starts"
PRAGMAS = (
    "PRAGMA page_size = 1024",
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
    "PRAGMA cache_size = -65536",
    "PRAGMA wal_autocheckpoint = 4000",
)
"""Every commit is on disk before it is acknowledged, and what is deleted is overwritten.

Ids are random, so that each new one changes a page of its own: small pages make for less to write.
"""
OLDEST = (3, 35, 0)
FLOOR, FIFTY = 1 << 28, 50
"""Bytes that are left free, or a fiftieth of a small disk: to close, to start again and to back up takes room."""
STATEMENTS = 1000
"""How many statements are kept as they were read: each open period has one of its own."""
Connect = Callable[[str], sqlite3.Connection]


def connect(path: str) -> sqlite3.Connection:
    """A connection for whichever thread uses the store."""
    return sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS)


class SqliteStore:
    """Storage in a folder; ``connect`` is for tests that let statements fail."""

    def __init__(self, folder: Path | str, clock: Clock = system, connect: Connect = connect) -> None:
        if sqlite3.sqlite_version_info < OLDEST:
            raise StoreError(f"SQLite must be 3.35 or newer, got {sqlite3.sqlite_version}")
        self.folder = Path(folder)
        self.now = clock
        make_folder(self.folder)
        path = self.folder / FILE
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        check_log(path)
        self._connection = connect(str(path))
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._connection.close()
            raise StoreError(_opening(error, path)) from None
        except BaseException:
            self._connection.close()
            raise

    @contextmanager
    def transaction(self) -> Iterator[SqliteTransaction]:
        """Begin; committed and synced when the block ends well."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield SqliteTransaction(self._connection)
            self._commit()
        except sqlite3.Error as error:
            self._undo()
            raise _failed(error) from None
        except BaseException:
            self._undo()
            raise

    def _commit(self) -> None:
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if _code(error) != "SQLITE_FULL":
                raise BrokenError(f"a commit must reach the disk, got {_code(error)}") from None
            raise

    def _undo(self) -> None:
        """Undo what was begun, unless a full disk has done so already."""
        if self._connection.in_transaction:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
        if self._connection.in_transaction:
            raise BrokenError("what a transaction wrote must be undone, got a storage that keeps it")

    def disk(self) -> Disk:
        """How much room there is in the folder."""
        usage = disk_usage(self.folder)
        return Disk(usage.free, min(FLOOR, usage.total // FIFTY))

    def leads(self) -> bool:
        """Nobody else has the file."""
        return True

    def backup(self, path: str, meanwhile: Meanwhile) -> Callable[[], None]:
        """Write a copy into a new file, some pages at a time."""
        size, disk = (self.folder / FILE).stat().st_size, self.disk()
        if disk.free - size < disk.floor:
            raise StoreError(
                f"the disk must have {size + disk.floor >> 20} MiB free for a backup, got {disk.free >> 20}"
            )
        with _naming(path):
            part = begin_copy(self._connection, Path(path), meanwhile)
        return partial(_end_copy, part, Path(path))

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _prepare(self) -> None:
        self._connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        begin_use(self._connection)
        for pragma in PRAGMAS:
            self._connection.execute(pragma)
        [(mode,)] = self._connection.execute("PRAGMA journal_mode").fetchall()
        if mode != "wal":
            raise StoreError(f"the storage must keep a log of its own, got a file system where SQLite's is {mode}")
        self._connection.execute("BEGIN EXCLUSIVE")
        _write_again(self.folder / f"{FILE}-wal")
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, checksum TEXT NOT NULL)"
        )
        applied = self._connection.execute("SELECT number, checksum FROM migration ORDER BY number").fetchall()
        migrate(migrations_of("sqlite"), applied, self._apply)
        self._connection.execute("COMMIT")
        self._notice_restore()

    def _apply(self, step: Migration) -> None:
        for statement in statements(step.text):
            self._connection.execute(statement)
        self._connection.execute("INSERT INTO migration VALUES (?, ?)", (step.number, step.checksum))

    def _notice_restore(self) -> None:
        """Notice a backup, or an older file: starts are counted here and in a file beside, which knows of more then."""
        beside = self.folder / STARTS
        written = int(beside.read_text(encoding="ascii")) if beside.exists() else 0
        with self.transaction() as t:
            counted = int(t.fact(STARTS) or "0")
            if counted < written or t.fact(COPY) == OPENED:
                t.mark_gaps(self.now())
                t.visits.end_restored(self.now())
                t.set_fact(COPY, "no")
            starts = str(max(counted, written) + 1)
            t.set_fact(STARTS, starts)
        write_private(beside, starts.encode())


class SqliteTransaction(Transaction):
    """A transaction of the file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, *given: Any) -> list[Row]:
        """Run a statement."""
        return self._connection.execute(statement, given).fetchall()

    def _among(self, values: Collection[int] | Collection[bytes] | Collection[str]) -> tuple[str, Sequence[Any]]:
        return f"IN ({', '.join('?' * len(values))})", list(values)

    def _keep_still(self, digests: Sequence[str], alone: bool) -> None:
        """Nobody else has the file."""

    def _make_room(self, batch: int) -> None:
        """A table for the ids of the period: one for all would hold the period's number beside each of them."""
        self.run(f"CREATE TABLE seen_{int(batch)} (id BLOB PRIMARY KEY, hash BLOB NOT NULL) WITHOUT ROWID")

    def known(self, batch: int, ids: Sequence[bytes]) -> dict[bytes, bytes]:
        """The hashes of those uploads that have been taken."""
        find = self._connection.execute
        statement = f"SELECT id, hash FROM seen_{int(batch)} WHERE id = ?"
        return dict(row for one in ids for row in find(statement, (one,)))

    def remember(self, ids: Mapping[int, Mapping[bytes, bytes]]) -> dict[int, dict[bytes, bytes]]:
        """Add uploads, but for those that were there; each place in the file is sought once."""
        cursor, before = self._connection.cursor(), {}
        for batch, own in ids.items():
            statement = f"INSERT INTO seen_{int(batch)} (id, hash) VALUES (?, ?) ON CONFLICT (id) DO NOTHING"
            old = [row[0] for row in sorted(own.items()) if not cursor.execute(statement, row).rowcount]
            if old:
                before[batch] = self.known(batch, old)
        return before

    def add_chunks(self, chunks: Sequence[Chunk], folded: bool = False) -> None:
        """Store answers to any number of periods."""
        self._connection.executemany(
            "INSERT INTO chunk (key, batch, folded, n, bytes, body) VALUES (?, ?, ?, ?, ?, ?)",
            [(key, batch, int(folded), n, len(body), body) for key, batch, n, body in chunks],
        )

    def forget(self, batch: int, most: int) -> int:
        """Delete so many ids of a closed period, each overwritten, and in the end their table; how many there were."""
        table = f"seen_{int(batch)}"
        if not self.run("SELECT 1 FROM sqlite_schema WHERE name = ?", table):
            return 0
        gone = self.run(f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} LIMIT ?) RETURNING 1", most)
        if not gone:
            self.run(f"DROP TABLE {table}")
        return len(gone)


def statements(text: str) -> list[str]:
    """The statements of a migration, which end with a semicolon at the end of a line."""
    return [statement for statement in text.split(";\n") if statement.strip()]


def _write_again(log: Path) -> None:
    """Write the log as it is read: what a sync once failed to write may be in memory alone, and none repeats it."""
    if log.exists():
        with log.open("r+b") as file:
            written = file.read()
            file.seek(0)
            file.write(written)
            file.flush()
            os.fsync(file.fileno())


def _end_copy(part: Path, path: Path) -> None:
    with _naming(path):
        end_copy(part, path)


@contextmanager
def _naming(path: Path | str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"a backup must go into a new file, got {_code(error)} at {path}") from None


def _opening(error: sqlite3.Error, path: Path) -> str:
    if _code(error) == "SQLITE_BUSY":
        return f"the storage must be free, got one that another process has: {path}"
    return f"the storage must be a file that can be read and written, got {_code(error)} at {path}"


def _failed(error: sqlite3.Error) -> StoreError:
    """What went wrong, by its name: the message of an error may quote what was stored."""
    code = _code(error)
    if code.startswith(("SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return BrokenError(f"the storage must be sound, got {code}")
    return StoreError(f"the storage must take what is written, got {code}")


def _code(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", type(error).__name__)
