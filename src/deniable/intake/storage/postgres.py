"""Storage in PostgreSQL, which any number of processes may share."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from deniable.intake.clock import Clock, steady
from deniable.intake.storage.answers import Row
from deniable.intake.storage.checksums import DamagedError
from deniable.intake.storage.migrations import Migration, migrate, migrations_of
from deniable.intake.storage.rows import Chunk
from deniable.intake.storage.silence_watch import Patience
from deniable.intake.storage.store import UncertainError
from deniable.intake.storage.transaction import Transaction
from deniable.protocol.errors import ParameterError, StoreError

MIGRATING, LEADING, SURVEYS = 0x64656E69, 0x64656E6A, 0x64656E6B
"""Keys of advisory locks: to migrate, to fold and close, and of surveys."""
REQUIRED = {"fsync": ("on",), "synchronous_commit": ("on", "remote_apply", "remote_write"), "full_page_writes": ("on",)}
"""Without these a commit may be lost when the power fails."""
OLDEST = 14
TABLES = 50
"""Into how many tables of ids one statement writes."""
SECONDS = 10
"""How long a connection, a statement and a silence may last."""
WIRE: dict[str, Any] = {
    "connect_timeout": SECONDS, "tcp_user_timeout": 1000 * SECONDS,
    "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3,
}  # fmt: skip
UNREADABLE = ("XX", "58030")
"""How the states begin of what could not be read: damaged pages, and disks that fail."""
SHORTEST, LONGEST = 0.1, 5.0
"""Seconds between two tries to connect: twice as long after each failure."""
TIMELINE = (
    "SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8), system_identifier, 'fact'::regclass::oid::bigint "
    "FROM pg_control_system()"
)
"""What changes when another server takes over, and when a dump is read in."""


def _read_address(address: str) -> str:
    """The address, if the driver can read it; errors do not repeat it, for it may hold a password."""
    try:
        conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        raise ParameterError("the database must be postgresql://USER@HOST/NAME or so, got something else") from None
    return address


class PostgresStore:
    """Storage in a database; ``clock`` is the database's unless a test gives another.

    A database that has not answered for ``patience`` seconds is hung up on: nobody waits for a wire that fell silent.
    """

    def __init__(self, address: str, clock: Clock | None = None, patience: float = SECONDS) -> None:
        self._address, self._clock, self.suspected = _read_address(address), clock, False
        self._timeout, self._patience = patience, Patience(patience)
        self._pause, self._next_try = 0.0, -math.inf
        """After a connection that failed: for how many seconds none is tried, and when one may be."""
        self._leading = False
        try:
            self._connection = self._connected()
            self._begin()
        except BaseException:
            self._patience.end()
            raise

    def now(self) -> float:
        """The database's clock, one for all processes, as it was last read; any thread may ask."""
        return steady() + self._ahead if self._clock is None else self._clock()

    @contextmanager
    def transaction(self) -> Iterator[PostgresTransaction]:
        """Begin; committed and synced when the block ends well."""
        connection = self._live()
        with self._patience.watching(connection):
            try:
                yield PostgresTransaction(connection)
            except (psycopg.Error, DamagedError) as error:
                self._undo()
                failed = _failed(connection, error) if isinstance(error, psycopg.Error) else error
                self.suspected |= isinstance(failed, DamagedError)
                raise failed from None
            except BaseException:
                self._undo()
                raise
            with self._uncertain():
                connection.commit()

    def disk(self) -> None:
        """The database knows, and its own tools tell."""

    def empty_log(self) -> bool:
        """The database keeps its log by its own rules."""
        return True

    def leads(self) -> bool:
        """Whether this process has the lock to fold and close, which ends with its connection; reads the clock too."""
        connection = self._live()
        with self._patience.watching(connection), self._uncertain():
            self._ahead = _ahead(connection)
            if not self._leading:
                found = connection.execute("SELECT pg_try_advisory_lock(%s)", (LEADING,)).fetchall()
                self._leading = bool(found[0][0])
            connection.commit()
        return self._leading

    def unsound(self) -> list[str]:
        """PostgreSQL has tools of its own, such as pg_amcheck."""
        return []

    def backup(self, path: str, meanwhile: Callable[[Future[None]], None]) -> Callable[[], None]:
        """PostgreSQL has tools of its own."""
        raise StoreError(f"a backup of PostgreSQL must be made with pg_dump or pg_basebackup, got a request for {path}")

    def close(self) -> None:
        """Let go of the connection."""
        self._patience.end()
        self._connection.close()

    @contextmanager
    def _uncertain(self) -> Iterator[None]:
        """Raise ``UncertainError`` for whatever fails within: nobody knows what the database made of it."""
        try:
            yield
        except psycopg.Error as error:
            self._undo()
            raise UncertainError(f"the database must answer, got {_name(error)}") from None

    def _live(self) -> psycopg.Connection[Any]:
        """The connection, made anew if it was lost."""
        if self._connection.closed:
            self._connection, self._leading = self._connected(), False
            self._check_restore()
        return self._connection

    def _check_restore(self) -> None:
        """Look for a restore before a new connection is used: it may lead to another server."""
        try:
            with self.transaction() as t:
                self._notice_restore(t)
        except BaseException:
            self._connection.close()
            raise

    def _undo(self) -> None:
        """Undo what was begun; if that fails too, the connection is of no more use."""
        try:
            self._connection.rollback()
        except psycopg.Error:
            with suppress(psycopg.Error):
                self._connection.close()

    def _connected(self) -> psycopg.Connection[Any]:
        """A new connection; after one that failed the next is not tried at once."""
        if time.monotonic() < self._next_try:
            raise UncertainError("the database must be one that answers, got none a moment ago")
        try:
            connection: psycopg.Connection[Any] = psycopg.connect(self._address, **WIRE)
            with self._patience.watching(connection):
                connection.isolation_level = psycopg.IsolationLevel.READ_COMMITTED  # what is read after a lock is new
                self._set_timeouts(connection)
                _check(connection)
                self._ahead = _ahead(connection)
        except psycopg.Error as error:
            self._pause = min(max(2 * self._pause, SHORTEST), LONGEST)
            self._next_try = time.monotonic() + self._pause
            raise UncertainError(f"the database must be one that answers, got {_name(error)}") from None
        self._pause = 0.0
        return connection

    def _set_timeouts(self, connection: psycopg.Connection[Any]) -> None:
        """Have the database give up what a lost connection has begun, which holds up all others."""
        for setting in ("statement_timeout", "idle_in_transaction_session_timeout"):
            connection.execute("SELECT set_config(%s, %s, false)", (setting, f"{1000 * self._timeout:.0f}ms"))

    def _begin(self) -> None:
        """Check that the connection has a session of its own, and bring the schema up to date."""
        try:
            with self._uncertain():
                _check_session(self._connection, self._address)
            self._migrate()
        except BaseException:
            self._connection.close()
            raise

    def _migrate(self) -> None:
        with self.transaction() as t:
            t.run("SELECT pg_advisory_xact_lock(?)", MIGRATING)
            t.run("CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY, checksum text NOT NULL)")
            applied = [(row[0], row[1]) for row in t.run("SELECT number, checksum FROM migration ORDER BY number")]
            migrate(migrations_of("postgres"), applied, t.apply)
            self._notice_restore(t)

    def _notice_restore(self, t: PostgresTransaction) -> None:
        """A database that was restored, or that another server took over, may lack answers."""
        [row] = t.run(TIMELINE)
        now, before = json.dumps([str(value) for value in row]), t.fact("timeline")
        if before is not None and before != now:
            t.mark_gaps(self.now())
            t.visits.end_restored(self.now())
        t.set_fact("timeline", now)


