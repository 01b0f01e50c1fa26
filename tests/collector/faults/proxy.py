"""A wire between a program and PostgreSQL that is cut: before a message arrives, or before its reply comes back."""

from __future__ import annotations

import select
import socket
import threading
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.waiting import PATIENCE

NAME = ".s.PGSQL.5432"


@dataclass
class Wire:
    """Listens in a folder as PostgreSQL does; the message of number ``cut`` is its last, and then it is whole again."""

    folder: Path
    database: str
    """The address of the database."""
    cut: int = -1
    replied: bool = False
    """Whether the database still gets that message."""
    silent: bool = False
    """Whether the wire is not cut there, but carries nothing any more, as behind a firewall that forgot it."""
    for_good: bool = False
    """Whether nothing is carried from now on, on no connection."""
    messages: list[bytes] = field(default_factory=list)
    held: list[socket.socket] = field(default_factory=list)
    """Both ends of wires that fell silent."""

    def __post_init__(self) -> None:
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.folder / NAME))
        self._listening.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    @property
    def address(self) -> str:
        """Where programs connect."""
        return urlsplit(self.database)._replace(query=f"host={self.folder}").geturl()

    def close(self) -> None:
        """Stop listening; whoever is connected must have closed."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE)
        for wire in self.held:
            wire.close()
        self._listening.close()

    def _serve(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            with near, socket.socket(socket.AF_UNIX) as far:
                far.connect(str(Path(parse_qs(urlsplit(self.database).query)["host"][0]) / NAME))
                self._pass(near, far)

    def _pass(self, near: socket.socket, far: socket.socket) -> None:
        """Carry messages both ways until one side hangs up, or the wire is cut."""
        while True:
            for ready in select.select([near, far], [], [])[0]:
                data = ready.recv(1 << 16)
                if not data:
                    return
                if ready is far:
                    near.sendall(data)
                elif self._is_last(data, far):
                    self.held += [near.dup(), far.dup()] if self.silent else []
                    return

    def _is_last(self, data: bytes, far: socket.socket) -> bool:
        """Send a message to the database, unless the wire is cut before; whether it is cut there."""
        self.messages.append(data)
        if self.for_good:
            return True
        is_cut = len(self.messages) - 1 == self.cut
        if not is_cut or self.replied:
            far.sendall(data)
        if is_cut and self.replied:
            far.recv(1 << 16)  # the database has done it, and nobody learns of it
        return is_cut
