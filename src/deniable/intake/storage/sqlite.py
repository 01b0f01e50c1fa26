"""Storage in one SQLite file, which one process and one thread have for themselves."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from shutil import disk_usage
from typing import Any

from deniable.intake.clock import Clock, system
from deniable.intake.private_files import make_folder, write_if_room
from deniable.intake.storage.answers import Row
from deniable.intake.storage.checksums import SEALED, DamagedError
from deniable.intake.storage.copies import COPY, Meanwhile, begin_copy, delete_parts, end_copy
from deniable.intake.storage.migrations import Migration, migrate, migrations_of
from deniable.intake.storage.restore import OPENED, begin_use, check_log
from deniable.intake.storage.rows import Chunk, Disk
from deniable.intake.storage.store import BrokenError, FullError
from deniable.intake.storage.transaction import Transaction
from deniable.protocol.errors import StoreError
from deniable.reports.atomic_files import naming

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
UNREADABLE = (
    "SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR_READ", "SQLITE_IOERR_SHORT_READ", "SQLITE_IOERR_CORRUPTFS",
    "SQLITE_IOERR_DATA",
)  # fmt: skip
"""What was to be read could not be: nothing of that is about what is written."""
OLDEST = (3, 35, 0)
FLOOR, SHARE_LEFT, LEAST_FLOOR = 1 << 28, 50, 1 << 26
"""Bytes that are left free: ``FLOOR``, or of a small disk one part in ``SHARE_LEFT``, but at least ``LEAST_FLOOR``.

