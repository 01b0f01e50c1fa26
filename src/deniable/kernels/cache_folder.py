"""Where compiled kernels may be kept: a folder that nobody but this user or root can write.

What is loaded from there is executed, so whoever can write it runs code as this user. ``NUMBA_CACHE_DIR`` is taken if
it is set, else the package's own ``__pycache__``, else the user's cache, else a folder among the temporary files. Where
none will do, kernels are compiled in each process, which takes seconds and is otherwise the same. A folder that cannot
be written serves if kernels were compiled into it before, as in an image of a container.

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

OURS_TO_WRITE = 0o755
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
    """The folder without links, made if it was not there; None if it is not private, or neither writable nor warm."""
    try:
        folder.mkdir(OURS_TO_WRITE, parents=True, exist_ok=True)
        real = Path(os.path.realpath(folder))
        if not private(real) or not all(map(_keeps_names, real.parents)):
            return None
        return real if _writable(real) or _warm(real) else None
    except OSError:
        return None


def _writable(folder: Path) -> bool:
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _warm(folder: Path) -> bool:
    """Whether kernels of this very text were compiled into the folder."""
    digest = kernels_digest()
    return digest is not None and any(folder.glob(f"*-{short(digest)}.*"))


def short(digest: str) -> str:
    """As much of a digest as file names hold."""
    return digest[:16]


def _within(folder: Path, name: str) -> Path | None:
    """The folder of that name in one that is private or sticky."""
    top = Path(os.path.realpath(folder))
    try:
        top.mkdir(OURS_TO_WRITE, parents=True, exist_ok=True)
        safe = private(top) or _sticky(top)
    except OSError:
        return None
    return _prepared(top / name) if safe else None


def _below(given: str) -> Path | None:
    """The folder of these kernels in the one that ``NUMBA_CACHE_DIR`` names."""
    found = _within(Path(given), NAME)
    if found is None:
        wanted = "NUMBA_CACHE_DIR must be a folder that this user can write and others cannot"
        warnings.warn(f"{wanted}, got {given!r}: compiled kernels are not kept", RuntimeWarning, stacklevel=2)
    return found


def _temporary() -> Path | None:
    """A folder of this user's own among the temporary files, unless the working folder is all that stands for those."""
    own = f"{NAME}-{os.geteuid()}" if hasattr(os, "geteuid") else NAME
    try:
        top = Path(tempfile.gettempdir())
        return None if top.samefile(Path.cwd()) else _within(top, own)
    except OSError:
        return None


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """The folder to keep compiled kernels in, looked for once a process; None if there is none."""
    return _below(config.CACHE_DIR) if config.CACHE_DIR else lasting_folder() or _temporary()


def advice() -> str | None:
    """What to do where compiled kernels are not kept for good; None where they are, or where a warning has said it."""
    if config.CACHE_DIR or lasting_folder() is not None:
        return None
    folder = cache_folder()
    kept = "cannot be kept" if folder is None else f"is kept in {folder} only, among temporary files"
    return f"compiled code {kept}; NUMBA_CACHE_DIR names a folder for it, which you can write and others cannot"


@lru_cache(maxsize=1)
def lasting_folder() -> Path | None:
    """The package's own folder for compiled code, or the user's, if either will do."""
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
