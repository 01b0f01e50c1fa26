"""Where compiled kernels may be kept: a folder that nobody but this user or root can write.

Code that is loaded from there is executed, so anyone who can write to it can run code as this user. ``NUMBA_CACHE_DIR``
is used if it is set, else the package's own ``__pycache__``, else the user's cache. If none qualifies, kernels are
compiled in each process, which takes seconds and changes nothing else.

Limit: only POSIX owners and modes are checked; on Windows the folder's own permissions are trusted.
"""

from __future__ import annotations

import os
import stat
import tempfile
import warnings
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from numba.core import config
from numba.misc.appdirs import AppDirs

OURS_ALONE = 0o700
NAME = "deniable"
"""The folder's name in a cache that is shared with other packages."""


def private(path: Path) -> bool:
    """Whether nobody but this user or root can change the file or folder; a link is never private.

    Example:
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     private(Path(folder))
        True
    """
    if not hasattr(os, "geteuid"):
        return True
    facts = path.lstat()
    others = stat.S_IWGRP | stat.S_IWOTH
    return facts.st_uid in {0, os.geteuid()} and not stat.S_ISLNK(facts.st_mode) and not facts.st_mode & others


def _keeps_names(folder: Path) -> bool:
    """Whether others cannot rename entries of the folder: it is sticky, as /tmp is, or not writable for everybody."""
    mode = folder.stat().st_mode
    return os.name == "nt" or bool(mode & stat.S_ISVTX) or not mode & stat.S_IWOTH


def _sticky(folder: Path) -> bool:
    facts = folder.stat()
    return hasattr(os, "geteuid") and facts.st_uid in {0, os.geteuid()} and bool(facts.st_mode & stat.S_ISVTX)


def _prepared(folder: Path) -> Path | None:
    """The folder's real path, created if needed; None if it is not private or cannot be written."""
    try:
        folder.mkdir(OURS_ALONE, parents=True, exist_ok=True)
        real = Path(os.path.realpath(folder))
        if not private(real) or not all(map(_keeps_names, real.parents)):
            return None
        tempfile.TemporaryFile(dir=real).close()
    except OSError:
        return None
    return real


def _below(given: str) -> Path | None:
    """This package's folder inside the one that ``NUMBA_CACHE_DIR`` names; a warning and None if that is not safe."""
    top = Path(os.path.realpath(given))
    try:
        top.mkdir(OURS_ALONE, parents=True, exist_ok=True)
        safe = private(top) or _sticky(top)
    except OSError:
        safe = False
    found = _prepared(top / NAME) if safe else None
    if found is None:
        wanted = "NUMBA_CACHE_DIR must be a folder that this user can write and others cannot"
        warnings.warn(f"{wanted}, got {given!r}: compiled kernels are not kept", RuntimeWarning, stacklevel=2)
    return found


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """The folder to keep compiled kernels in, chosen once per process; None if none is safe."""
    if config.CACHE_DIR:
        return _below(config.CACHE_DIR)
    in_tree = Path(__file__).absolute().parent / "__pycache__"
    of_user = Path(AppDirs(appname="numba", appauthor=False).user_cache_dir) / NAME
    return _prepared(in_tree) or (_prepared(of_user) if of_user.is_absolute() else None)


@lru_cache(maxsize=1)
def kernels_digest() -> str | None:
    """SHA-256 of the source of all kernel files, since kernels are compiled into each other; None without their source.

    Example:
        >>> len(kernels_digest())
        64
    """
    whole = sha256()
    try:
        files = sorted(_texts(resources.files(__package__), ""))
        for name, text in files:
            whole.update(b"%s %d\n%s" % (name.encode(), len(text), text))
    except OSError:
        return None
    return whole.hexdigest() if files else None


def _texts(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    """The path and content of every Python file in a folder and its subfolders."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _texts(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(".py"):
            yield path + entry.name, entry.read_bytes()
