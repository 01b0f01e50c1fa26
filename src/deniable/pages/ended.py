"""Sessions that were ended before their time, in a small file that all processes on a folder share."""

from __future__ import annotations

import os
import time
from pathlib import Path

from deniable.collector.private_files import write_private


class Ended:
    """The ids of sessions that somebody signed out of, until they would have ended by themselves."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, int] | None = None
        self._ids: dict[str, float] = {}
        if kept := {one: end for one, end in self._read().items() if end > time.time()}:
            write_private(path, "".join(_line(*one) for one in kept.items()).encode())

    def __contains__(self, own_id: str) -> bool:
        return own_id in self._read()

    def add(self, own_id: str, until: float) -> None:
        """End a session; a line is added at once, so that no two processes overwrite each other's."""
        handle = os.open(self._path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        try:
            os.write(handle, _line(own_id, until).encode())
        finally:
            os.close(handle)

    def _read(self) -> dict[str, float]:
        """What the file holds, read again if it has changed."""
        if not self._path.exists():
            return {}
        found = self._path.stat()
        if self._seen != (found.st_ino, found.st_size):
            lines = (line.split() for line in self._path.read_text(encoding="ascii").splitlines())
            self._ids = {own_id: float(until) for own_id, until in lines}
            self._seen = found.st_ino, found.st_size
        return self._ids


def _line(own_id: str, until: float) -> str:
    return f"{own_id} {until:.0f}\n"
