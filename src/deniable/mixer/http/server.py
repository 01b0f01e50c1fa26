"""``deniable mixer serve``: a mixer, and how commands find it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deniable.intake.http import server
from deniable.intake.http.operator import Operator, found_on, served
from deniable.intake.http.server import Server, Settings
from deniable.intake.storage.rows import Token
from deniable.intake.storage.sqlite import FILE
from deniable.intake.storage.store import Store
from deniable.mixer.http.app import App
from deniable.protocol.errors import ParameterError


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


@contextmanager
def connected(data: Path, new: bool = False) -> Iterator[Operator]:
    """The mixer that runs on a folder; where none does, one that runs until the block ends."""
    found = found_on(data)
    if isinstance(found, Operator):
        yield found
        return
    if not (data / FILE).exists() and not new:
        raise ParameterError(
            f"data must be a mixer's folder, got {data}, which is none; deniable mixer serve --data {data} begins one"
        )
    with served(data, make_server(Settings(data), lambda line: None), found) as operator:
        yield operator
