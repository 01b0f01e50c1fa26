"""A mixer that runs in a process of its own."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.collector.servers import Server, url_of
from tests.collector.warm import warmed


def mixing(data: Path, port: int | str = 0) -> Server:
    """A mixer, started anew."""
    ready, log = data.parent / "ready.json", data.with_name("mixer.log")
    ready.unlink(missing_ok=True)
    words = ["mixer", "serve", "--data", str(data), "--port", str(port), "--ready-file", str(ready), "--rate", "0"]
    process = warmed().start(words, log)
    return Server(url_of(process, ready, log), data, process, log)


def killed(server: Server) -> None:
    """The process ends at once."""
    server.process.send_signal(signal.SIGKILL)
    server.process.wait(60)
