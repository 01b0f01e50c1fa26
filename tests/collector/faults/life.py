"""One life of a collector, as far as it gets, on a disk that writes down what is done to it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from tests.collector.faults.failpoints import Life, Plan
from tests.collector.worlds import World

from deniable.intake.storage.sqlite import SqliteStore
from deniable.intake.storage.store import BrokenError
from deniable.intake.writer import EXIT_BROKEN


class Careless(sqlite3.Connection):
    """A connection that does not wait for the disk."""

    def execute(self, statement: str, *given: Any) -> sqlite3.Cursor:
        """Run a statement, but for the one that asks for care."""
        return super().execute(statement.replace("synchronous = FULL", "synchronous = NORMAL"), *given)


KINDS = {"FULL": sqlite3.Connection, "NORMAL": Careless}


def live(folder: Path, log: Path, care: str, at_sync: str = "") -> None:
    """Live in a process of its own, in which ``disk.c`` is loaded."""
    os.environ.update(DISK_ROOT=str(folder), DISK_LOG=str(log), DISK_AT_SYNC=at_sync)
    life = Life(folder, Plan("", -1))

    def connect(path: str) -> sqlite3.Connection:
        return sqlite3.connect(path, timeout=0, isolation_level=None, factory=KINDS[care])

    try:
        world = World(SqliteStore(folder / "data", life.clock, connect), life.clock)
        life.go_on(world)
    except BrokenError:
        os._exit(EXIT_BROKEN)
    world.store.close()
