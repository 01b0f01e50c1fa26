"""HTTP to a collector: no redirects, cookies or credentials but an invitation; and which of its replies are final."""

from __future__ import annotations

import email.utils
import http.client
import ipaddress
import json
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, urlsplit

from deniable_client.errors import ParameterError

TIMEOUT = 30.0
LARGEST_BODY = 1 << 24
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
        told = self.json if self.headers.get("content-type", "").startswith("application/problem+json") else None
        if not isinstance(told, dict) or told.get("status") != self.status or not isinstance(told.get("type"), str):
            return None
        kind: str = told["type"]
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
    found = urlsplit(endpoint) if isinstance(endpoint, str) else SplitResult("", "", "", "", "")
    if not found.hostname or found.username or found.password or found.query or found.fragment:
        raise ParameterError("endpoint must be an https address of a collector, got something else")
    if found.scheme != "https" and not (found.scheme == "http" and _is_loopback(found.hostname)):
        raise ParameterError("endpoint must be https, or http of this machine for tests, got another address")
    return found


def request(endpoint: str, method: str, path: str, body: bytes | None = None, code: str | None = None) -> Reply | None:
    """The reply to one request; None if there was none. Redirects are replies like any other."""
    where = read_endpoint(endpoint)
    kind = http.client.HTTPSConnection if where.scheme == "https" else http.client.HTTPConnection
    headers = {} if body is None else {"Content-Type": "application/octet-stream"}
    if code is not None:
        headers["Authorization"] = f"Invitation {code}"
    connection = kind(where.hostname or "", where.port, timeout=TIMEOUT)
    try:
        connection.request(method, where.path.rstrip("/") + path, body, headers)
        reply = connection.getresponse()
        told = {name.lower(): value for name, value in reply.getheaders()}
        return Reply(reply.status, told, reply.read(LARGEST_BODY))
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


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
