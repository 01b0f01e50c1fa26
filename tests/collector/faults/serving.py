"""A real collector in a process of its own, which tests start, kill, and start again on the same folder."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.collector.servers import loaded, url_of
from tests.collector.warm import Started, warmed
from tests.waiting import PATIENCE

import deniable as dn

BYTES = {"Content-Type": "application/octet-stream"}


@dataclass
class Serving:
    """``deniable serve`` on a folder."""

    folder: Path
    options: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    """What is added to that of the tests; the collector is then loaded anew, which takes longer."""
    program: str = "deniable"
    """The module that is run."""
    process: subprocess.Popen[bytes] | Started | None = None
    netloc: str = ""

    @property
    def data(self) -> Path:
        """The folder of all that the collector keeps."""
        return self.folder / "data"

    @property
    def log(self) -> Path:
        """All that it has printed; its path does not begin with that of the data, whose disk may fail."""
        return self.folder / "log"

    @property
    def pid(self) -> int:
        """The process."""
        assert self.process is not None
        return self.process.pid

    def start(self) -> None:
        """Start, and wait until it listens."""
        ready = self.folder / "ready.json"
        ready.unlink(missing_ok=True)
        self.process = self._begun(ready)
        self.netloc = urlsplit(url_of(self.process, ready, self.log)).netloc

    def _begun(self, ready: Path) -> subprocess.Popen[bytes] | Started:
        rate = [] if "--rate" in self.options else ["--rate", "0"]
        words = ["serve", "--data", str(self.data), *rate, "--port", "0", "--ready-file", str(ready), *self.options]
        if self.environment:
            return loaded(self.program, words, self.log, self.environment)
        return warmed().start(words, self.log, program=self.program)

    def errors(self) -> str:
        """All that it has printed."""
        return self.log.read_text()

    def kill(self) -> None:
        """End it as a power switch would."""
        os.kill(self.pid, signal.SIGKILL)
        assert self.ended() == -signal.SIGKILL

    def stop(self) -> int:
        """Stop it in good order; the exit status."""
        os.kill(self.pid, signal.SIGTERM)
        return self.ended()

    def ended(self) -> int:
        """Wait for its end; the exit status."""
        assert self.process is not None
        return self.process.wait(PATIENCE)

    def connection(self) -> http.client.HTTPConnection:
        """A connection that is kept open."""
        return http.client.HTTPConnection(self.netloc, timeout=PATIENCE)

    def fetch(self, method: str, path: str, body: bytes | None = None) -> bytes:
        """What an operator is answered."""
        secret = json.loads((self.data / "server.json").read_text())["token"]
        with closing(self.connection()) as connection:
            connection.request(method, path, body, {"Authorization": f"Bearer {secret}"})
            reply = connection.getresponse()
            written = reply.read()
        assert reply.status < 300, written
        return written

    def ask(self, method: str, path: str, body: bytes | None = None) -> Any:
        """What an operator is answered, as JSON."""
        written = self.fetch(method, path, body)
        return json.loads(written) if written else None


def path_of(survey: dn.Survey, period: str = "once") -> str:
    """Where uploads go."""
    return f"/v1/surveys/{survey.digest}/periods/{period}/answers"


def send(connection: http.client.HTTPConnection, survey: dn.Survey, body: bytes, period: str = "once") -> int:
    """Hand in an upload; the status of the reply."""
    connection.request("POST", path_of(survey, period), body, BYTES)
    reply = connection.getresponse()
    reply.read()
    return reply.status