class PostgresTransaction(Transaction):
    """A transaction of the database."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def run(self, statement: str, *given: Any) -> list[Row]:
        """Run a statement, what is given in binary: as text, answers would take twice as many bytes."""
        cursor = self._connection.execute(statement.replace("?", "%b").encode(), given)
        return cursor.fetchall() if cursor.description else []

    def apply(self, step: Migration) -> None:
        """Apply a migration."""
        self._connection.execute(step.text.encode())
        self.run("INSERT INTO migration VALUES (?, ?)", step.number, step.checksum)

    def _one_of(self, values: Collection[int] | Collection[bytes] | Collection[str]) -> tuple[str, Sequence[Any]]:
        return "= ANY(?)", [list(values)]

    def _lock_surveys(self, digests: Sequence[str], alone: bool) -> None:
        """Hold a lock of each survey: together with others who take answers, or alone."""
        lock = "pg_advisory_xact_lock" if alone else "pg_advisory_xact_lock_shared"
        keys = [int(digest[:8], 16) - (1 << 31) for digest in digests]
        self.run(f"SELECT {lock}(?, key) FROM unnest(?::integer[]) AS key", SURVEYS, keys)

    def _make_id_table(self, batch: int) -> None:
        """A table for the ids of the period, which is dropped at once when it is closed."""
        self.run(f"CREATE TABLE seen_{int(batch)} (id bytea PRIMARY KEY, hash bytea NOT NULL)")

    def known(self, batch: int, ids: Sequence[bytes]) -> dict[bytes, bytes]:
        found = self.run(f"SELECT id, hash FROM seen_{int(batch)} WHERE id = ANY(?)", list(ids))
        return {bytes(one): bytes(hashed) for one, hashed in found}

    def add_chunks(self, chunks: Sequence[Chunk], folded: bool = False) -> None:
        self.run(
            "INSERT INTO chunk (key, batch, folded, n, bytes, body, checksum) "
            "SELECT key, batch, ?, n, length(body), body, checksum "
            "FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[], ?::bytea[]) "
            "AS new (key, batch, n, body, checksum)",
            int(folded), *(list(column) for column in zip(*chunks, strict=True)),
        )  # fmt: skip

    def remember(self, ids: Mapping[int, Mapping[bytes, bytes]]) -> dict[int, dict[bytes, bytes]]:
        """Add uploads, in one order for all processes; of ids that were there or have just come, the kept hashes."""
        before: dict[int, dict[bytes, bytes]] = {}
        numbers = list(ids)
        for start in range(0, len(numbers), TABLES):
            before |= self._remember({batch: ids[batch] for batch in numbers[start : start + TABLES]})
        return before

    def _remember(self, ids: Mapping[int, Mapping[bytes, bytes]]) -> dict[int, dict[bytes, bytes]]:
        """Add uploads to some tables by one statement, as each further statement would cost as much as all of it."""
        rows = [(batch, *row) for batch, hashes in ids.items() for row in sorted(hashes.items())]
        rows_given = (
            "given AS MATERIALIZED (SELECT * FROM unnest(?::bigint[], ?::bytea[], ?::bytea[]) AS g (batch, id, hash))"
        )
        added = self.run(
            f"WITH {', '.join([rows_given, *map(_insert, ids)])} "
            + " UNION ALL ".join(f"SELECT {int(batch)}, id FROM new_{int(batch)}" for batch in ids),
            *(list(column) for column in zip(*rows, strict=True)),
        )
        if len(added) == len(rows):
            return {}
        new = {(batch, bytes(one)) for batch, one in added}
        old = {batch: [one for one in hashes if (batch, one) not in new] for batch, hashes in ids.items()}
        return {batch: self.known(batch, old_ids) for batch, old_ids in old.items() if old_ids}

    def forget_ids(self, batch: int, most: int) -> int:
        """Delete all ids of a closed period at once; none is left to be deleted later."""
        self.run(f"DROP TABLE IF EXISTS seen_{int(batch)}")
        return 0


def _insert(batch: int) -> str:
    """The part of a statement that adds ids to a period and gives those that are new."""
    number = int(batch)
    return (
        f"new_{number} AS (INSERT INTO seen_{number} SELECT id, hash FROM given WHERE batch = {number} "
        "ON CONFLICT (id) DO NOTHING RETURNING id)"
    )


def _check(connection: psycopg.Connection[Any]) -> None:
    """Refuse a database that is too old, or that may lose what it committed."""
    if connection.info.server_version // 10000 < OLDEST:
        raise StoreError(f"PostgreSQL must be {OLDEST} or newer, got {connection.info.server_version // 10000}")
    for name, wanted in REQUIRED.items():
        [(value,)] = connection.execute("SELECT current_setting(%s)", (name,)).fetchall()
        if value not in wanted:
            raise StoreError(f"PostgreSQL's {name} must be on, got {value}: what is acknowledged could be lost")
    connection.commit()


def _check_session(connection: psycopg.Connection[Any], address: str) -> None:
    """Refuse a pooler that lends sessions for one transaction each: a lock of one would be everybody's."""
    session = _session(connection)
    connection.commit()
    if session == connection.info.backend_pid:  # a pooler answers with a number of its own
        return
    with psycopg.connect(address, **WIRE) as other:
        other_session, session_after = _session(other), _session(connection)
        connection.commit()
    if other_session == session or session_after != session:
        raise StoreError(
            "PostgreSQL must give each connection a session of its own, got a pooler that lends one for a transaction, "
            "such as pgbouncer with pool_mode = transaction; have it lend them for the session"
        )


def _session(connection: psycopg.Connection[Any]) -> int:
    """The number of the session that a connection has now."""
    [(number,)] = connection.execute("SELECT pg_backend_pid()").fetchall()
    return int(number)


def _ahead(connection: psycopg.Connection[Any]) -> float:
    """How far the database's clock is ahead of the one in this process that never jumps."""
    sent = steady()
    [(moment,)] = connection.execute("SELECT extract(epoch FROM clock_timestamp())").fetchall()
    answered = steady()
    connection.commit()
    return float(moment) - (sent + answered) / 2


def _failed(connection: psycopg.Connection[Any], error: psycopg.Error) -> StoreError:
    """What a statement's failure means: a lost connection leaves everything open."""
    if (error.sqlstate or "").startswith(UNREADABLE) and not connection.broken:
        return DamagedError(f"the storage must be sound, got {_name(error)}")
    if connection.closed or connection.broken or isinstance(error, psycopg.OperationalError):
        return UncertainError(f"the database must answer, got {_name(error)}")
    return StoreError(f"the storage must take what is written, got {_name(error)}")


def _name(error: psycopg.Error) -> str:
    """The kind of an error: its message may quote what was stored."""
    return type(error).__name__
