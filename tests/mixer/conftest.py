"""A mixer on a SQLite file, and a collector beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.collector.worlds import Clock
from tests.mixer.worlds import Collected, Mixing, collecting

from deniable.intake.storage.sqlite import SqliteStore


@pytest.fixture
def collected() -> Iterator[Collected]:
    """A collector that takes parcels."""
    with collecting() as found:
        yield found


@pytest.fixture
def mixing(tmp_path: Path) -> Iterator[Mixing]:
    """A mixer in this process."""
    clock = Clock()
    with Mixing(clock, lambda: SqliteStore(tmp_path / "data", clock)) as found:
        yield found
