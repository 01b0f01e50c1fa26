"""What strangers send: bytes over sockets, which no library has put in order."""

from __future__ import annotations

import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from tests.collector.servers import Server
from tests.collector.worlds import a_survey, body_of
from tests.waiting import PATIENCE

from deniable.intake.http.upload_route import SECONDS

SURVEY = a_survey("abused")
PATH = f"/v1/surveys/{SURVEY.digest}/periods/once/answers"
TYPE = "Content-Type: application/octet-stream\r\n"
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")


def connected(server: Server) -> socket.socket:
    """A connection to the collector."""
    where = urlsplit(server.url)
    return socket.create_connection((str(where.hostname), where.port or 80), timeout=PATIENCE)


def heard(connection: socket.socket) -> bytes:
    """All that comes until the collector hangs up."""
    found = b""
    try:
        while more := connection.recv(1 << 16):
            found += more
    except ConnectionResetError:
        pass
    return found


def said(server: Server, *parts: bytes) -> bytes:
    """All that comes back to these bytes until the collector hangs up; it may do so before it has read them all."""
    with connected(server) as connection:
        try:
            for part in parts:
                connection.sendall(part)
        except OSError:
            pass
        return heard(connection)


def head(method: str, path: str, more: str = "", version: str = "1.1") -> bytes:
    """The head of a request after which the connection is to be closed."""
    return f"{method} {path} HTTP/{version}\r\nHost: x\r\nConnection: close\r\n{more}\r\n".encode("latin-1")


def post(more: str, path: str = PATH) -> bytes:
    """The head of an upload."""
    return head("POST", path, TYPE + more)


def statuses(reply: bytes) -> list[int]:
    """The statuses of all replies among these bytes."""
    return [int(status) for status in STATUS.findall(reply)]


def check_alive(server: Server) -> None:
    """Honest devices are served, and not only once whoever keeps the collector busy is given up."""
    check_soon(lambda: server.send(SURVEY, body_of([1])).status == 200)


def check_soon(do: Callable[[], object]) -> None:
    """Something succeeds long before the collector gives up a body or a connection of its own accord."""
    begun = time.monotonic()
    assert do()
    assert time.monotonic() - begun < 0.6 * SECONDS


def answers(server: Server) -> int:
    """How many answers were taken."""
    [row] = server.ask("GET", "/v1/status", token=server.operator).json
    return sum(period["answers"] for period in row["periods"])


def resident(server: Server) -> int:
    """The bytes of memory that the collector holds."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def holding_less(server: Server, more: int) -> Iterator[None]:
    """At no moment does the collector hold so many bytes more than before, by what the system noted as the most."""
    before, system = resident(server), Path(f"/proc/{server.process.pid}")
    (system / "clear_refs").write_text("5")  # it notes the most anew
    yield
    [kilobytes] = re.findall(r"^VmHWM:\s*(\d+) kB$", (system / "status").read_text(), re.MULTILINE)
    grown = (int(kilobytes) << 10) - before
    assert grown < more, f"it must grow by less than {more >> 20} MiB, got {grown >> 20}"


def spent(server: Server) -> float:
    """The seconds of processor time that the collector has taken, which other programs make no longer."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
