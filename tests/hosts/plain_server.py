"""A server as somebody with a form of their own would write it: files by their paths, and a table of what was sent."""

from __future__ import annotations

import csv
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl

KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8"}


class PlainServer:
    """The rows of its table, in the order in which they came: those that are final, and those that were saved."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)
        self.sent: list[dict[str, str]] = []
        self.saved: list[dict[str, str]] = []
        self.url = ""

    def export(self, path: Path) -> None:
        """The table as CSV."""
        with path.open("w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, list(self.sent[0]))
            table.writeheader()
            table.writerows(self.sent)

    @contextmanager
    def running(self) -> Iterator[PlainServer]:
        """Serve on a port of its own."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()


def handler_of(server: PlainServer) -> type[BaseHTTPRequestHandler]:
    """The handler of requests."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply(server.files.get(self.path.strip("/") or "index.html"))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            is_json = "json" in (self.headers["Content-Type"] or "")
            row = json.loads(body) if is_json else dict(parse_qsl(body, keep_blank_values=True))
            (server.saved if self.path == "/save" else server.sent).append(row)
            self._reply(server.files["index.html"] if self.path == "/save" else b"<!doctype html><title>Done</title>")

        def _reply(self, body: bytes | None) -> None:
            kind = KINDS.get(Path(self.path).suffix, KINDS[".html"])
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
