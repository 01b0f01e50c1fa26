"""What watches a collector: whether its storage answers, and when the last backup was written."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path

import pytest
from tests.collector.asgi import fetched
from tests.waiting import PATIENCE

from deniable.collector.http import admin_routes
from deniable.collector.http.app import App
from deniable.intake.access import OPERATOR
from deniable.intake.storage.rows import Token
from deniable.intake.storage.sqlite import SqliteStore


def an_app(data: Path, backups: Path | None = None) -> App:
    """A collector that nobody has started."""
    return App(lambda: SqliteStore(data), Token(OPERATOR, b"", "admin", (), OPERATOR), 0, backups)


def test_a_storage_that_does_not_answer_in_time_is_not_called_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often it is asked meanwhile, it is looked at once."""
    app, looks, answers = an_app(tmp_path), list[int](), threading.Event()

    def look() -> None:
        looks.append(1)
        assert answers.wait(PATIENCE)

    async def asked() -> list[int]:
        monkeypatch.setattr(admin_routes, "DEADLINE", 0.05)
        late = [await fetched(app, "/ready") for _ in range(3)]
        monkeypatch.setattr(admin_routes, "DEADLINE", PATIENCE)
        answers.set()
        return [status for status, _ in (*late, await fetched(app, "/ready"))]

    monkeypatch.setattr(app.keeper, "look_at_the_clock", look)
    app.beside.start()
    assert asyncio.run(asked()) == [503, 503, 503, 200]
    app.beside.stop()
    assert len(looks) == 1


def test_a_backup_that_was_written_before_the_start_is_known(tmp_path: Path) -> None:
    """Else whoever is warned of old backups would be warned after every restart."""
    backups = tmp_path / "backups"

    def told() -> str:
        lines = an_app(tmp_path, backups).collector.metrics.text().splitlines()
        return next(line for line in lines if line.startswith("deniable_backup_timestamp_seconds "))

    assert told().endswith(" 0.0")
    backups.mkdir()
    for name, moment in (("sunday.sqlite", 4000), ("monday.sqlite", 5000), (".tuesday.part", 6000)):
        (backups / name).touch()
        os.utime(backups / name, (moment, moment))
    assert told().endswith(" 5000.0")
