"""A collector that runs in a process of its own, and what is asked of it over HTTP."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tests.collector.warm import Started, warmed
from tests.waiting import PATIENCE, until

import deniable as dn

BYTES = "application/octet-stream"


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    headers: Message
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def kind(self) -> str:
        """The kind of a problem."""
        assert self.headers["Content-Type"] == "application/problem+json"
        assert self.json["status"] == self.status
        return str(self.json["type"]).removeprefix("urn:deniable:problem:")


@dataclass(frozen=True)
class Server:
    """A collector that runs, and its folder."""

    url: str
    data: Path
    process: subprocess.Popen[bytes] | Started
    log: Path
    """What it prints."""

    def ask(self, method: str, path: str, body: bytes | None = None, token: str = "", **headers: str) -> Reply:
        """One request and its reply."""
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            told["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(self.url + path, body, told, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
                return Reply(reply.status, reply.headers, reply.read())
        except urllib.error.HTTPError as error:
            return Reply(error.code, error.headers, error.read())

    def send(self, survey: dn.Survey, body: bytes, period: str = "once", **headers: str) -> Reply:
        """Hand in an upload."""
        path = f"/v1/surveys/{survey.digest}/periods/{period}/answers"
        return self.ask("POST", path, body, **{"Content_Type": BYTES, **headers})

    @property
    def operator(self) -> str:
        """The token of whoever can read the folder."""
        return str(json.loads((self.data / "server.json").read_text())["token"])

    def token(self, name: str, scope: str, *surveys: str) -> str:
        """A new token."""
        fields = json.dumps({"scope": scope, "surveys": surveys}).encode()
        made = self.ask("PUT", f"/v1/tokens/{name}", fields, self.operator)
        assert made.status == 201
        return str(made.json["token"])


def started(data: Path, *options: str, program: str = "deniable", anew: bool = False) -> Server:
    """A collector on any free port, unless one is named; loaded anew where PYTHONPATH names another package."""
    ready, log = data.parent / "ready.json", data.with_name(f"{data.name}.log")
    log.parent.mkdir(parents=True, exist_ok=True)
    ready.unlink(missing_ok=True)  # of a server before, or of one beside
    port = () if "--port" in options else ("--port", "0")
    words = ["serve", "--data", str(data), *port, "--ready-file", str(ready), *options]
    process = loaded(program, words, log) if anew else warmed().start(words, log, program=program)
    return Server(url_of(process, ready, log), data, process, log)


def loaded(
    program: str, words: list[str], log: Path, environment: Mapping[str, str] = MappingProxyType({})
) -> subprocess.Popen[bytes]:
    """A module that is loaded anew, with more in its environment; what it prints goes to the end of a file."""
    command = [sys.executable, "-m", program, *words]
    with log.open("ab") as printed:
        return subprocess.Popen(command, stdout=printed, stderr=printed, env={**os.environ, **environment})


def url_of(process: subprocess.Popen[bytes] | Started, ready: Path, log: Path) -> str:
    """Where a collector listens, once it does and has written its file."""

    def is_ready() -> bool:
        assert process.poll() is None, log.read_text()
        return ready.exists()

    until(is_ready, 0.01)
    return str(json.loads(ready.read_text())["url"])


def stopped(server: Server) -> int:
    """Stop in good order; the exit status. Unless it is 0, what the server printed is shown."""
    server.process.terminate()
    status = server.process.wait(PATIENCE)
    if status != 0:
        print(server.log.read_text())
    return status


def released(server: Server, survey: dn.Survey, token: str) -> None:
    """Close a survey that has no grace, and wait until its results are there."""
    start = f"/v1/surveys/{survey.digest}"
    assert server.ask("POST", f"{start}/close", token=token).status == 200
    until(lambda: server.ask("GET", f"{start}/periods", token=token).json[0]["state"] == "released", 0.1)


def put(server: Server, token: str, survey: dn.Survey) -> dn.Survey:
    """Serve a survey."""
    assert server.ask("PUT", "/v1/surveys", survey.document, token).status == 201
    return survey
