"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from deniable.errors import ParameterError


def check_apart(out: Path | str, sources: Iterable[Path | str]) -> None:
    """Refuse to replace what is being read."""
    if Path(out).resolve() in {Path(source).resolve() for source in sources}:
        raise ParameterError(f"out must be another file than what is read, got {out}")


def check_once(paths: Sequence[Path | str]) -> None:
    """Refuse to count a file twice, by whatever names."""
    if len({Path(path).resolve() for path in paths}) < len(paths):
        raise ParameterError("files must be named once each, got one that would be counted twice")


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
    target = Path(path).resolve()  # a link stays a link to the new file
    if target.exists() and not target.is_file():  # a folder, or a device that must not become a file
        raise FileExistsError(f"{path} must be a file to be written, got a folder or a device")
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
