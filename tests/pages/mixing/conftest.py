"""A mixer in a process of its own, and a collector that takes its parcels."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.collector.servers import Server, stopped
from tests.mixer.servers import mixing
from tests.mixer.worlds import Collected, collecting
from tests.pages.mixing.operators import entered
from tests.pages.readers import Reader


@pytest.fixture(scope="module")
def collected() -> Iterator[Collected]:
    """A collector that takes parcels."""
    with collecting() as found:
        yield found


@pytest.fixture(scope="module")
def mixer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A mixer."""
    found = mixing(tmp_path_factory.mktemp("mixer") / "data")
    yield found
    assert stopped(found) == 0


@pytest.fixture
def operator(mixer: Server) -> Reader:
    """Its operator, signed in."""
    return entered(mixer)
