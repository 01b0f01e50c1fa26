"""What pgbouncer does in transaction mode: many connections share few sessions, each for one transaction at a time."""

from __future__ import annotations

import os
import select
import socket
import threading
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.collector.faults.proxy import NAME
from tests.waiting import PATIENCE

READY, KEY, HEAD = b"Z", b"K", 5
"""Messages that a session is ready, and by which number one cancels a statement; the bytes before what one says."""


@dataclass
class Pooler:
    """Listens in a folder as PostgreSQL does; the session that was given back last is lent first."""

    folder: Path
    database: str
    """The address of the database."""
    free: list[socket.socket] = field(default_factory=list)
    greeting: bytes = b""
    startup: bytes = b""

    def __post_init__(self) -> None:
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.folder / NAME))
        self._listening.listen()
        self._threads = [threading.Thread(target=self._serve)]
        self._threads[0].start()

    @property
    def address(self) -> str:
        """Where programs connect."""
        return urlsplit(self.database)._replace(query=f"host={self.folder}").geturl()

    def close(self) -> None:
        """Stop listening; whoever is connected must have closed."""
        self._listening.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(PATIENCE)
        for each in (*self.free, self._listening):
            each.close()

    def _serve(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            self._threads.append(threading.Thread(target=self._answer, args=(near,)))
            self._threads[-1].start()

    def _answer(self, near: socket.socket) -> None:
        with near:
            self.startup = near.recv(1 << 16)
            if not self.greeting:
                self._lend_back(self._begun())
            near.sendall(self._greeted())
            while (data := near.recv(1 << 16)) and data[:1] != b"X":
                far = self.free.pop() if self.free else self._begun()
                far.sendall(data)
                self._carry(near, far)
                self._lend_back(far)

    def _lend_back(self, far: socket.socket) -> None:
        self.free.append(far)

    def _begun(self) -> socket.socket:
        """A session more."""
        far = socket.socket(socket.AF_UNIX)
        far.connect(str(Path(parse_qs(urlsplit(self.database).query)["host"][0]) / NAME))
        far.sendall(self.startup)
        told = b""
        while not _is_idle(told):
            told += far.recv(1 << 16)
        self.greeting = told
        return far

    def _greeted(self) -> bytes:
        """The greeting of a session with a number of the pooler's own."""
        own = (part[:HEAD] + os.urandom(8) if part[:1] == KEY else part for part in _messages(self.greeting))
        return b"".join(own)

    @staticmethod
    def _carry(near: socket.socket, far: socket.socket) -> None:
        """Carry messages both ways until a transaction is over."""
        told = b""
        while not _is_idle(told):
            ready = select.select([near, far], [], [])[0]
            if far in ready:
                data = far.recv(1 << 16)
                told += data
                near.sendall(data)
            if near in ready:
                asked = near.recv(1 << 16)
                if not asked or asked[:1] == b"X":
                    return
                far.sendall(asked)


def _messages(told: bytes) -> list[bytes]:
    """What a session says, message by message."""
    found, at = [], 0
    while at + HEAD <= len(told):
        ends = at + 1 + int.from_bytes(told[at + 1 : at + HEAD], "big")
        found.append(told[at:ends])
        at = ends
    return found


def _is_idle(told: bytes) -> bool:
    """Whether the last thing that a session said is that it is in no transaction."""
    messages = _messages(told)
    return bool(messages) and messages[-1] == READY + b"\0\0\0\5I"
