"""Hanging up on a database that fell silent, such as one behind a firewall that forgot the connection.

The driver waits without an end for a reply, and the system's own timeouts do not notice a wire whose other end still
says that it has received everything.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

LOOKS = 4
"""How often it is looked at within the time that a database has."""


class Patience:
    """Hangs up on a connection that keeps one waiting for so many seconds; what is under way then fails.

    One connection is watched at a time.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waiting: tuple[float, int] | None = None
        """Since when the database is waited for, and the file of its connection."""
        self._changed, self._ended = threading.Lock(), threading.Event()
        threading.Thread(target=self._watch, name="patience", daemon=True).start()

    @contextmanager
    def watching(self, connection: psycopg.Connection[Any]) -> Iterator[None]:
        """Watch a connection until the block ends, from now on."""
        before = self._waiting
        with self._changed:
            self._waiting = (time.monotonic(), connection.fileno())
        try:
            yield
        finally:
            with self._changed:
                self._waiting = before

    def end(self) -> None:
        """Watch no longer."""
        self._ended.set()

    def _watch(self) -> None:
        while not self._ended.wait(self._seconds / LOOKS):
            with self._changed:
                if self._waiting is not None and time.monotonic() >= self._waiting[0] + self._seconds:
                    _hang_up(self._waiting[1])


def _hang_up(file: int) -> None:
    """End a connection that another thread waits for, without taking its file from it."""
    with suppress(OSError), socket.socket(fileno=os.dup(file)) as wire:
        wire.shutdown(socket.SHUT_RDWR)
