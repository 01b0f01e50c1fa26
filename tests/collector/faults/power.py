"""What is left when the power fails: replays what a program did to its files, and writes down what the disk then holds.

    python -m tests.collector.faults.power FOLDER STRIDE LIFE...

Lives of ``life.py`` are lived one after another on the same folder, with ``disk.c`` loaded. Before each STRIDE-th of
their operations the power fails, once so that only what was synced is there, and once so that some of the rest is too.
A collector then goes on with it. Prints as JSON how the lives ended, how often the power failed, and where something
was lost or counted twice.
"""

from __future__ import annotations

import json
import random
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.collector.faults.failpoints import check, forked, statements
from tests.collector.faults.life import live

HEAD = struct.Struct("<c4Q")
SECTOR = 512


class Operation(NamedTuple):
    """Something that was done to a file or a folder."""

    kind: str
    path: Path
    other: Path
    data: bytes
    offset: int


def read_log(log: Path) -> Iterator[Operation]:
    """The operations, in order."""
    written, at = log.read_bytes(), 0
    while at < len(written):
        kind, *lengths, offset = HEAD.unpack_from(written, at)
        at += HEAD.size
        parts = []
        for length in lengths:
            parts.append(written[at : at + length])
            at += length
        yield Operation(kind.decode(), Path(parts[0].decode()), Path(parts[1].decode()), parts[2], offset)


@dataclass
class File:
    """What was synced of a file, and what was written since: parts no larger than a sector, or cuts."""

    synced: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)

    def write(self, offset: int, data: bytes) -> None:
        """Write, in parts of which the disk may take some and not others."""
        while data:
            length = SECTOR - offset % SECTOR
            self.pending.append((offset, data[:length]))
            offset, data = offset + length, data[length:]

    def sync(self) -> None:
        """All of it is on the disk."""
        self.synced, self.pending = self.after(self.pending), []

    def cut(self, size: int, _data: bytes) -> None:
        """Make it so long."""
        self.pending.append((size, None))

    def lose(self, _offset: int, _data: bytes) -> None:
        """A sync failed: what it was to write is not written by a later one, although programs go on reading it."""
        self.pending = []

    def after(self, done: list[tuple[int, bytes | None]]) -> bytearray:
        """What the disk holds if it took these parts."""
        found = bytearray(self.synced)
        for offset, data in done:
            end = offset + len(data or b"")
            found.extend(bytes(max(0, end - len(found))))
            if data is None:
                del found[offset:]
            else:
                found[offset:end] = data
        return found

    def left(self, draw: random.Random | None) -> bytearray:
        """What is left of it: what was synced, or more by chance."""
        return self.after([part for part in self.pending if draw.random() < 0.5] if draw else [])


@dataclass
class Folder:
    """The files and folders in it by name: those on the disk, and what was done since."""

    synced: dict[str, File | Folder] = field(default_factory=dict)
    pending: list[tuple[str, File | Folder | None]] = field(default_factory=list)

    def now(self) -> dict[str, File | Folder]:
        """What a program sees."""
        return _named(self.synced, self.pending)

    def sync(self) -> None:
        """All names are on the disk."""
        self.synced, self.pending = self.now(), []

    def left(self, draw: random.Random | None) -> dict[str, File | Folder]:
        """What is left of it: what was synced, or some of what came then."""
        return _named(self.synced, self.pending[: draw.randint(0, len(self.pending))] if draw else [])


def _named(names: dict[str, File | Folder], done: list[tuple[str, File | Folder | None]]) -> dict[str, File | Folder]:
    found = {**names, **dict(done)}
    return {name: what for name, what in found.items() if what is not None}


class Disk:
    """A disk, as the operations of a log have left it; everything below ``root``."""

    def __init__(self, root: Path) -> None:
        self._root, self._top = root, Folder()

    def do(self, operation: Operation) -> None:
        """One more operation."""
        kind, path, other, data, offset = operation
        found = self._find(path)
        if kind in "cm":
            self._folder(path).pending.append((path.name, File() if kind == "c" else Folder()))
        elif kind == "u":
            self._folder(path).pending.append((path.name, None))
        elif kind == "r":
            self._folder(path).pending += [(path.name, None), (other.name, found)]
        elif kind == "s" and found is not None:
            found.sync()
        elif isinstance(found, File):
            {"w": found.write, "t": found.cut, "x": found.lose}[kind](offset, data)

    def _find(self, path: Path) -> File | Folder | None:
        found: File | Folder | None = self._top
        for name in path.relative_to(self._root).parts:
            found = found.now().get(name) if isinstance(found, Folder) else None
        return found

    def _folder(self, path: Path) -> Folder:
        found = self._find(path.parent)
        assert isinstance(found, Folder)
        return found

    def write_out(self, target: Path, draw: random.Random | None) -> None:
        """Write what is left when the power fails, and what the devices know."""
        _write_out(self._top, target, draw)
        for name in self._top.now():
            if name.startswith("told-"):
                (target / name).touch()


def _write_out(folder: Folder, target: Path, draw: random.Random | None) -> None:
    target.mkdir(parents=True)
    for name, what in folder.left(draw).items():
        if isinstance(what, Folder):
            _write_out(what, target / name, draw)
        else:
            (target / name).write_bytes(what.left(draw))


def failed(log: Path, root: Path, folder: Path, stride: int) -> Iterator[tuple[str, str]]:
    """Each place where the power failed, and what was wrong after it."""
    disk, draw = Disk(root), random.Random(3)
    for place, operation in enumerate(read_log(log)):
        for more in () if place % stride else (None, draw):
            own = folder / f"{place}{'+' if more else ''}"
            disk.write_out(own, more)
            ended = forked(partial(check, own), own / "log")
            yield own.name, (own / "log").read_text() if ended else ""
        disk.do(operation)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    log, root, left = folder / "log", folder / "life", folder / "left"
    root.mkdir()
    left.mkdir()
    statements(left / "whole")
    ended = [forked(partial(live, root, log, *told.split(maxsplit=1)), folder / "errors") for told in sys.argv[3:]]
    found = list(failed(log, root, left, int(sys.argv[2])))
    wrong = {name: wrong for name, wrong in found if wrong}
    print(json.dumps({"ended": ended, "failed": len(found), "wrong": wrong}))
