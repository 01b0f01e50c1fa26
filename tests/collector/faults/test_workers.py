"""Several processes on one PostgreSQL: the same ids at once, closing beside uploads, folding beside counting again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TypeVar

import psycopg
import pytest
from tests.collector.worlds import DAY, Clock, World, a_survey, body_of, kinds, release_of, sums_of
from tests.lengths import by_length
from tests.waiting import PATIENCE, until

import deniable as dn
from deniable.collector.closing import close, recount
from deniable.collector.folding import fold
from deniable.intake.storage.postgres import PostgresStore
from deniable.intake.storage.rows import CLOSING, Batch, SurveyRow
from deniable.intake.storage.transaction import Transaction
from deniable.protocol.errors import StoreError
from deniable.surveys.tally import SurveyTally

SURVEY = a_survey(minimum=1)
Result = TypeVar("Result")


@pytest.fixture
def worlds(database: str) -> Iterator[list[World]]:
    """Two processes' storages, one database."""
    found = [World(PostgresStore(database, clock), clock) for clock in (Clock(), Clock())]
    found[0].put(SURVEY)
    yield found
    for world in found:
        world.store.close()


def batch_of(world: World, survey: dn.Survey = SURVEY, period: str = "once") -> Batch:
    """A period."""
    return world.run(lambda t: t.batch(survey.digest, period))


def waits(database: str) -> bool:
    """Whether somebody waits for a lock."""
    with psycopg.connect(database) as connection:
        [(n,)] = connection.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchall()
    return bool(n)


@contextmanager
def held(world: World, database: str, do: Callable[[], Result]) -> Iterator[tuple[Transaction, Future[Result]]]:
    """A transaction that has the survey for itself, and something that another process does, which waits for it."""
    with ThreadPoolExecutor(1) as pool, world.store.transaction() as t:
        t.lock([SURVEY.digest], alone=True)
        done = pool.submit(do)
        until(lambda: waits(database), 0.01)
        yield t, done


