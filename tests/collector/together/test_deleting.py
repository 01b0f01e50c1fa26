"""Deleting a survey for good, in both storages: all of it goes or nothing, and it is never served again."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.collector.conftest import OpenStore
from tests.collector.faults.failpoints import Failing, Plan
from tests.collector.worlds import DAY, Clock, Service, World, a_survey, body_of, chunked

import deniable as dn
from deniable.collector.desk import GONE, OTHER_TITLE, STILL_ASKS, TAKEN
from deniable.intake.refusals import DELETED, Refusal, Refused
from deniable.intake.storage.deleted_surveys import delete_survey, gone_survey
from deniable.intake.storage.sqlite import SqliteStore
from deniable.intake.storage.transaction import Transaction

SURVEY = a_survey("breaks", title="Breaks in autumn", minimum=1, grace=0)
TABLES = ("survey", "batch", "chunk", "sums", "release", "spent", "invitation", "outcome", "share")


@pytest.fixture
def service(open_store: OpenStore) -> Iterator[Service]:
    """A collector with a clock of its own."""
    clock = Clock()
    with Service(clock, lambda: open_store(clock)) as found:
        yield found


def rows_of(t: Transaction) -> dict[str, int]:
    """How many rows each table has that may tell of a survey."""
    return {table: int(t.run(f"SELECT COUNT(*) FROM {table}")[0][0]) for table in TABLES}


def over(service: Service, survey: dn.Survey, *answers: int) -> None:
    """A survey that was answered, and closed."""
    service.desk.put(survey, "ann")
    assert service.send(survey, *[body_of([answer]) for answer in answers]) == [1] * len(answers)
    service.desk.end(service.collector.survey(survey.digest), "ann")
    service.pass_time(DAY)


def refusal_of(service: Service, survey: dn.Survey, title: str = "") -> Refusal:
    """Why it is not deleted."""
    with pytest.raises(Refused) as refused:
        service.desk.delete(service.collector.survey(survey.digest), title or survey.title or survey.name, "ann")
    return refused.value.refusal


def test_a_survey_that_is_over_goes_with_all_that_it_has_and_is_never_served_again(service: Service) -> None:
    other = a_survey("kept", minimum=1, grace=0)
    over(service, other, 1, 2)
    before = service.collector.run(rows_of)
    over(service, SURVEY, 1, 2, 3)
    row = service.collector.survey(SURVEY.digest)
    assert refusal_of(service, SURVEY, "Breaks in spring") is OTHER_TITLE
    document = service.collector.form(row)
    service.desk.delete(row, " Breaks in autumn ", "ann")
    assert service.collector.run(rows_of) == before
    assert service.collector.form(row) is not document, "nor is it kept in memory"
    assert service.desk.recount(service.collector.survey(other.digest), "once").same
    gone = service.collector.run(lambda t: gone_survey(t, SURVEY.digest))
    assert gone is not None
    assert (gone.name, gone.owner, gone.day, gone.ended) == ("breaks", "ann", row.day, row.ended)
    assert gone.deleted == service.collector.day()
    for owner, survey, why in (
        ("ann", SURVEY, GONE), ("ben", SURVEY, GONE), ("ben", a_survey("breaks", grace=1), TAKEN),
    ):  # fmt: skip
        with pytest.raises(Refused) as refused:
            service.desk.put(survey, owner)
        assert refused.value.refusal is why
    assert service.desk.put(a_survey("breaks", grace=1), "ann")
    service.keeper.keep()
    service.keeper.discard()


def test_an_upload_that_was_under_way_is_told_that_it_is_too_late(service: Service) -> None:
    over(service, SURVEY, 1)
    row = service.collector.survey(SURVEY.digest)
    service.desk.delete(row, SURVEY.title, "ann")
    service.collector.offer(row, "once", body_of([1]), None, 99)
    service.collector.run(lambda t: None)
    assert dict(service.told)[99] == DELETED


def test_only_what_nobody_can_answer_any_more_or_nobody_ever_did_is_deleted(service: Service) -> None:
    service.desk.put(SURVEY, "ann")
    service.desk.delete(service.collector.survey(SURVEY.digest), SURVEY.title, "ann")
    weekly = a_survey("weekly", period="day", repeat="once", minimum=1, grace=3600)
    service.desk.put(weekly, "ann")
    service.send(weekly, body_of([1]), period="2026-08-03")
    assert refusal_of(service, weekly).detail == f"{STILL_ASKS.detail} until it is closed"
    service.pass_time(2 * DAY)
    assert refusal_of(service, weekly).detail.endswith("until it is closed"), (
        "one day of it is over, and others are not"
    )
    service.desk.end(service.collector.survey(weekly.digest), "ann")
    assert refusal_of(service, weekly).detail.startswith(f"{STILL_ASKS.detail} until 2026-"), "for late answers"
    service.pass_time(DAY)
    service.desk.delete(service.collector.survey(weekly.digest), "weekly", "ann")


def test_what_was_put_away_can_be_brought_back(service: Service) -> None:
    service.desk.put(SURVEY, "ann")
    row = service.collector.survey(SURVEY.digest)
    for away in (True, False):
        service.desk.put_away(row, away, "ann")
        assert service.collector.survey(SURVEY.digest).away is away


def test_a_collector_that_is_killed_while_it_deletes_leaves_all_or_nothing(tmp_path: Path) -> None:
    """At every statement, and just after it."""
    clock, statements = Clock(), 40
    for at in range(statements):
        folder = tmp_path / f"{at}"
        world = World(SqliteStore(folder, clock), clock)
        world.put(SURVEY)
        world.send(SURVEY, body_of([1]), body_of([2]))
        before = world.run(rows_of)
        world.store.close()
        plan = Plan("kill after" if at % 2 else "kill", at)
        done = _deleting(folder, clock, plan)
        world = World(SqliteStore(folder, clock), clock)
        if world.run(lambda t: gone_survey(t, SURVEY.digest)):
            assert set(world.run(rows_of).values()) == {0}
            assert not world.run(lambda t: t.run("SELECT 1 FROM sqlite_schema WHERE name LIKE 'seen%'"))
        else:
            assert world.run(rows_of) == before
            assert world.kept(SURVEY) == 2
        world.store.close()
        if done:
            return
    raise AssertionError("it takes more statements than are tried")


def _deleting(folder: Path, clock: Clock, plan: Plan) -> bool:
    """Delete in a process of its own; whether it came to the end."""
    child = os.fork()
    if not child:
        connections: list[Failing] = []

        def connect(path: str) -> sqlite3.Connection:
            connection = sqlite3.connect(path, timeout=0, isolation_level=None, factory=Failing)
            connection.plan = Plan("", -1)
            connections.append(connection)
            return connection

        world = World(SqliteStore(folder, clock, connect), clock)
        row = world.row(SURVEY)
        for connection in connections:
            connection.plan = plan
        world.run(lambda t: delete_survey(t, row, "2026-08-03"))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.usefixtures("open_store")
def test_a_statement_that_fails_while_it_deletes_leaves_all(open_store: OpenStore) -> None:
    clock = Clock()
    world = World(open_store(clock), clock)
    world.put(SURVEY)
    world.send(SURVEY, body_of([1]))
    before, row = world.run(rows_of), world.row(SURVEY)

    def failing(t: Transaction) -> None:
        delete_survey(t, row, "2026-08-03")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        world.run(failing)
    assert world.run(rows_of) == before
    assert world.run(chunked(SURVEY)) == 1
    world.store.close()
