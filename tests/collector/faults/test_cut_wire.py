"""The wire to PostgreSQL is cut at every message, the commit's too: uploads that are sent again are counted once."""

from __future__ import annotations

import itertools
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from tests.collector.faults.proxy import Wire
from tests.collector.servers import started
from tests.collector.worlds import Clock, World, a_survey, an_id, body_of, kinds
from tests.waiting import PATIENCE, until

from deniable.collector.closing import recount
from deniable.collector.folding import fold
from deniable.intake.http.server import GRACE
from deniable.intake.storage.postgres import PostgresStore
from deniable.intake.storage.store import UncertainError

SURVEY = a_survey(minimum=1)


@pytest.fixture
def wire(database: str) -> Iterator[Wire]:
    """A wire to the database."""
    with tempfile.TemporaryDirectory(prefix="wire-") as folder:
        found = Wire(Path(folder), database)
        yield found
        found.close()


@pytest.fixture
def world(wire: Wire) -> Iterator[World]:
    """A storage at the other end of the wire."""
    found = World(PostgresStore(wire.address, Clock()), Clock())
    found.put(SURVEY)
    assert kinds(found.send(SURVEY, body_of([3]))) == [1]
    yield found
    found.store.close()


def patiently(world: World, *bodies: bytes) -> int:
    """Send until all is acknowledged; how often nobody knew what had become of it."""
    unknown = 0
    while True:
        try:
            assert kinds(world.send(SURVEY, *bodies)) == [1] * len(bodies)
        except UncertainError:
            unknown += 1
        else:
            return unknown


@pytest.mark.parametrize("replied", [False, True])
def test_uploads_are_counted_once_wherever_the_wire_is_cut(wire: Wire, world: World, replied: bool) -> None:
    wire.replied, sent = replied, 1
    begun = len(wire.messages)
    assert patiently(world, body_of([1]), body_of([2])) == 0
    messages = wire.messages[begun:]
    assert any(b"COMMIT\0" in message for message in messages)
    for place in range(len(messages)):
        wire.cut = len(wire.messages) + place
        assert patiently(world, body_of([1]), body_of([2])) == 1
        sent = 3 + 2 * (place + 1)
        assert world.kept(SURVEY) == sent
    assert sent > 10


def test_a_commit_whose_reply_is_lost_is_acknowledged_when_it_comes_again(wire: Wire, world: World) -> None:
    body, begun = body_of([1], an_id()), len(wire.messages)
    assert patiently(world, body_of([1])) == 0
    [place] = [place for place, message in enumerate(wire.messages[begun:]) if b"COMMIT\0" in message]
    wire.cut, wire.replied = len(wire.messages) + place, True
    with pytest.raises(UncertainError):
        world.send(SURVEY, body)
    assert world.kept(SURVEY) == 3
    assert kinds(world.send(SURVEY, body, body[:-1] + b"\2")) == [1, "other-bytes"]
    assert world.kept(SURVEY) == 3


def repeated(do: Callable[[], None]) -> bool:
    """Do something, again if the wire is cut meanwhile; whether it was."""
    try:
        do()
    except UncertainError:
        do()
        return True
    return False


@pytest.mark.parametrize("replied", [False, True])
def test_a_fold_that_is_cut_off_counts_each_chunk_once(wire: Wire, world: World, replied: bool) -> None:
    form, [batch] = world.form(world.row(SURVEY)), world.run(lambda t: t.batches(SURVEY.digest))

    def fold_all() -> None:
        while fold(world.run, form, batch):
            pass

    wire.replied = replied
    for place in itertools.count():
        assert patiently(world, body_of([place % 4])) == 0
        wire.cut = len(wire.messages) + place
        was_cut = repeated(fold_all)
        wire.cut = -1
        assert recount(world.run, form, batch) == (place + 2, True, True)
        if not was_cut:
            break
    assert place > 10


def test_a_wire_that_falls_silent_is_hung_up_on_and_nothing_is_lost(wire: Wire, database: str) -> None:
    """The driver would wait without an end: nobody closes the connection, and what was sent was received."""
    whole, found = (
        World(PostgresStore(address, Clock(), patience=patience), Clock())
        for address, patience in ((database, PATIENCE), (wire.address, 0.5))
    )
    whole.put(SURVEY)
    patiently(found, body_of([3]))  # which begins the period
    begun = len(wire.messages)
    patiently(found, body_of([1]))
    each, sent = len(wire.messages) - begun, 2
    for place in range(0, each, 2):
        wire.cut, wire.silent = len(wire.messages) + place, True
        assert patiently(found, body_of([2])) >= 1
        sent += 1
    assert whole.kept(SURVEY) == sent
    for world in (whole, found):
        world.store.close()


def test_a_collector_whose_database_is_silent_for_good_ends_in_time_when_it_is_told_to(
    wire: Wire, tmp_path: Path
) -> None:
    server = started(tmp_path / "data", "--database", wire.address, program="tests.collector.faults.impatient")
    body = body_of([1])  # a slow machine answers later than it has patience for, and says so
    until(lambda: server.ask("PUT", "/v1/surveys", SURVEY.document, server.operator).status in (200, 201))
    until(lambda: server.send(SURVEY, body).status == 200)
    wire.for_good = wire.silent = True
    refused = threading.Thread(target=lambda: server.send(SURVEY, body_of([2])))
    refused.start()  # an upload is under way, and waits for the database
    time.sleep(0.5)
    began = time.monotonic()
    server.process.terminate()
    server.process.wait(PATIENCE)
    assert time.monotonic() - began < GRACE
    refused.join()


def test_a_database_that_cannot_be_reached_is_not_tried_without_a_pause(database: str) -> None:
    store = PostgresStore(database, Clock())
    tries = []

    def refused(*_: object, **__: object) -> None:
        tries.append(time.monotonic())
        raise psycopg.OperationalError

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(psycopg, "connect", refused)
        store._connection.close()
        while len(tries) < 5:
            with pytest.raises(UncertainError), store.transaction():
                pass
    pauses = [after - before for before, after in itertools.pairwise(tries)]
    assert all(pause >= least - 0.01 for pause, least in zip(pauses, (0.1, 0.2, 0.4, 0.8), strict=True)), pauses

    def is_reached() -> bool:
        with suppress(UncertainError), store.transaction() as t:
            return t.run("SELECT 1") == [(1,)]
        return False

    until(is_reached)  # after the pause that follows the fifth
    store.close()
