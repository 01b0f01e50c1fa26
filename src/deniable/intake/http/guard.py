"""Connections, with limits that uvicorn leaves open: no stranger can hold one for ever, or fill the memory by it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from deniable.intake.http.callers import Callers
from deniable.protocol.errors import StoreError

PATIENCE = 35.0
"""Seconds for a whole request to arrive, and for more of a reply to be read: a little more than a body may take."""
MOST_OVERHEAD = 1 << 18
"""The most bytes of a request beside its body: its head, the frames of its chunks, and what follows them."""
MOST_HEADERS, MOST_LINE, MOST_HEAD = 200, 1 << 13, 1 << 15
"""Headers, the bytes of each, and of an address with its query; the bytes of all of them."""
MOST_DISCARDED = 1 << 26
"""The most bytes that are read past a refusal: a client that sends all of a body first sees the refusal after it."""
DISCARDED_A_SECOND = 1 << 26
"""The most bytes of all connections together that are read past refusals in a second: uploads go before them."""
SOCKET = "socket"
"""Who calls through a socket in the file system, instead of an address."""
SENT_AWAY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 60\r\nContent-Length: 0\r\n"
    b"Connection: close\r\n\r\n"
)
SPARE_FILES, FEWEST_FILES, MOST_FILES = 128, 256, 1 << 16
"""Open files that are kept for other things than connections, the fewest in all, and the most that are asked for."""


class Pace:
    """Spreads the work of many connections over time."""

    def __init__(self, bytes_a_second: int = DISCARDED_A_SECOND) -> None:
        self._rate, self._free_at = bytes_a_second, 0.0

    def wait(self, size: int, now: float) -> float:
        """For how many seconds a connection is to rest that has just taken ``size`` bytes."""
        self._free_at = max(self._free_at, now) + size / self._rate
        return self._free_at - now


class GuardedProtocol(HttpToolsProtocol):
    """A connection that is closed if a request takes too long, or has too much beside its body."""

    callers = Callers()
    """Counts the connections of a server: each server has a class of its own."""
    pace = Pace()
    """Slows down the reading of what still arrives of refused requests."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.headers = []
        self._request_since: float | None = self.loop.time()
        self._unread_since: float | None = None
        """Since when the rest of a request is waited for, and since when a reply is not read; None if neither is."""
        self._overhead = self._discarded = 0
        """Bytes of the request beside its body, and bytes of its body that came after the reply."""
        self._head_bytes = 0
        """Bytes of the request that is arriving before its body."""
        self._is_refused = False
        """Whether a request was refused in such a way that nothing more is read as one."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody calls; who has too many connections is sent away, with a word that no device takes for final."""
        super().connection_made(cast("asyncio.Transport", transport))
        self.client = self.client or (SOCKET, 0)
        self._caller = self.client[0]
        if not self.callers.begin(self._caller):
            self._is_refused = True
            self.transport.write(SENT_AWAY)
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """They have gone."""
        super().connection_lost(exc)
        self.callers.end(self._caller)

    def data_received(self, data: bytes) -> None:
        """Take what has arrived, unless it is too much."""
        if self._is_refused:
            return
        if self._request_since is None:
            self._request_since = self.loop.time()
        self._overhead += len(data)
        discarded_before = self._discarded
        super().data_received(data)
        if self._discarded > discarded_before:
            self.transport.pause_reading()
            self.loop.call_later(self.pace.wait(len(data), self.loop.time()), self._read_on)
        too_many = len(self.headers) > MOST_HEADERS or self._head_bytes > MOST_HEAD
        if too_many or self._overhead > MOST_OVERHEAD or self._discarded > MOST_DISCARDED:
            self._refuse()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._request_since = self.loop.time()
        self._head_bytes = 0

    def on_url(self, url: bytes) -> None:
        """A piece of the address."""
        super().on_url(url)
        self._count(url, len(self.url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header."""
        super().on_header(name, value)
        self._count(value, len(value))

    def _count(self, piece: bytes, line_length: int) -> None:
        """Count a piece of the head, given the length of its line so far; a line too long counts as too much."""
        self._head_bytes += len(piece) if line_length <= MOST_LINE else MOST_HEAD + 1

    def on_headers_complete(self) -> None:
        """The head of a request; one with a body is refused that asks for an upgrade.

        The parser stops at such a head, so that the body would be read as another request. The refusal is no problem of
        ours: no device takes it for final.
        """
        if self._is_refused:
            return
        if self._head_bytes > MOST_HEAD:
            self._refuse()
            return
        names = [name for name, _ in self.headers]
        has_body = b"transfer-encoding" in names or dict(self.headers).get(b"content-length", b"0") != b"0"
        if (self.parser.should_upgrade() and has_body) or names.count(b"host") > 1:
            self._refuse("A request must name one host, and ask for no upgrade together with a body.")
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of a body; after the reply the rest is read for a while, so that the reply is seen."""
        if self._is_refused:
            return
        self._overhead -= len(body)
        if self.cycle.response_complete:
            self._discarded += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """All of a request is there; what comes now belongs to the next."""
        if self._is_refused:
            return
        super().on_message_complete()
        self._request_since = None
        self._overhead = self._discarded = 0

    def _read_on(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def pause_writing(self) -> None:
        """The reply is not read."""
        super().pause_writing()
        self._unread_since = self.loop.time()

    def resume_writing(self) -> None:
        """The reply is read."""
        super().resume_writing()
        self._unread_since = None

    def is_late(self, now: float) -> bool:
        """Whether the other side has been waited for too long."""
        return any(since is not None and now >= since + PATIENCE for since in (self._request_since, self._unread_since))

    def _refuse(self, detail: str = "A request must be smaller.") -> None:
        """Hang up, with status 400 and this detail unless a reply was begun."""
        self._is_refused = True
        if self.transport.is_closing():
            return
        if getattr(self.cycle, "response_complete", True):
            self.send_400_response(detail)
        else:
            self.transport.abort()


def guarding(callers: Callers) -> type[GuardedProtocol]:
    """The protocol class of one server, with its own counts of callers and of discarded bytes."""
    return type("GuardedProtocol", (GuardedProtocol,), {"callers": callers, "pace": Pace()})


def close_late(connections: Iterable[object], now: float) -> None:
    """Hang up on those who have been waited for too long."""
    for connection in list(connections):
        if isinstance(connection, GuardedProtocol) and connection.is_late(now):
            connection.transport.abort()


def raise_file_limit() -> int:
    """Ask the system for as many open files as it allows; how many of them connections may take, others get 503."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    if soft < FEWEST_FILES:
        raise StoreError(f"the limit of open files must be at least {FEWEST_FILES}, got {soft}; see ulimit -n")
    return soft - SPARE_FILES
