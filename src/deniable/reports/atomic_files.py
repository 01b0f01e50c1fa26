"""Files that are there whole or not at all, and whether two of them are one."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeAlias

from deniable.errors import ParameterError

Stamp: TypeAlias = tuple[int, int, int]
"""A file's size in bytes, and when its bytes and its entry last changed, in nanoseconds."""


def stamp(path: Path) -> Stamp:
    """What changes when a file is written to or replaced, though it be by one of the same size and age."""
    state = path.stat()
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns


def check_apart(out: Path | str, sources: Iterable[Path | str]) -> None:
    """Refuse to replace what is being read."""
    if _identity(out) in {_identity(source) for source in sources}:
        raise ParameterError(f"out must be another file than what is read, got {out}")


def check_once(paths: Sequence[Path | str]) -> None:
    """Refuse to count a file twice, by whatever names."""
    if len({_identity(path) for path in paths}) < len(paths):
        raise ParameterError("files must be named once each, got one that would be counted twice")


def _identity(path: Path | str) -> object:
    """What a file keeps under each of its names: its place on the device, or its path if it is not there yet."""
    try:
        state = Path(path).stat()
    except OSError:
        return _resolved(path)
    return (state.st_dev, state.st_ino) if state.st_ino else _resolved(path)


def _resolved(path: Path | str) -> Path:
    """The path without links; those that lead in a circle are the system's error on every Python."""
    try:
        target = Path(path).resolve()
    except RuntimeError:
        target = None
    if target is None or target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return target


def target_of(path: Path | str) -> Path:
    """Where a file will be written, behind links: they stay links to the new file. What can be no file is refused.

    >>> target_of("")
    Traceback (most recent call last):
    deniable.errors.ParameterError: a file to be written must have a name, got ''
    """
    if not Path(path).name:
        raise ParameterError(f"a file to be written must have a name, got {str(path)!r}")
    target = _resolved(path)
    if target.exists() and not target.is_file():  # a folder, or a device that must not become a file
        raise FileExistsError(f"{path} must be a file to be written, got a folder or a device")
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    return target


@contextmanager
def written_whole(path: Path | str) -> Iterator[BinaryIO]:
    """A file to write that takes its place at ``path`` when the block ends well, and vanishes when it does not.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with written_whole(Path(folder) / "greeting.txt") as file:
    ...         _ = file.write(b"hello")
    ...     (Path(folder) / "greeting.txt").read_text()
    'hello'
    """
    target = target_of(path)
    part = target.with_name(f".{target.name[:200]}.{secrets.token_hex(8)}.part")
    try:
        with _created(part, path) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    _settle(target.parent)


def _created(part: Path, path: Path | str) -> BinaryIO:
    """A new file beside the target, with the permissions that a new file gets; errors name the target."""
    try:
        return part.open("xb")
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error


def _settle(folder: Path) -> None:
    """Ask that the new name outlives a power cut, where the system lets a folder be synced."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
