"""``deniable mixer serve``: a mixer, and how commands find it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from deniable.intake.http import server
from deniable.intake.http.operator import Operator, connected_to
from deniable.intake.http.server import Server, Settings
from deniable.intake.storage.rows import Token
from deniable.intake.storage.store import Store
from deniable.mixer.http.app import App


@dataclass(frozen=True)
class Mixing:
    """A mixer's site, which has no pages."""

    doing: str = "mixing"

    def start(self) -> None:
        """Nothing more."""

    def lines(self, _: str) -> list[str]:
        """Nothing more."""
        return []


def serve(settings: Settings, say: Callable[[str], None]) -> int:
    """Serve until told to stop; the exit status."""
    return server.serve(make_server(settings, say), settings)


def make_server(settings: Settings, say: Callable[[str], None]) -> Server:
    """A mixer's server."""

    def making(store: Callable[[], Store], operator: Token) -> App:
        return App(store, operator, settings.rate, settings.root_path)

    return server.make_server(settings, say, making, Mixing())


def connected(data: Path, new: bool = False) -> AbstractContextManager[Operator]:
    """The mixer that runs on a folder; where none does, one that runs until the block ends."""
    return connected_to(
        data, lambda: make_server(Settings(data), lambda line: None), "a mixer's folder",
        None if new else "deniable mixer serve",
    )  # fmt: skip
