"""Small files, and folders, that only their owner can read."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import settle, written_whole


def write_private(path: Path, written: bytes) -> None:
    """Write a file atomically, for its owner alone."""
    with written_whole(path) as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(written)


def write_if_room(path: Path, written: bytes) -> bool:
    """Write a private file unless the disk is full, which leaves no older file of the name; whether it was written."""
    try:
        write_private(path, written)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        path.unlink(missing_ok=True)
        return False
    return True


def leave_no_core() -> None:
    """Have the system write no copy of this process's memory if it is ended: it may hold keys, and addresses."""
    with suppress(ImportError):  # Windows has none
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def give_to_owner(folder: Path) -> None:
    """Let everything in a folder belong to who owns the folder: a command of root's must not shut its server out."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not folder.is_dir():
        return
    owner = folder.stat()
    for path in (found for found in folder.rglob("*") if found.lstat().st_uid != owner.st_uid):
        with suppress(FileNotFoundError):
            os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def make_folder(folder: Path) -> None:
    """Make a folder, if it is not there, for its owner alone; its name, too, survives a power failure.

    None is made above it: there a slip of the pen would begin an empty collector beside the one that is meant.
    """
    if folder.exists() and not folder.is_dir():
        raise ParameterError(f"{folder} must be a folder, got a file")
    above = folder.resolve().parent
    if not above.is_dir():
        raise ParameterError(f"{folder} must be in a folder that exists, got {above}, which is none")
    folder.mkdir(mode=0o700, exist_ok=True)
    with suppress(PermissionError):  # a folder above that one may not read was there before
        settle(above)
