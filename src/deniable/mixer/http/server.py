"""``deniable mixer serve``: a mixer, with or without its page, and how commands find it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from starlette.routing import BaseRoute

from deniable.intake.http import server
from deniable.intake.http.operator import Operator, connected_to
from deniable.intake.http.server import Server, Settings, Site
from deniable.intake.storage.rows import Token
from deniable.intake.storage.store import Store
from deniable.mixer.http.app import App
from deniable.mixer.http.context import Context


class Face(server.Face, Protocol):
    """What its operator's browser sees of a mixer."""

    def routes(self, context: Context) -> Sequence[BaseRoute]:
        """The routes of its pages."""


def serve(settings: Settings, say: Callable[[str], None], face: Face | None = None) -> int:
    """Serve until told to stop; the exit status."""
    return server.serve(make_server(settings, say, face), settings)


def make_server(settings: Settings, say: Callable[[str], None], face: Face | None = None) -> Server:
    """A mixer's server."""

    def making(store: Callable[[], Store], operator: Token) -> App:
        return App(store, operator, settings.rate, face.routes if face else None, settings.root_path)

    return server.make_server(settings, say, making, Site(face, "mixing"))


def connected(data: Path, new: bool = False) -> AbstractContextManager[Operator]:
    """The mixer that runs on a folder, which may be ``new``; where none does, one that runs until the block ends."""
    return connected_to(
        data, lambda: make_server(Settings(data), lambda line: None), "mixer",
        None if new else "deniable mixer serve",
    )  # fmt: skip
