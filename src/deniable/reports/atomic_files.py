"""Atomic file writes, and checks whether two paths are the same file."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TypeAlias

from deniable.protocol.errors import ParameterError

Stamp: TypeAlias = tuple[int, int, int]
"""A file's size in bytes, and when its bytes and its entry last changed, in nanoseconds."""


def stamp(path: Path) -> Stamp:
    """Numbers that change when a file is written to or replaced, even by one with the same size and time."""
    state = path.stat()
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns


def check_apart(out: Path | str, sources: Iterable[Path | str]) -> None:
    """Refuse an output file that is also an input, by whatever path."""
    if _identity(out) in {_identity(source) for source in sources}:
        raise ParameterError(f"out must be another file than what is read, got {out}")


def check_once(paths: Sequence[Path | str]) -> None:
    """Refuse a file that is given twice, also through links."""
    seen = set[object]()
    for path in paths:
        if (identity := _identity(path)) in seen:
            raise ParameterError(f"files must be named once each, got one that would be counted twice: {path}")
        seen.add(identity)


def _identity(path: Path | str) -> object:
    """The identity of a file under all its names: device and inode, or its path if it does not exist yet."""
    try:
        state = Path(path).stat()
    except OSError:
        return _resolved(path)
    return (state.st_dev, state.st_ino) if state.st_ino else _resolved(path)


def _resolved(path: Path | str) -> Path:
    """The path with links resolved; circular links raise an OSError on every version of Python."""
    try:
        target = Path(path).resolve()
    except RuntimeError:
        target = None
    if target is None or target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return target


def check_named(path: Path | str) -> None:
    """Refuse a path that names no file."""
    if not Path(path).name:
        raise ParameterError(f"a file to be written must have a name, got {str(path)!r}")


def target_of(path: Path | str) -> Path:
    """The path to write to, with links resolved, so that they stay links; folders and devices are refused.

    >>> target_of("")
    Traceback (most recent call last):
    deniable.protocol.errors.ParameterError: a file to be written must have a name, got ''
    """
    check_named(path)
    target = _resolved(path)
    if target.exists() and not target.is_file():  # a folder, or a device, which must not be replaced by a file
        raise FileExistsError(f"{path} must be a file to be written, got a folder or a device")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path} must be in a folder that is there, got {Path(path).parent}, which is not")
    if not os.access(target.parent, os.W_OK):  # known before any work, if not of every folder
        raise PermissionError(f"{path} must be in a folder that takes new files, got {target.parent}, which does not")
    return target


@contextmanager
def written_whole(path: Path | str) -> Iterator[BinaryIO]:
    """A file to write that is moved to ``path`` when the block succeeds, and deleted when it fails.

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
        with naming(path), _created(part, path) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    settle(target.parent)


@contextmanager
def naming(path: Path | str) -> Iterator[None]:
    """Lets errors of the system say which file they are about, such as one of a full disk."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename is None:  # the system's own: ours say already what they are about
            error.filename = str(path)
        raise


def _created(part: Path, path: Path | str) -> BinaryIO:
    """A new temporary file next to the target, with the permissions of a new file; errors name the target."""
    try:
        return part.open("xb")
    except FileNotFoundError as error:  # although its folder is there, as /proc is
        raise _unwritable_folder(path) from error
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error


def made_folder(path: Path | str) -> Path:
    """A folder to write into, made with those above it unless it is there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made_folder(Path(folder) / "week" / "monday").is_dir()
    True
    """
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except FileNotFoundError as error:
        raise _unwritable_folder(path) from error
    return Path(path)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder to fill, which must be new or empty; one made here is removed if the block fails and leaves nothing."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise ParameterError(f"the folder must be new or empty, got {path}, which is not")
    is_new = not path.exists()
    made_folder(path)
    try:
        yield path
    except BaseException:
        with suppress(OSError):  # something is there by now
            if is_new:
                path.rmdir()
        raise


def _unwritable_folder(path: Path | str) -> FileNotFoundError:
    """The error for a file whose folder takes no new files; of folders above it the first one that exists."""
    folder = next(each for each in Path(path).parents if each.exists())
    return FileNotFoundError(f"{path} must be in a folder that takes new files, got {folder}, which does not")


def settle(folder: Path) -> None:
    """Sync the folder, if the system supports it, so that the new name survives a power failure."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
