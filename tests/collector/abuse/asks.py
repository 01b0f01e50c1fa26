"""Requests to every route of a collector and its pages."""

from __future__ import annotations

import http.client
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.collector.servers import Server
from tests.waiting import PATIENCE

from deniable.collector.http.app import App
from deniable.intake.access import OPERATOR
from deniable.intake.storage.rows import Token
from deniable.intake.storage.sqlite import SqliteStore
from deniable.pages.face import Pages


class Ask(NamedTuple):
    """A request."""

    method: str
    path: str
    body: bytes = b""
    headers: Mapping[str, str] = {}


def all_routes() -> list[tuple[str, str]]:
    """The methods and paths of all routes."""
    app = App(lambda: SqliteStore(Path()), Token(OPERATOR, b"", "admin", (), OPERATOR), 0, None, Pages().routes)
    routes: list[Any] = app.routes
    return sorted({(method, route.path) for route in routes for method in route.methods - {"HEAD"}})


def send(server: Server, ask: Ask) -> int:
    """Ask once, and read all of the reply; its status."""
    where = urlsplit(server.url)
    with closing(http.client.HTTPConnection(str(where.hostname), where.port, timeout=PATIENCE)) as connection:
        connection.request(ask.method, ask.path, ask.body or None, dict(ask.headers))
        reply = connection.getresponse()
        reply.read()
    return reply.status
