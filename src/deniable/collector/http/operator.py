"""The collector that commands speak to: the one that runs on a folder, or one that runs for the command alone."""

from __future__ import annotations

import datetime
from contextlib import AbstractContextManager
from pathlib import Path

from deniable.collector.http.server import make_server
from deniable.intake.http.operator import Operator, connected_to, found_on
from deniable.intake.http.server import ADMIN_FILE, Settings
from deniable.intake.private_files import give_to_owner, make_folder
from deniable.intake.storage.copies import BACKUPS
from deniable.intake.storage.restore import restore
from deniable.intake.storage.sqlite import FILE, check_sound
from deniable.protocol.errors import ParameterError


def connected(data: Path, database: str | None = None, new: bool = False) -> AbstractContextManager[Operator]:
    """The collector that runs on a folder; where none does, one that runs until the block ends."""
    return connected_to(
        data, lambda: make_server(Settings(data, database=database), lambda line: None), "a collector's folder",
        None if new or database is not None else "deniable serve",
    )  # fmt: skip


def restored(backup: Path, data: Path) -> Path | None:
    """Put a backup in the place of the storage in a folder; where what was there is kept, if anything was."""
    if isinstance(found_on(data), Operator):
        raise ParameterError(f"the collector must be stopped to be restored, got one that runs on {data}")
    if not backup.is_file():
        raise ParameterError(f"a backup must be a file, got {backup}, which is none")
    make_folder(data)
    moment = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H%M%SZ")
    storage, kept = data / FILE, data / BACKUPS / f"before-{moment}.sqlite"
    was_there = storage.exists()
    restore(backup, storage, kept, check_sound)
    (data / ADMIN_FILE).unlink(missing_ok=True)
    give_to_owner(data)
    return kept if was_there else None
