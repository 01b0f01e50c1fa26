"""A store in one SQLite file, which survives the process being killed at any point."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from ..errors import StoreError
from .store import Entries, Texts

VERSION = 1
PATIENCE = 30.0
"""Seconds to wait for another process's transaction."""
OTHERS = 0o077
"""The permissions of everybody but the owner."""
PRAGMAS = ("PRAGMA synchronous = EXTRA", "PRAGMA fullfsync = ON", "PRAGMA secure_delete = ON")
"""No power loss undoes a commit, as the folder is written too; and what was replaced or dropped is overwritten."""


class SqliteStore:
    """A store in a file that only its owner can read.

    Each transaction has a connection of its own, so that threads and processes may share the file.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).absolute()  # the same file wherever the process goes later
        if self.path.exists():
            with self._locked():
                pass
        elif not self.path.parent.is_dir():
            raise self._broken(FileNotFoundError())

    @contextmanager
    def transaction(self) -> Iterator[Entries]:
        """A transaction that is on disk when the block has ended; the first that writes makes the file."""
        if self.path.exists():
            with self._locked() as entries:
                yield entries
            return
        written = Texts({})
        yield written
        if written.texts:
            self._begin_with(written.texts)

    def _begin_with(self, texts: Mapping[str, str]) -> None:
        """Make the file of a store that was empty when its first transaction began."""
        with self._locked() as entries:
            if entries.keys(""):
                raise StoreError("the store must be begun by one writer, got a second one's file; try again")
            for key, text in texts.items():
                entries.put(key, text)

    @contextmanager
    def _locked(self) -> Iterator[Entries]:
        """A transaction of the file, alone over all processes."""
        try:
            with closing(self._connect()) as connection:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    self._prepare(connection)
                    yield _Table(connection)
                except BaseException:
                    connection.execute("ROLLBACK")
                    raise
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._broken(error) from None

    def _connect(self) -> sqlite3.Connection:
        """A connection to the file, which is made anew if somebody removed it."""
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            if self.path.stat().st_mode & OTHERS:
                self.path.chmod(0o600)
        except OSError as error:
            raise self._broken(error) from None
        connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
        for pragma in PRAGMAS:
            connection.execute(pragma)
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Make the table of a new file."""
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version not in (0, VERSION):
            raise StoreError(f"the store must be of version {VERSION}, got version {version} at {self.path}")
        if version == 0:
            connection.execute("CREATE TABLE entry (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID")
            connection.execute(f"PRAGMA user_version = {VERSION}")

    def _broken(self, error: Exception) -> StoreError:
        """The error to raise: it names the kind of what went wrong, whose own message may quote what was stored."""
        return StoreError(f"the store must be a file that can be written, got {type(error).__name__} at {self.path}")


class _Table:
    """The entries of a transaction, as rows of the file's only table."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get(self, key: str) -> str | None:
        row = self._connection.execute("SELECT text FROM entry WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def put(self, key: str, text: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO entry (key, text) VALUES (?, ?)", (key, text))

    def drop(self, key: str) -> None:
        self._connection.execute("DELETE FROM entry WHERE key = ?", (key,))

    def keys(self, prefix: str) -> list[str]:
        rows = self._connection.execute("SELECT key FROM entry WHERE substr(key, 1, ?) = ?", (len(prefix), prefix))
        return sorted(str(key) for (key,) in rows)
