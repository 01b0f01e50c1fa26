"""Connections, with limits that uvicorn leaves open: no stranger can hold one for ever, or fill the memory by it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from deniable.collector.uploads import MOST_BYTES

PATIENCE = 35.0
"""Seconds for a whole request to arrive, and for more of a reply to be read: a little more than a body may take."""
MOST_BESIDES = 1 << 18
"""The most bytes of a request beside its body: its head, the frames of its chunks, and what follows them."""
MOST_HEADERS = 200
SPARE_FILES, MOST_FILES = 128, 1 << 16
"""Open files that are kept for other things than connections, and the most that the system is asked for."""


class GuardedProtocol(HttpToolsProtocol):
    """A connection that is closed if a request takes too long, or has too much beside its body."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.headers = []
        self._asking: float | None = self.loop.time()
        self._unread: float | None = None
        """Since when a request is waited for, and that a reply is read."""
        self._besides = self._discarded = 0

    def data_received(self, data: bytes) -> None:
        """Take what has arrived, unless it is too much."""
        if self._asking is None:
            self._asking = self.loop.time()
        self._besides += len(data)
        super().data_received(data)
        too_many = len(self.headers) > MOST_HEADERS
        if too_many or self._besides > MOST_BESIDES or self._discarded > MOST_BYTES:
            self._refuse()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._asking = self.loop.time()

    def on_body(self, body: bytes) -> None:
        """A piece of a body; after the reply the rest is read for a while, so that the reply is seen."""
        self._besides -= len(body)
        if self.cycle.response_complete:
            self._discarded += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """All of a request is there; what comes now belongs to the next."""
        super().on_message_complete()
        self._asking = None
        self._besides = self._discarded = 0

    def pause_writing(self) -> None:
        """The reply is not read."""
        super().pause_writing()
        self._unread = self.loop.time()

    def resume_writing(self) -> None:
        """The reply is read."""
        super().resume_writing()
        self._unread = None

    def is_late(self, now: float) -> bool:
        """Whether the other side has been waited for too long."""
        return any(since is not None and now >= since + PATIENCE for since in (self._asking, self._unread))

    def _refuse(self) -> None:
        """Hang up, with a word if none was begun."""
        if self.transport.is_closing():
            return
        if getattr(self.cycle, "response_complete", True):
            self.send_400_response("A request must be smaller.")
        else:
            self.transport.abort()


def close_late(connections: Iterable[object], now: float) -> None:
    """Hang up on those who have been waited for too long."""
    for connection in list(connections):
        if isinstance(connection, GuardedProtocol) and connection.is_late(now):
            connection.transport.abort()


def make_room() -> int:
    """Ask the system for as many open files as it allows; how many connections are served at once, others get 503."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    return max(soft - SPARE_FILES, 1)
