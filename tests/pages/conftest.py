"""One collector for all tests of pages in a file, which put surveys of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.collector.conftest import OpenStore
from tests.collector.conftest import author as author
from tests.collector.conftest import database as database  # fixtures of storage, which tests of visitors use too
from tests.collector.conftest import open_store as open_store
from tests.collector.conftest import postgres as postgres
from tests.collector.servers import Server, started, stopped
from tests.collector.worlds import Clock, Service
from tests.pages.readers import Reader


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector on any free port."""
    found = started(tmp_path_factory.mktemp("pages") / "data", "--rate", "0")
    yield found
    assert stopped(found) == 0


@pytest.fixture
def operator(server: Server) -> Reader:
    """Whoever runs the server, signed in."""
    return Reader(server.url).enter(server.operator)


@pytest.fixture
def service(open_store: OpenStore) -> Iterator[Service]:
    """A collector in this process, on either storage."""
    clock = Clock()
    with Service(clock, lambda: open_store(clock)) as found:
        yield found
