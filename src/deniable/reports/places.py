"""Where files are: on this machine, or in a store of PyArrow's (HDFS, S3, Google Cloud Storage, Azure) or fsspec's.

A store's credentials and settings are those that PyArrow finds: the environment, the instance's role, and what is
written behind the ``?`` of a URI, such as ``s3://bucket/week?region=eu-north-1``.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias, cast
from urllib.parse import unquote, urlsplit

from deniable.arrow import fs, pa
from deniable.protocol.errors import FormatError, ParameterError
from deniable.reports.atomic_files import Stamp, stamp

SEPARATOR = "://"
SIGNS, STORE_SIGNS = "*?[", "*"
"""What makes a path a pattern, on this machine and in a store, where a ``?`` begins the settings."""
STORE_BUFFER_BYTES = 1 << 23
"""Each request to a store takes milliseconds, so few large ones are made."""


@dataclass(frozen=True, slots=True)
class StorePath:
    """A file or folder of a store, by its URI. Credentials that the URI holds are not shown."""

    uri: str

    def __str__(self) -> str:
        return _without_credentials(self.uri)

    def __repr__(self) -> str:
        return f"StorePath({str(self)!r})"

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self._key.rpartition("/")[2]

    @property
    def _store(self) -> str:
        """The URI without the path."""
        scheme, _, rest = self.uri.partition(SEPARATOR)
        path, mark, settings = rest.partition("?")
        return f"{scheme}{SEPARATOR}{path.partition('/')[0]}/{mark}{settings}"

    @property
    def _key(self) -> str:
        """The path within the store, as it stands: nothing is decoded."""
        return self.uri.partition(SEPARATOR)[2].partition("?")[0].partition("/")[2].strip("/")

    def _system_and_path(self) -> tuple[fs.FileSystem, str]:
        """The store's file system, and the path of the file within it."""
        store, root = file_system_of(self._store)
        return store, f"{root.rstrip('/')}/{self._key}"

    def _info(self) -> fs.FileInfo:
        """What the store says of the file; refused if it is not there."""
        store, path = self._system_and_path()
        info = store.get_file_info(path)
        if info.type == fs.FileType.NotFound:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self))
        return info

    def stamp(self) -> Stamp:
        """The size, when the bytes last changed, and 0, for a store says no more."""
        info = self._info()
        if not info.is_file:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(self))
        return info.size or 0, info.mtime_ns or 0, 0

    def open(self) -> pa.NativeFile:
        """The bytes, to be read anywhere in the file."""
        store, path = self._system_and_path()
        return store.open_input_file(path)

    def below(self) -> list[tuple[str, StorePath]] | None:
        """The files of a folder in order, each with its path within the folder; None where this is a file."""
        if self._info().is_file:
            return None
        store, path = self._system_and_path()
        head, mark, settings = self.uri.partition("?")
        infos = store.get_file_info(fs.FileSelector(path, recursive=True))
        names = sorted(info.path[len(path) :].strip("/") for info in infos if info.is_file)
        return [(name, StorePath(f"{head.rstrip('/')}/{name}{mark}{settings}")) for name in names]


Place: TypeAlias = Path | StorePath

BUCKET: Final = 2
"""The place of the bucket among the parts of a URI, which slashes separate."""


def place_of(given: Path | StorePath | str) -> Place:
    """A path of this machine, or one in a store where a URI is given.

    >>> place_of("week/day.parquet").name, place_of("s3://bucket/week/day.parquet?region=eu-north-1").name
    ('day.parquet', 'day.parquet')
    >>> place_of("file:///week/day.parquet").as_posix()
    '/week/day.parquet'
    """
    if not isinstance(given, str) or SEPARATOR not in given:
        return given if isinstance(given, StorePath) else Path(given)
    return Path(unquote(urlsplit(given).path)) if given.startswith("file://") else StorePath(given)


def pattern_of(place: Place) -> tuple[Place, list[str]] | None:
    """The folder that a pattern such as ``week/day=*/*.parquet`` looks in, and its parts below; None of a plain path.

    >>> pattern_of(Path("week/day=*/*.parquet")), pattern_of(Path("week"))
    ((PosixPath('week'), ['day=*', '*.parquet']), None)
    """
    local = isinstance(place, Path)
    text, mark, settings = (str(place), "", "") if isinstance(place, Path) else place.uri.partition("?")
    parts, signs = text.split("/"), SIGNS if local else STORE_SIGNS
    first = next((number for number, part in enumerate(parts) if any(sign in part for sign in signs)), None)
    if first is None or (isinstance(place, Path) and place.exists()):
        return None
    folder = "/".join(parts[:first])
    if not local:
        if first <= BUCKET:
            raise ParameterError(
                f"a pattern must stand below a bucket, got {place}, which has one in the bucket's place"
            )
        return StorePath(f"{folder}{mark}{settings}"), parts[first:]
    return Path(folder or ("/" if text.startswith("/") else ".")), parts[first:]


def is_named(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a pattern names a path, or a folder that it is in; ``**`` stands for any folders.

    >>> [is_named(path.split("/"), ["**", "day=?"]) for path in ("day=1/a", "week/day=2/b/c", "week/day")]
    [True, True, False]
    """
    if not pattern:
        return True
    if pattern[0] == "**":
        return is_named(parts, pattern[1:]) or (bool(parts) and is_named(parts[1:], pattern))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and is_named(parts[1:], pattern[1:])


@contextmanager
def in_file(place: Place) -> Iterator[None]:
    """Say in an error about a format which file it is about."""
    try:
        yield
    except FormatError as error:
        raise FormatError(f"{place}: {error}") from error


def stamp_of(place: Place) -> Stamp:
    """What changes when a file is written to or replaced."""
    return place.stamp() if isinstance(place, StorePath) else stamp(place)


def name_of(place: Place) -> str:
    """One name for a file, whatever names it was given by."""
    return str(place) if isinstance(place, StorePath) else str(place.resolve())


def arrow_file(place: Place) -> pa.NativeFile:
    """The file as Arrow reads it: without Python's lock, and with no thread that outlives the interpreter."""
    if isinstance(place, StorePath):
        return place.open()
    return pa.OSFile(cast("str", os.fsencode(place)), "rb")  # bytes may be any name at all, though its types say text


def files_below(place: Place) -> list[tuple[str, Place]] | None:
    """The files of a folder in order, each with its path within the folder; None for what is no folder."""
    if isinstance(place, StorePath):
        return cast("list[tuple[str, Place]] | None", place.below())
    if not place.is_dir():
        return None
    files: Iterator[Path] = (file for file in place.rglob("*") if file.is_file())
    return [(file.relative_to(place).as_posix(), file) for file in sorted(files)]


@lru_cache(maxsize=64)
def file_system_of(store: str) -> tuple[fs.FileSystem, str]:
    """PyArrow's file system of a store, or fsspec's where that is installed, and the path that it calls the root."""
    reasons = []
    for uri in (store, f"fsspec+{store}"):
        try:
            return fs.FileSystem.from_uri(uri)
        except (ImportError, pa.ArrowException, OSError, ValueError) as error:
            reasons.append(str(error).partition("\n")[0].replace(store, ""))
    shown = _without_credentials(store)
    raise ParameterError(f"{shown} must be a store that PyArrow or fsspec can reach, but it says: {reasons[0]}")


def _without_credentials(uri: str) -> str:
    return re.sub("://[^/?]*@", "://", uri, count=1)