To close and to restart takes room.
"""
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
        self.folder, self.suspected = Path(folder), False
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
            raise StoreError(_opening_failure(error, path)) from None
        except DamagedError as error:
            self._connection.close()
            raise StoreError(f"{error} at {path}; put a backup in its place: deniable collector restore FILE") from None
        except BaseException:
            self._connection.close()
            raise

    @contextmanager
    def transaction(self) -> Iterator[SqliteTransaction]:
        """Begin; committed and synced when the block ends well."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            t, before = SqliteTransaction(self._connection), self._connection.total_changes
            yield t
            if t.met_damage and self._connection.total_changes == before:  # SQLite commits nothing after that
                self._undo()
            else:
                self._commit()
        except (sqlite3.Error, DamagedError) as error:
            self._undo()
            failed = _error_of(error) if isinstance(error, sqlite3.Error) else error
            self.suspected |= isinstance(failed, DamagedError)
            raise failed from None
        except BaseException:
            self._undo()
            raise

    def _commit(self) -> None:
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if not _error_name(error).startswith(("SQLITE_FULL", *UNREADABLE)):  # after these nothing of it is kept
                raise BrokenError(f"a commit must reach the disk, got {_error_name(error)}") from None
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
        with suppress(FileNotFoundError):
            log = (self.folder / f"{FILE}-wal").stat().st_size
            return Disk(usage.free, max(min(FLOOR, usage.total // SHARE_LEFT), LEAST_FLOOR, 2 * log))
        return Disk(usage.free, max(min(FLOOR, usage.total // SHARE_LEFT), LEAST_FLOOR))

    def leads(self) -> bool:
        """Nobody else has the file."""
        return True

    def empty_log(self) -> bool:
        """Write all of the log into the file, where what was deleted is overwritten, and cut it off; whether it was."""
        try:
            [(is_busy, _, _)] = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.Error as error:
            raise _error_of(error) from None
        return not is_busy

    def unsound(self) -> list[str]:
        """What SQLite finds wrong in tables that are short; the others are read from end to end period by period."""
        with self.transaction() as t:
            tables = [name for (name,) in t.run("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            short = [name for name in tables if name != "chunk" and not name.startswith("seen_")]
            found = [line for name in short for (line,) in t.run(f"PRAGMA quick_check({name})")]
        return [line for line in found if line != "ok"]

    def backup(self, path: str, meanwhile: Meanwhile) -> Callable[[], None]:
        """Write a copy into a new file, some pages at a time; call what is returned to end it."""
        size, disk = (self.folder / FILE).stat().st_size, self.disk()
        if disk.free - size < disk.floor:
            raise StoreError(
                f"the disk must have {size + disk.floor >> 20} MiB free for a backup, got {disk.free >> 20}"
            )
        with _naming_backup(path):
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
        _rewrite_log(self.folder / f"{FILE}-wal")
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, checksum TEXT NOT NULL)"
        )
        applied = self._connection.execute("SELECT number, checksum FROM migration ORDER BY number").fetchall()
        migrate(migrations_of("sqlite"), applied, self._apply)
        self._connection.execute("COMMIT")
        delete_parts(self.folder)
        self._notice_restore()

    def _apply(self, step: Migration) -> None:
        for statement in statements(step.text):
            self._connection.execute(statement)
        self._connection.execute("INSERT INTO migration VALUES (?, ?)", (step.number, step.checksum))

    def _notice_restore(self) -> None:
        """Notice that the file is a backup or an older one: of starts, which are counted twice, it knows fewer.

        They are counted in the storage, and in a file beside it.
        """
        beside = self.folder / STARTS
        written = int(beside.read_text(encoding="ascii")) if beside.exists() else 0
        with self.transaction() as t:
            counted = int(t.fact(STARTS) or "0")
            is_restored = counted < written or t.fact(COPY) == OPENED
        try:
            self._count_start(max(counted, written) + 1, is_restored)
        except FullError:  # pages are read all the same, unless they would show what is to be ended
            if is_restored:
                raise

    def _count_start(self, starts: int, is_restored: bool) -> None:
        with self.transaction() as t:
            if is_restored:
                t.mark_gaps(self.now())
                t.visits.end_restored(self.now())
                t.set_fact(COPY, "no")
            t.set_fact(STARTS, str(starts))
        write_if_room(self.folder / STARTS, str(starts).encode())


class SqliteTransaction(Transaction):
    """A transaction of the file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection, self.met_damage = connection, False

    def run(self, statement: str, *given: Any) -> list[Row]:
        """Run a statement; what cannot be read is told at once, for SQLite goes on after that."""
        try:
            return self._connection.execute(statement, given).fetchall()
        except sqlite3.Error as error:
            if not _error_name(error).startswith(UNREADABLE):
                raise
            self.met_damage = True
            raise _error_of(error) from None

    def _one_of(self, values: Collection[int] | Collection[bytes] | Collection[str]) -> tuple[str, Sequence[Any]]:
        return f"IN ({', '.join('?' * len(values))})", list(values)

    def _lock_surveys(self, digests: Sequence[str], alone: bool) -> None:
        """Nobody else has the file."""

    def _make_id_table(self, batch: int) -> None:
        """A table for the ids of the period: one for all would hold the period's number beside each of them."""
        self.run(f"CREATE TABLE seen_{int(batch)} (id BLOB PRIMARY KEY, hash BLOB NOT NULL) WITHOUT ROWID")

    def known(self, batch: int, ids: Sequence[bytes]) -> dict[bytes, bytes]:
        find = self._connection.execute
        statement = f"SELECT id, hash FROM seen_{int(batch)} WHERE id = ?"
        return dict(row for each in ids for row in find(statement, (each,)))

    def remember(self, ids: Mapping[int, Mapping[bytes, bytes]]) -> dict[int, dict[bytes, bytes]]:
        """Add uploads, but for those that were there; of these the kept hashes. Places in the file are sought once."""
        cursor, before = self._connection.cursor(), {}
        for batch, hashes in ids.items():
            statement = f"INSERT INTO seen_{int(batch)} (id, hash) VALUES (?, ?) ON CONFLICT (id) DO NOTHING"
            known_ids = [row[0] for row in sorted(hashes.items()) if not cursor.execute(statement, row).rowcount]
            if known_ids:
                before[batch] = self.known(batch, known_ids)
        return before

    def add_chunks(self, chunks: Sequence[Chunk], folded: bool = False) -> None:
        self._connection.executemany(
            "INSERT INTO chunk (key, batch, folded, n, bytes, body, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(key, batch, int(folded), n, len(body), body, checksum) for key, batch, n, body, checksum in chunks],
        )

    def forget_ids(self, batch: int, most: int) -> int:
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


def _rewrite_log(log: Path) -> None:
    """Write the log again as it is read: what a sync once failed to write may be in memory alone."""
    if log.exists():
        with naming(log), log.open("r+b") as file:
            written = file.read()
            file.seek(0)
            file.write(written)
            file.flush()
            os.fsync(file.fileno())


def _end_copy(part: Path, path: Path) -> None:
    with _naming_backup(path):
        end_copy(part, path, check_sound)


def check_sound(path: Path) -> None:
    """Refuse a file that nobody uses if it is damaged, unless what is damaged is set aside in it; all of it is read."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        t = SqliteTransaction(connection)
        try:
            if t.run("PRAGMA quick_check") != [("ok",)]:
                raise DamagedError("a backup must be whole, got pages that are damaged")
            for batch in t.batches() if t.fact(SEALED) else []:
                if not batch.damaged:
                    t.read_all(batch.number)
        except sqlite3.Error as error:
            raise DamagedError(f"a backup must be whole, got {_error_name(error)}") from None


@contextmanager
def _naming_backup(path: Path | str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"a backup must go into a new file, got {_error_name(error)} at {path}") from None


def _opening_failure(error: sqlite3.Error, path: Path) -> str:
    if _error_name(error) == "SQLITE_BUSY":
        return f"the storage must be free, got one that another process has: {path}; stop that one first"
    return f"the storage must be a file that can be read and written, got {_error_name(error)} at {path}"


def _error_of(error: sqlite3.Error) -> StoreError:
    """What went wrong, by its name: the message of an error may quote what was stored."""
    code = _error_name(error)
    if code.startswith(UNREADABLE):
        return DamagedError(f"the storage must be sound, got {code}")
    if code == "SQLITE_FULL":
        return FullError("the disk must have room for what is written, got a full one")
    if code.startswith("SQLITE_IOERR"):
        return BrokenError(f"the storage must take what is written, got {code}")
    return StoreError(f"the storage must take what is written, got {code}")


def _error_name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", type(error).__name__)
