"""``deniable serve``: a collector, with or without pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from starlette.routing import BaseRoute

from deniable.collector.http.app import App, PageRoutes
from deniable.collector.http.context import Context
from deniable.collector.http.lan import Lan
from deniable.collector.keys import KEYS
from deniable.intake.http import server
from deniable.intake.http.server import Server, Settings, Site
from deniable.intake.storage.copies import BACKUPS
from deniable.intake.storage.rows import Token
from deniable.intake.storage.store import Store


class Face(server.Face, Protocol):
    """What browsers see of a collector."""

    def routes(self, context: Context) -> Sequence[BaseRoute]:
        """The routes of its pages."""


def serve(settings: Settings, say: Callable[[str], None], face: Face | None = None) -> int:
    """Serve until told to stop; the exit status."""
    return server.serve(make_server(settings, say, face, patient=True), settings)


def make_server(
    settings: Settings, say: Callable[[str], None], face: Face | None = None, patient: bool = False
) -> Server:
    """A collector's server."""
    pages: PageRoutes = face.routes if face else lambda _: ()
    lan = None if settings.lan is None else Lan(settings.lan)

    keys = settings.keys or settings.data / KEYS

    def making(store: Callable[[], Store], operator: Token) -> App:
        return App(store, operator, settings.rate, settings.data / BACKUPS, pages, settings.root_path, lan, keys)

    return server.make_server(settings, say, making, Site(face, "collecting"), patient)
