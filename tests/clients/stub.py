"""A small strict collector on this machine, for clients in any language to be tried against.

It keeps what wire/upload.md says, in memory. A test tells it which periods are open, which replies to give in place of
its own, and which pages its host serves beside. For tests in other languages `python -m tests.clients.stub FILE...`
serves the surveys of these documents, prints its address as JSON, and ends with its input. They steer it by POST /stub
with any of "open" (periods) and "planned" (replies: status, body, headers, after), and read by GET /stub what was asked
and accepted.
"""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.clients.uploads import Refused, read_upload

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
        self.open: list[str] = ["once"]
        self.planned: list[Planned] = []
        self.pages: dict[str, Planned] = {}
        self.asked: list[Asked] = []
        self.accepted: dict[tuple[str, str], list[bytes]] = {}
        self.seen: dict[bytes, tuple[str, bytes]] = {}
        self.url = ""
        self.lock = threading.Lock()

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
        if asked.path == "/stub":
            return self._steered(asked)
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

    def _steered(self, asked: Asked) -> Planned:
        """What tests in other languages say and see."""
        told = json.loads(asked.body or b"{}")
        self.open = told.get("open", self.open)
        self.planned += [
            Planned(p["status"], p["body"].encode(), p["headers"], p["after"]) for p in told.get("planned", [])
        ]
        accepted = {f"{digest}/{name}": [a.hex() for a in found] for (digest, name), found in self.accepted.items()}
        requests = [{"method": a.method, "path": a.path, "headers": a.headers, "hex": a.body.hex()} for a in self.asked]
        return sent(200, {"asked": requests, "accepted": accepted})

    def _handled(self, asked: Asked) -> Planned:
        found = ROUTE.fullmatch(asked.path)
        survey = self.surveys.get(found[1]) if found else None
        if found is None or survey is None:
            return problem(404, "unknown")
        if found[3] is not None:
            return self._received(survey, found[3], asked)
        if found[2] is not None:
            periods = [{"period": name, "opens": None, "closes": None} for name in self.open]
            return sent(200, {"periods": periods, "limits": {"bytes": 1 << 24, "answers": 100_000}})
        return Planned(200, survey.document, {"Content-Type": "application/json", **CROSS})

    def _received(self, survey: dn.Survey, period: str, asked: Asked) -> Planned:
        if asked.headers.get("content-type") != "application/octet-stream":
            return problem(415, "media-type")
        try:
            own_id, answers = read_upload(survey, asked.body)
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
            self.close_connection = True
            if reply.status is None:
                return
            self.send_response_only(reply.status)
            for name, value in {**reply.headers, "Content-Length": str(len(reply.body)), "Connection": "close"}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

    return Handler


def main(files: list[str]) -> None:
    """Serve the surveys of these documents until the input ends."""
    surveys = [dn.Survey.from_json(Path(file).read_text(encoding="utf-8")) for file in files]
    with Stub(*surveys).running() as stub:
        print(json.dumps({"url": stub.url}), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1:])
