"""Thousands of connections that do nothing: honest devices are served beside them, and the memory stays small."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.collector.abuse.wire import check_alive, connected, head, heard, resident
from tests.collector.servers import Server
from tests.waiting import until

SPARE_FILES = 256
FILES = resource.getrlimit(resource.RLIMIT_NOFILE)
IDLE = 10_000 if FILES[1] == resource.RLIM_INFINITY else min(10_000, FILES[1] - SPARE_FILES)
"""How many connections: fewer only where the system allows a process fewer open files."""
MOST_BYTES = 32 << 10
"""The most memory that a connection may take, in its collector; 7.6 kB were measured."""
BEGUN = (b"", b"GET /live HTTP/1.1\r\nHost: x\r\nX: ")
"""What such a connection says before it falls silent: nothing, or half of a request."""


@pytest.fixture
def files() -> Iterator[None]:
    """As many open files as the connections need."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(FILES[0], IDLE + SPARE_FILES), FILES[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, FILES)


@contextmanager
def silent(server: Server, count: int) -> Iterator[None]:
    """Connections that are left open."""
    with ExitStack() as stack:
        for number in range(count):
            stack.enter_context(connected(server)).sendall(BEGUN[number % len(BEGUN)])
        yield


def open_files(server: Server) -> int:
    """How many files and connections the collector has open."""
    return sum(1 for _ in Path(f"/proc/{server.process.pid}/fd").iterdir())


@pytest.mark.usefixtures("files")
def test_ten_thousand_silent_connections_keep_nobody_out(server: Server) -> None:
    check_alive(server)
    before = resident(server)
    with silent(server, IDLE):
        check_alive(server)
        until(lambda: open_files(server) >= IDLE)  # the last ones are accepted
        each = (resident(server) - before) / IDLE
        assert each < MOST_BYTES
        for _ in range(20):
            check_alive(server)
    check_alive(server)
    print(f"{IDLE:,} silent connections take {each:,.0f} bytes each")


def test_a_connection_that_falls_silent_after_its_answer_is_closed(server: Server) -> None:
    with connected(server) as connection:
        connection.sendall(head("GET", "/live").replace(b"close", b"keep-alive"))
        assert heard(connection).startswith(b"HTTP/1.1 200")
