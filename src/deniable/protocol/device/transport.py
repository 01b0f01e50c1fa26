"""HTTP to a collector: no redirects, cookies or credentials but an invitation; and which of its replies are final."""

from __future__ import annotations

import email.utils
import http.client
import io
import ipaddress
import json
import socket
import time
from contextlib import closing
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, urlsplit

from ..errors import ParameterError

TIMEOUT = 30.0
"""Seconds for a whole request, its reply included; each address that does not answer may take as long once."""
LARGEST_BODY = 1 << 24
"""The most bytes of a survey's document."""
MOST_REPLY = 1 << 16
"""The most bytes of a door or a receipt."""
FINAL = (400, 409, 410, 413, 415, 422)
"""Problems that no retry mends, if they are the collector's own and name no time to come back."""
PROBLEM = "urn:deniable:problem:"


@dataclass(frozen=True)
class Reply:
    """What a collector, or somebody between, answered."""

    status: int
    headers: dict[str, str]
    """By their names in lower case."""
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON; None if it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    @property
    def problem(self) -> str | None:
        """The kind of a problem of the collector's own, such as ``closed``; None for anything else."""
        body = self.json if self.headers.get("content-type", "").startswith("application/problem+json") else None
        if not isinstance(body, dict) or body.get("status") != self.status or not isinstance(body.get("type"), str):
            return None
        kind: str = body["type"]
        return kind[len(PROBLEM) :] if kind.startswith(PROBLEM) else None

    @property
    def final_problem(self) -> str | None:
        """The kind of a problem that ends all trying; None if trying again may help."""
        return self.problem if self.status in FINAL and "retry-after" not in self.headers else None

    @property
    def retry_after(self) -> float | None:
        """In how many seconds to come back, if that is said."""
        written = self.headers.get("retry-after", "")
        if written.isascii() and written.isdigit():
            return float(written[:12])
        return _seconds_until(written)


def read_endpoint(endpoint: Any) -> SplitResult:
    """An https address, or http of this very machine; nothing else may carry an answer."""
    url = _split(endpoint)
    if url is None or not url.hostname or url.username or url.password or url.query or url.fragment:
        raise ParameterError(f"endpoint must be an https address of a collector, got {type(endpoint).__name__}")
    if url.scheme != "https" and not (url.scheme == "http" and _is_loopback(url.hostname)):
        got = url.scheme or "no scheme"
        raise ParameterError(f"endpoint must be https, or http of this machine for tests, got {got}")
    return url


def request(
    endpoint: str, method: str, path: str, body: bytes | None = None, code: str | None = None, most: int = MOST_REPLY
) -> Reply | None:
    """The reply to one request; None if there was none in time, or a longer one. Redirects are replies like others."""
    headers = {} if body is None else {"Content-Type": "application/octet-stream"}
    if code is not None:
        headers["Authorization"] = f"Invitation {code}"
    try:
        address = read_endpoint(endpoint)
        kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        with closing(kind(address.hostname or "", address.port, timeout=TIMEOUT)) as connection:
            return _exchange(connection, (method, address.path.rstrip("/") + path, body, headers), most)
    except (OSError, ValueError, http.client.HTTPException):
        return None


def _exchange(connection: http.client.HTTPConnection, arguments: tuple[Any, ...], most: int) -> Reply | None:
    """One request and its reply, all within TIMEOUT; None if the reply is longer than wanted."""
    deadline = time.monotonic() + TIMEOUT
    connection.connect()
    connection.sock.settimeout(seconds_left(deadline))
    connection.response_class = _response_until(deadline)
    connection.request(*arguments)
    with connection.getresponse() as reply:
        headers = {name.lower(): value for name, value in reply.getheaders()}
        body = reply.read(most + 1)
        return None if len(body) > most else Reply(reply.status, headers, body)


def seconds_left(deadline: float) -> float:
    """The seconds until a deadline."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _response_until(deadline: float) -> type[http.client.HTTPResponse]:
    """Responses that are read until a deadline, however slowly they drip."""

    class Response(http.client.HTTPResponse):
        def __init__(self, sock: socket.socket, *rest: Any, **options: Any) -> None:
            super().__init__(sock, *rest, **options)
            self.fp = io.BufferedReader(_SocketReader(deadline, sock, self.fp))

    return Response


class _SocketReader(io.RawIOBase):
    """Reads from a socket until a deadline, and raises TimeoutError after it; with ``file`` the socket is released."""

    def __init__(self, deadline: float, sock: socket.socket, file: io.BufferedIOBase) -> None:
        self._deadline, self._sock, self._file = deadline, sock, file

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        self._sock.settimeout(seconds_left(self._deadline))
        return self._sock.recv_into(into)

    def close(self) -> None:
        self._file.close()
        super().close()


def _split(endpoint: Any) -> SplitResult | None:
    """The parts of an address that a request can be made of; None if there is no such."""
    if not isinstance(endpoint, str) or not endpoint.isprintable() or " " in endpoint:
        return None
    try:
        address = urlsplit(endpoint)
        (address.hostname or "").encode("idna")
        return address if address.port != 0 and address.path.isascii() else None
    except ValueError:
        return None


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _seconds_until(written: str) -> float | None:
    """The seconds until a date; None for another text, which the standard library tells by one of many errors."""
    try:
        moment = email.utils.parsedate_to_datetime(written)
        return max(0.0, moment.timestamp() - time.time())
    except (TypeError, ValueError, IndexError, OverflowError, OSError):
        return None
