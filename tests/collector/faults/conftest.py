"""A real collector for each test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.collector.faults.serving import Serving


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    """A collector that has not been started, and is ended if the test does not end it."""
    found = Serving(tmp_path)
    yield found
    if found.process is not None and found.process.poll() is None:
        found.kill()
