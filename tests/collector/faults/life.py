"""One life of a collector, as far as it gets; a storage that breaks ends the process.

python -m tests.collector.faults.life FOLDER FULL|NORMAL
"""

from __future__ import annotations

import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

from tests.collector.faults.failpoints import Life, Plan
from tests.collector.worlds import World

from deniable.collector.storage.sqlite import SqliteStore
from deniable.collector.storage.store import BrokenError
from deniable.collector.writer import EXIT_BROKEN


class Careless(sqlite3.Connection):
    """A connection that does not wait for the disk."""

    def execute(self, statement: str, *given: Any) -> sqlite3.Cursor:
        """Run a statement, but for the one that asks for care."""
        return super().execute(statement.replace("synchronous = FULL", "synchronous = NORMAL"), *given)


def connect(path: str) -> sqlite3.Connection:
    """A connection with as much care as was asked for."""
    kind = Careless if sys.argv[2] == "NORMAL" else sqlite3.Connection
    return sqlite3.connect(path, timeout=0, isolation_level=None, factory=kind)


if __name__ == "__main__":
    life = Life(Path(sys.argv[1]), Plan("", -1))
    try:
        world = World(SqliteStore(life.folder / "data", life.clock, connect), life.clock)
        life.go_on(world)
    except BrokenError:
        os._exit(EXIT_BROKEN)
    world.store.close()
