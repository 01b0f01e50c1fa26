"""A small strict collector on this machine, for clients in any language to be tried against.

It keeps what wire/upload.md says, in memory; to a survey with a crowd it is the mixer. A test tells it which periods
are open, which replies to give in place of its own, what happens meanwhile, and which pages its host serves beside.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.clients.uploads import Refused, read_sealed, read_upload

import deniable as dn

STATUS = {"malformed": 400, "no-answer": 422}
ROUTE = re.compile(r"/v1/surveys/([0-9a-f]{64})(?:/(door)|/periods/([^/]+)/answers)?")

CROSS = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After"}
"""Without these a browser shows no reply, or no Retry-After, to the pages of another host."""


@dataclass(frozen=True)
class Planned:
    """A reply that the stub gives in place of its own; None as the status closes the connection without one."""

    status: int | None
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    after: bool = False
    """Whether the request is handled before: an acknowledgement that got lost."""
    meanwhile: Callable[[], object] = bool
    """What happens between the request and the reply."""


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Stub:
    """The state of the stub: surveys, open periods, what was accepted, and what was asked."""

    def __init__(self, *surveys: dn.Survey) -> None:
        self.surveys = {survey.digest: survey for survey in surveys}
        self.pages: dict[str, Planned] = {}
        self.url = ""
        self.lock = threading.Lock()
        self.reset()

    def reset(self) -> None:
        """Forget all that was planned, asked and accepted."""
        self.open: list[str] = ["once"]
        self.planned: list[Planned] = []
        self.asked: list[Asked] = []
        self.accepted: dict[tuple[str, str], list[bytes]] = {}
        self.seen: dict[bytes, tuple[str, bytes]] = {}

    @property
    def posted(self) -> list[tuple[str, bytes]]:
        """Where and what was handed in."""
        return [(asked.path, asked.body) for asked in self.asked if asked.method == "POST"]

    def plan_after_door(self, *replies: Planned) -> None:
        """The door as it is, then these replies."""
        self.planned = [self._door(), *replies]

    @contextmanager
    def running(self) -> Iterator[Stub]:
        """Serve on a port of its own."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def reply(self, asked: Asked) -> Planned:
        """The reply to a request: a planned one first."""
        if asked.path in self.pages:
            return self.pages[asked.path]
        if asked.method == "OPTIONS":
            return Planned(204, b"", {**CROSS, "Access-Control-Allow-Headers": "authorization, content-type"})
        self.asked.append(asked)
        planned = self.planned.pop(0) if self.planned else None
        if planned is not None and not planned.after:
            return planned
        own = self._handled(asked)
        return own if planned is None else planned

    def _handled(self, asked: Asked) -> Planned:
        found = ROUTE.fullmatch(asked.path)
        survey = self.surveys.get(found[1]) if found else None
        if found is None or survey is None:
            return problem(404, "unknown")
        if found[3] is not None:
            return self._received(survey, found[3], asked)
        if found[2] is not None:
            return self._door()
        return Planned(200, survey.document, {"Content-Type": "application/json", **CROSS})

    def _door(self) -> Planned:
        periods = [{"period": name, "opens": None, "closes": None} for name in self.open]
        return sent(200, {"periods": periods, "limits": {"bytes": 1 << 24, "answers": 100_000}})

    def _received(self, survey: dn.Survey, period: str, asked: Asked) -> Planned:
        if asked.headers.get("content-type") != "application/octet-stream":
            return problem(415, "media-type")
        try:
            read = read_upload if survey.crowd is None else read_sealed
            own_id, answers = read(survey, asked.body)
        except Refused as refused:
            return problem(STATUS[refused.kind], refused.kind)
        before = self.seen.get(own_id)
        if before is not None and before != (period, asked.body):
            return problem(409, "other-bytes")
        if before is None:
            if period not in self.open:
                return problem(410, "closed")
            self.seen[own_id] = (period, asked.body)
            self.accepted.setdefault((survey.digest, period), []).extend(answers)
        return sent(200, {"answers": len(answers)})


def sent(status: int, told: Any, kind: str = "application/json", **headers: str) -> Planned:
    """A reply in JSON."""
    return Planned(status, json.dumps(told).encode(), {"Content-Type": kind, **CROSS, **headers})


def problem(status: int, kind: str, **headers: str) -> Planned:
    """A problem of the collector's own."""
    told = {"type": f"urn:deniable:problem:{kind}", "title": kind, "status": status}
    return sent(status, told, "application/problem+json", **headers)


NOT_FINAL = {
    "a captive portal": Planned(200, b"<html>Welcome to our hotel</html>", {"Content-Type": "text/html"}),
    "a captive portal that speaks JSON": sent(200, {"ok": True}),
    "another number of answers": sent(200, {"answers": 2}),
    "a truth value": sent(200, {"answers": True}),
    "a redirect": Planned(302, b"", {"Location": "https://elsewhere.example/"}),
    "a 404 during a deploy": problem(404, "unknown"),
    "a spent invitation": problem(401, "invitation"),
    "a proxy's 400": Planned(400, b"Bad Request", {"Content-Type": "text/plain"}),
    "a problem of somebody else": sent(422, {"type": "about:blank", "status": 422}, "application/problem+json"),
    "a problem of another status": sent(
        422, {"type": "urn:deniable:problem:closed", "status": 410}, "application/problem+json"
    ),
    "too early": problem(409, "too-early", **{"Retry-After": "60"}),
    "too many": problem(429, "busy", **{"Retry-After": "60"}),
    "busy": problem(503, "busy", **{"Retry-After": "60"}),
    "broken": Planned(500, b""),
    "silence": Planned(None),
}
"""Replies after which an answer waits."""


def handler_of(stub: Stub) -> type[BaseHTTPRequestHandler]:
    """The handler of requests for a stub, one at a time."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(b"")

        def do_OPTIONS(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

        def _answer(self, body: bytes) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            with stub.lock:
                reply = stub.reply(Asked(self.command, self.path, headers, body))
            reply.meanwhile()
            self.close_connection = True
            if reply.status is None:
                return
            self.send_response_only(reply.status)
            for name, value in {**reply.headers, "Content-Length": str(len(reply.body)), "Connection": "close"}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

    return Handler
