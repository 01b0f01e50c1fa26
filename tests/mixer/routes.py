"""Every route of a mixer and of its operator's page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deniable.intake.access import OPERATOR
from deniable.intake.storage.rows import Token
from deniable.intake.storage.sqlite import SqliteStore
from deniable.mixer.http.app import App
from deniable.pages.mixing.face import MixerPages


def all_routes() -> list[tuple[str, str]]:
    """The methods and paths of all routes."""
    app = App(lambda: SqliteStore(Path()), Token(OPERATOR, b"", "admin", (), OPERATOR), 0, MixerPages().routes)
    routes: list[Any] = app.routes
    return sorted((method, route.path) for route in routes for method in route.methods - {"HEAD"})
