"""The collector that commands speak to: the one that runs on a folder, or one that runs for the command alone."""

from __future__ import annotations

import datetime
import sqlite3
from contextlib import AbstractContextManager, closing
from pathlib import Path

from deniable.collector.http.server import make_server
from deniable.collector.keys import KEYS, KeyFolder
from deniable.intake.http.operator import Operator, connected_to, found_on
from deniable.intake.http.server import ADMIN_FILE, Settings
from deniable.intake.private_files import give_to_owner, make_folder
from deniable.intake.storage.copies import BACKUPS
from deniable.intake.storage.restore import restore
from deniable.intake.storage.sqlite import FILE, check_sound
from deniable.protocol.errors import ParameterError


def connected(
    data: Path, database: str | None = None, new: bool = False, keys: Path | None = None
) -> AbstractContextManager[Operator]:
    """The collector that runs on a folder; where none does, one that runs until the block ends."""
    settings = Settings(data, database=database, keys=keys)
    return connected_to(
        data, lambda: make_server(settings, lambda line: None), "collector",
        None if new or database is not None else "deniable serve",
    )  # fmt: skip


def surveys_without_keys(data: Path, keys: Path | None = None) -> list[str]:
    """The names of the surveys in a stopped collector's storage whose parcels nobody can open, for want of a key."""
    folder = KeyFolder(keys or data / KEYS)
    with closing(sqlite3.connect(data / FILE)) as storage:
        if not storage.execute("SELECT 1 FROM sqlite_schema WHERE name = 'sealing_key'").fetchall():
            return []  # of an earlier release
        kept = "SELECT name, key FROM sealing_key JOIN survey ON digest = sealing_key.survey WHERE destroyed = ''"
        return [name for name, key in storage.execute(f"{kept} ORDER BY name") if not folder.has(key)]


def restored(backup: Path, data: Path) -> Path | None:
    """Put a backup in the place of the storage in a folder; where what was there is kept, if anything was."""
    if isinstance(found_on(data, "collector"), Operator):
        raise ParameterError(f"the collector must be stopped to be restored, got one that runs on {data}")
    if not backup.is_file():
        raise ParameterError(f"a backup must be a file, got {backup}, which is none")
    make_folder(data)
    moment = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H%M%SZ")
    storage, set_aside = data / FILE, data / BACKUPS / f"before-{moment}.sqlite"
    was_there = storage.exists()
    restore(backup, storage, set_aside, check_sound)
    (data / ADMIN_FILE).unlink(missing_ok=True)
    give_to_owner(data)
    return set_aside if was_there else None
