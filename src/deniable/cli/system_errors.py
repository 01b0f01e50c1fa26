"""Errors of the operating system in the words of all others: what a file or folder must be, and what came."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

NO_PERMISSION = ("must be open to you", "no permission; have its owner give it to you, or name another")
MESSAGES: Mapping[int, tuple[str, str]] = {
    errno.EACCES: NO_PERMISSION,
    errno.EPERM: NO_PERMISSION,
    errno.EEXIST: ("must be a folder or a new name", "a file that is there already"),
    errno.EISDIR: ("must be a file", "a folder"),
    errno.ELOOP: ("must lead to a file", "symbolic links in a circle"),
    errno.ENAMETOOLONG: ("must have a shorter name", "one that is too long for the system"),
    errno.ENOSPC: ("must be on a disk with room for it", "a full disk; free some, or name another"),
    errno.ENOTDIR: ("must be in a folder", "a file on the way to it"),
    errno.EROFS: ("must be on a disk that can be written to", "one that can only be read; name another"),
}
"""What a file or folder must be, and what it is, by the error's number."""


def system_error(error: OSError) -> str:
    """One line for an error of the system; what the library itself has put into words stays as it is.

    >>> system_error(IsADirectoryError(errno.EISDIR, "Is a directory", "week"))
    'week must be a file, got a folder'
    """
    name = error.filename
    if not name or not error.strerror:
        return str(error)
    if isinstance(error, FileNotFoundError):
        return f"the file or folder {name} must exist, got none of this name{_similar_names(name)}"
    wanted, got = MESSAGES.get(error.errno or 0, ("must be of use to the system", f"its error: {error.strerror}"))
    return f"{name} {wanted}, got {got}"


def _similar_names(name: Any) -> str:
    """The end of a message that names what lies in the same folder under nearly this name."""
    from deniable.protocol.checks import near

    path = Path(os.fsdecode(name))
    with suppress(OSError):
        return near(path.name, (each.name for each in path.parent.iterdir()))
    return f"; nor is there a folder {path.parent}"
