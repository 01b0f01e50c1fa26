"""A database that is not there yet is waited for, and one behind a pooler that lends sessions is refused."""

from __future__ import annotations

import signal
import tempfile
from pathlib import Path

import pytest
from tests.collector.commands import command
from tests.collector.faults.cluster import Cluster
from tests.collector.faults.pooler import Pooler
from tests.collector.faults.serving import Serving
from tests.collector.servers import url_of
from tests.waiting import until

from deniable.intake.storage.postgres import PostgresStore
from deniable.protocol.errors import StoreError


def test_a_collector_waits_for_a_database_that_starts_later(cluster: Cluster, tmp_path: Path) -> None:
    """It ended, and only its service manager could mend that."""
    cluster.stop()
    serving = Serving(tmp_path, ["--database", cluster.address])
    for told in (signal.SIGTERM, None):
        serving.log.touch()
        serving.process = serving._begun(tmp_path / "ready.json")
        until(lambda: "the storage is tried again in 0.5 s: the database must be one that answers" in serving.errors())
        if told:
            assert serving.stop() == 0
            serving.log.unlink()
    failed = command("collector", "status", "--data", str(tmp_path / "data"), "--database", cluster.address)
    assert failed.returncode == 2
    cluster.start()
    assert serving.process is not None
    url_of(serving.process, tmp_path / "ready.json", serving.log)
    assert serving.stop() == 0


def test_a_pooler_that_lends_sessions_for_a_transaction_is_refused(database: str) -> None:
    with tempfile.TemporaryDirectory(prefix="pg-") as folder:
        pooler = Pooler(Path(folder), database)
        try:
            with pytest.raises(StoreError, match="got a pooler that lends one for a transaction, such as pgbouncer"):
                PostgresStore(pooler.address)
        finally:
            pooler.close()
    PostgresStore(database).close()