@pytest.mark.parametrize("level", ["read committed", "repeatable read", "serializable"])
def test_who_waited_for_a_closing_sees_it_however_the_database_isolates(database: str, level: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_isolation TO '{level}'".encode())
    one, other = [World(PostgresStore(database, Clock()), Clock()) for _ in range(2)]
    one.put(SURVEY)
    number = batch_of(one).number
    with held(one, database, lambda: other.send(SURVEY, body_of([1]))) as (t, done):
        t.set_state(number, CLOSING)
    assert kinds(done.result(PATIENCE)) == ["closed"]
    assert one.kept(SURVEY) == 0
    for world in (one, other):
        world.store.close()


def test_the_clock_can_be_asked_while_the_connection_waits(database: str) -> None:
    one, other = [World(PostgresStore(database), Clock()) for _ in range(2)]
    one.put(SURVEY)
    with held(one, database, lambda: other.row(SURVEY)), ThreadPoolExecutor(1) as pool:
        assert abs(pool.submit(other.store.now).result(PATIENCE) - time.time()) < 60
    for world in (one, other):
        world.store.close()


@pytest.mark.soak
def test_the_same_ids_in_opposite_order_are_counted_once(worlds: list[World]) -> None:
    rounds, n = by_length(10, 300), 200

    def send(world: World, bodies: list[bytes]) -> list[str | int]:
        groups = [bodies[start : start + 40] for start in range(0, n, 40)]
        return [kind for group in groups for kind in kinds(world.send(SURVEY, *group))]

    with ThreadPoolExecutor(2) as pool:
        for _ in range(rounds):
            bodies = [body_of([1]) for _ in range(n)]
            told = list(pool.map(send, worlds, (bodies, bodies[::-1])))
            assert told == [[1] * n] * 2
    assert worlds[0].kept(SURVEY) == rounds * n


@pytest.mark.soak
def test_whatever_was_acknowledged_beside_a_closing_is_in_its_result(worlds: list[World]) -> None:
    draw = random.Random(1)
    with ThreadPoolExecutor(2) as pool:
        for number in range(by_length(10, 200)):
            survey = a_survey(f"closing-{number}", minimum=1)
            row = worlds[0].put(survey)
            batch = batch_of(worlds[0], survey)
            taken = pool.submit(until_closed, worlds[1], survey)
            time.sleep(draw.uniform(0, 0.05))
            close(worlds[0].run, worlds[0].form(row), row, batch)
            release = release_of(worlds[0], batch)
            n = taken.result(PATIENCE)
            assert (0 if release is None else release.n) == n == worlds[0].kept(survey)
            assert recount(worlds[0].run, worlds[0].form(row), batch) == (n, True, True)


def until_closed(world: World, survey: dn.Survey) -> int:
    """Send until the period is closed; how many answers were acknowledged."""
    n = 0
    while True:
        told = kinds(world.send(survey, *[body_of([k % 4]) for k in range(5)]))
        if told != [1] * 5:
            assert told == ["closed"] * 5
            return n
        n += 5


@pytest.mark.soak
def test_a_recount_beside_folding_finds_the_same(worlds: list[World]) -> None:
    form, batch = worlds[0].form(worlds[0].row(SURVEY)), batch_of(worlds[0])
    n = by_length(150, 3000)

    def feed() -> None:
        for _ in range(n):
            worlds[0].send(SURVEY, body_of([1, 2]))
            fold(worlds[0].run, form, batch)

    with ThreadPoolExecutor(1) as pool:
        fed = pool.submit(feed)
        found = [recount(worlds[1].run, form, batch)]
        while not fed.done():
            found.append(recount(worlds[1].run, form, batch))
        fed.result()
    assert all(one.same for one in found), found
    assert recount(worlds[1].run, form, batch) == (2 * n, True, True)


def closed(world: World, row: SurveyRow, batch: Batch) -> None:
    """Close, or be told that somebody else is at it."""
    with suppress(StoreError):
        close(world.run, world.form(row), row, batch)


@pytest.mark.soak
def test_two_that_close_the_same_period_lose_nothing_and_join_it_once(worlds: list[World]) -> None:
    with ThreadPoolExecutor(2) as pool:
        for number in range(by_length(10, 200)):
            survey = a_survey(f"joined-{number}", period="day", repeat="once", grace=0, minimum=5)
            row = worlds[0].put(survey)
            worlds[0].send(survey, body_of([1]), body_of([2]), period="2026-08-03")
            batch = batch_of(worlds[0], survey, "2026-08-03")
            list(pool.map(closed, worlds, [row] * 2, [batch] * 2))
            closed(worlds[0], row, batch)
            after = batch_of(worlds[0], survey, "2026-08-04")
            assert batch_of(worlds[0], survey, "2026-08-03").state == "joined"
            assert (worlds[0].kept(survey, "2026-08-03"), worlds[0].kept(survey, "2026-08-04")) == (0, 2)
            fold(worlds[0].run, worlds[0].form(row), after)
            sums = sums_of(worlds[0], after)
            assert sums is not None
            assert SurveyTally.from_bytes(sums.tally) == survey.tally([b"\1", b"\2"])


def test_the_period_after_is_not_joined_once_it_was_closed(worlds: list[World]) -> None:
    survey = a_survey("after", period="day", repeat="once", grace=0, minimum=5)
    row = worlds[0].put(survey)
    for world in worlds:
        world.clock.advance(DAY)
    batches = [batch_of(worlds[0], survey, period) for period in ("2026-08-03", "2026-08-04")]
    worlds[0].run(lambda t: t.set_state(batches[1].number, CLOSING))
    close(worlds[0].run, worlds[0].form(row), row, batches[0])
    assert batch_of(worlds[0], survey, "2026-08-03").state == "withheld"
