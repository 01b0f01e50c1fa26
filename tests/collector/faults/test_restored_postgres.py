"""PostgreSQL: a dump that is read in, and another server that takes over, are noticed by collectors old and new."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import psycopg
from tests.collector.faults.cluster import Cluster
from tests.collector.worlds import Clock, World, a_survey, body_of, kinds
from tests.waiting import PATIENCE, until

from deniable.intake.storage.postgres import PostgresStore
from deniable.protocol.errors import StoreError

SURVEY = a_survey()


def answered(address: str) -> World:
    """A collector's storage with an answer."""
    world = World(PostgresStore(address, Clock()), Clock())
    world.put(SURVEY)
    assert kinds(world.send(SURVEY, body_of([1]))) == [1]
    return world


def has_gaps(world: World) -> bool:
    """Whether the period says that answers may be missing."""
    return world.run(lambda t: t.batch(SURVEY.digest, "once")).gaps


def test_a_dump_that_is_read_in_beside_is_noticed_and_only_once(cluster: Cluster, tmp_path: Path) -> None:
    world = answered(cluster.address)
    assert not has_gaps(world)
    world.store.close()
    with psycopg.connect(cluster.address, autocommit=True) as connection:
        connection.execute("CREATE DATABASE restored")
    address = cluster.address.replace("/postgres?", "/restored?")
    with (tmp_path / "dump").open("w+b") as dump:
        assert cluster.tool("pg_dump", cluster.address, stdout=dump).wait(PATIENCE) == 0
        dump.seek(0)
        with (tmp_path / "log").open("wb") as log:
            assert (
                cluster.tool("psql", "-q", "-v", "ON_ERROR_STOP=1", address, stdin=dump, stdout=log).wait(PATIENCE) == 0
            )
    for again, gaps in ((cluster.address, False), (address, True)):
        world = World(PostgresStore(again, Clock()), Clock())
        assert has_gaps(world) is gaps
        world.store.close()


def test_a_collector_notices_that_another_server_took_over(cluster: Cluster) -> None:
    world = answered(cluster.address)
    for promoted in (False, True):
        cluster.stop()
        if promoted:
            restored(cluster.folder)
        cluster.start()
        assert patiently(world) is promoted
    world.store.close()


def patiently(world: World) -> bool:
    """Whether answers may be missing, asked until there is an answer.

    The connection was lost; and a server that is not at the end of its recovery can be read, and takes nothing.
    """

    def told() -> list[bool]:
        with suppress(StoreError):
            return [has_gaps(world)]
        return []

    return until(told)[0]


def restored(folder: Path) -> None:
    """Let the next start be the end of a recovery from an archive, after which a new timeline begins."""
    (folder / "recovery.signal").touch()
    with (folder / "postgresql.auto.conf").open("a") as options:
        options.write("restore_command = 'false'\n")
