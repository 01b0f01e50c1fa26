"""A disk that returns other bytes than were written: what is damaged is set aside by name, and all else goes on."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest
from tests.collector.commands import command, in_a_line
from tests.collector.conftest import OpenStore
from tests.collector.faults.cluster import Cluster
from tests.collector.faults.older import SENT, SURVEY, older_postgres, older_sqlite
from tests.collector.faults.serving import Serving, send
from tests.collector.worlds import Clock, Service, a_survey, body_of
from tests.waiting import until

import deniable as dn
from deniable.intake.refusals import Refused
from deniable.intake.storage.postgres import PostgresStore
from deniable.intake.storage.sqlite import FILE, SqliteStore
from deniable.protocol.errors import StoreError
from deniable.surveys.tally import SurveyTally

SURVEYS = [a_survey(name, minimum=1, grace=0) for name in ("north", "east", "south", "west")]
FIRST, *OTHERS = SURVEYS
UPLOADS, LONG = 12, 700
OF_PERIODS = ("chunk", "sums", "release", "seen_")
"""How the names of the tables and indexes begin that hold something of single periods."""


def fill(service: Service) -> dict[str, SurveyTally]:
    """Answers to each survey, and what they add up to."""
    found = {}
    for place, survey in enumerate(SURVEYS):
        service.desk.put(survey, "ann")
        bodies = [body_of([(k + place) % 4] * LONG) for k in range(UPLOADS)]
        for body in bodies:  # each in a chunk of its own
            assert service.send(survey, body) == [LONG]
        found[survey.name] = survey.tally(
            [body[place : place + 1] for body in bodies for place in range(22, len(body))]
        )
    return found


def opened(folder: Path) -> Service:
    """A collector on a folder."""
    clock = Clock()
    return Service(clock, lambda: SqliteStore(folder, clock))


def end_all(service: Service) -> None:
    """Close all surveys, whose grace is over at once, and whatever else is to be done."""
    for row in service.desk.surveys():
        service.desk.end(row, "ann")
    for _ in range(2):  # whose the damage is may only be known after it was met
        with suppress(StoreError):
            service.keeper.keep()
    service.keeper.check()
    service.keeper.keep()  # what can be read, but not be written, was taken back for a moment


def damaged(service: Service) -> set[str]:
    """The surveys of which something is named as damaged."""
    rows = service.desk.overview()
    assert len(rows) == len(SURVEYS)
    return {row.name for row, standings in rows.items() if any(each.damaged for each in standings)}


def check_others(service: Service, expected: dict[str, SurveyTally], named: set[str]) -> None:
    """What is not named as damaged is counted to the byte."""
    for row in service.desk.surveys():
        if row.name not in named:
            assert SurveyTally.from_bytes(service.desk.tally(row, "once").tally) == expected[row.name]
            assert service.desk.recount(row, "once").same


def pages_of_periods(path: Path) -> list[int]:
    """The numbers of pages that hold something of single periods."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        try:
            pages = connection.execute("SELECT name, pageno FROM dbstat").fetchall()
        except sqlite3.OperationalError:
            pytest.skip("this SQLite does not tell whose a page is")
    return [number for name, number in pages if name.startswith(OF_PERIODS)]


def change(path: Path, at: int, n: int, draw: random.Random) -> None:
    """Change so many bytes of a file."""
    with path.open("r+b") as file:
        file.seek(at)
        before = file.read(n)
        file.seek(at)
        file.write(bytes(byte ^ draw.randrange(1, 256) for byte in before))


def test_a_damaged_page_sets_its_periods_aside_and_no_others(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as service:
        expected = fill(service)
        service.keeper.keep()
    pages, whole = pages_of_periods(tmp_path / "data" / FILE), (tmp_path / "data" / FILE).read_bytes()
    draw, every = random.Random(5), set[str]()
    for _ in range(24):
        (tmp_path / "data" / FILE).write_bytes(whole)
        at = 1024 * (draw.choice(pages) - 1) + draw.choice([0, draw.randrange(1020)])
        change(tmp_path / "data" / FILE, at, 4, draw)
        with opened(tmp_path / "data") as service:
            end_all(service)
            named = damaged(service)
            check_others(service, expected, named)
            every |= named
    assert len(every) > 1


@pytest.fixture
def service(open_store: OpenStore) -> Iterator[Service]:
    """A collector with answers that nothing was made of yet."""
    clock = Clock()
    with Service(clock, lambda: open_store(clock)) as found:
        yield found


def altered(service: Service, statement: str, survey: dn.Survey = FIRST) -> None:
    """Change what is stored of a survey's only period, which nobody noticed before."""
    number = service.desk.batch(service.collector.survey(survey.digest), "once").number
    service.collector.run(lambda t: t.run(statement, number))


@pytest.mark.parametrize("closed", [False, True])
def test_answers_that_were_changed_are_never_counted(service: Service, closed: bool) -> None:
    expected = fill(service)
    if closed:
        end_all(service)
    key = "(SELECT min(key) FROM chunk WHERE batch = ?)"
    [(body,)] = service.collector.run(lambda t: t.run(f"SELECT body FROM chunk WHERE key = {key}", 1))
    other = bytes([*body[:-1], body[-1] ^ 1])
    service.collector.run(lambda t: t.run(f"UPDATE chunk SET body = ? WHERE key = {key}", other, 1))
    end_all(service)
    [named] = damaged(service)
    check_others(service, expected, {named})
    row = next(row for row in service.desk.surveys() if row.name == named)
    if closed:  # its result was written before, and is what it was
        assert SurveyTally.from_bytes(service.desk.tally(row, "once").tally) == expected[named]
    with pytest.raises(Refused, match="a period must be as it was written, got one that is damaged"):
        service.desk.recount(row, "once")
    service.collector.run(lambda t: t.run(f"UPDATE chunk SET body = ? WHERE key = {key}", bytes(body), 1))
    assert [period["name"] for period in service.desk.check()["periods"]] == []
    service.keeper.keep()
    check_others(service, expected, set())


@pytest.mark.parametrize("table", ["sums", "release"])
def test_a_result_that_was_changed_is_not_shown(service: Service, table: str) -> None:
    expected = fill(service)
    if table == "release":
        end_all(service)
    else:
        service.keeper.keep()
        service.clock.advance(61)
        service.keeper.keep()
    altered(service, f"UPDATE {table} SET n = n + 1 WHERE batch = ?")
    row = service.collector.survey(FIRST.digest)
    with pytest.raises(StoreError):
        service.desk.result(row, "once")
    service.keeper.keep()
    assert service.desk.result(row, "once").visible is None
    with pytest.raises(Refused, match="got one that is damaged"):
        service.desk.tally(row, "once")
    assert damaged(service) == {FIRST.name}
    assert service.send(FIRST, body_of([1])) == ["busy" if table == "sums" else "closed"]
    end_all(service)
    check_others(service, expected, {FIRST.name})
    status = {survey["name"]: survey["periods"][0] for survey in service.desk.status()}
    assert (status[FIRST.name]["phase"], status[FIRST.name]["damaged"]) == ("damaged", "result")
    assert "deniable_damaged_periods 1.0" in service.collector.metrics.text()


def test_answers_of_a_joined_day_keep_their_checksums(service: Service) -> None:
    daily = a_survey("daily", period="day", repeat="once", grace=0, minimum=3)
    service.desk.put(daily, "ann")
    for day in ("2026-08-03", "2026-08-04"):
        assert service.send(daily, body_of([1, 2]), period=day) == [2]
        service.pass_time(86400)
    assert service.desk.check() == {"periods": [], "beside": []}
    [joined, released] = service.desk.standings(service.collector.survey(daily.digest))
    assert (joined.state, released.state, released.answers) == ("joined", "released", 4)


def test_a_running_collector_reads_everything_once_a_week(service: Service) -> None:
    fill(service)
    service.keeper.check_in_time()
    altered(service, "UPDATE chunk SET n = n + 1 WHERE batch = ?")
    service.clock.advance(6 * 86400)
    service.keeper.check_in_time()
    assert damaged(service) == set()
    service.clock.advance(86400)
    service.keeper.check_in_time()
    assert damaged(service) == {FIRST.name}


@pytest.fixture(params=["sqlite", "postgres"])
def before(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[OpenStore, Callable[[str], None]]:
    """A storage of the schema before, and a way to change it."""
    if request.param == "sqlite":
        store = older_sqlite(tmp_path / "data", 5)

        def change_file(statement: str) -> None:
            with closing(sqlite3.connect(tmp_path / "data" / FILE, isolation_level=None)) as connection:
                connection.execute(statement)

        return store, change_file
    database = request.getfixturevalue("database")
    store = older_postgres(database, 5)

    def change_database(statement: str) -> None:
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(statement.encode())

    return store, change_database


Before = tuple[OpenStore, Callable[[str], None]]


@pytest.mark.parametrize("sound", [True, False])
def test_what_an_earlier_release_wrote_gets_checksums_after_it_was_counted(before: Before, sound: bool) -> None:
    open_it, change_it = before
    clock = Clock()
    if not sound:  # all is folded, but the sums do not say so
        change_it("UPDATE chunk SET folded = 1")
    with Service(clock, lambda: open_it(clock)) as service:
        [standing] = service.desk.standings(service.collector.survey(SURVEY.digest))
        assert standing.damaged == ("" if sound else "answers")
        if sound:
            assert service.send(SURVEY, *SENT) == [1] * len(SENT)
            assert service.desk.check() == {"periods": [], "beside": []}
            change_it_within(service)
    with Service(clock, lambda: open_it(clock)) as service:  # a second start gives none to what has lost its own
        assert [each["name"] for each in service.desk.check()["periods"]] == [SURVEY.name]


def change_it_within(service: Service) -> None:
    """Take a checksum away."""
    service.collector.run(lambda t: t.run("UPDATE chunk SET checksum = ?", b""))


def test_a_survey_whose_document_is_damaged_keeps_no_other_from_being_read(tmp_path: Path) -> None:
    long = a_survey("long", minimum=1, grace=0, purpose="w" * 3000)
    with opened(tmp_path / "data") as service:
        service.desk.put(long, "ann")
        expected = fill(service)
    path = tmp_path / "data" / FILE
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    at = path.read_bytes().index(b"w" * 1000)
    change(path, at - at % 1024, 4, random.Random(1))  # where it says which page is the next one of the document
    with opened(tmp_path / "data") as service:
        end_all(service)
        check_others(service, expected, set())
        assert service.desk.check()["beside"] != []


def answers_of(server: Serving, survey: dn.Survey) -> tuple[str, int]:
    """How a survey stands, as its operator is told."""
    [found] = [each for each in server.ask("GET", "/v1/status") if each["digest"] == survey.digest]
    return found["periods"][0]["phase"], found["periods"][0]["answers"]


def test_a_collector_with_a_damaged_page_runs_counts_all_others_and_names_it(serving: Serving) -> None:
    """Every start ended within a second, each backup was written as if it was sound."""
    serving.start()
    for place, survey in enumerate(SURVEYS):
        serving.ask("PUT", "/v1/surveys", survey.document)
        with closing(serving.connection()) as connection:
            assert send(connection, survey, body_of([place] * 9000)) == 200
    serving.ask("PUT", "/v1/backups/sound.sqlite")
    assert serving.stop() == 0
    path = serving.data / FILE
    pages = [number for number, page in enumerate(in_pages(path)) if page[4:] == bytes(1020)]
    assert len(pages) > 3
    change(path, 1024 * pages[2], 4, random.Random(2))
    serving.start()
    for survey in SURVEYS:
        serving.ask("POST", f"/v1/surveys/{survey.digest}/close")
    until(lambda: {answers_of(serving, survey)[0] for survey in SURVEYS} == {"damaged", "released"}, 0.1)
    serving.kill()
    serving.start()
    assert [answers_of(serving, survey) for survey in OTHERS] == [("released", 9000)] * len(OTHERS)
    assert answers_of(serving, FIRST)[0] == "damaged"
    assert f"a period is set aside: survey {FIRST.name}, period once, damaged answers" in serving.errors()
    late = a_survey("late", minimum=1, grace=0)
    serving.ask("PUT", "/v1/surveys", late.document)
    with closing(serving.connection()) as connection:
        assert send(connection, late, body_of([1])) == 200
        assert send(connection, FIRST, body_of([1])) == 410
    until(lambda: b"deniable_damaged_periods 1.0" in serving.fetch("GET", "/metrics"))
    check_commands(serving)
    assert serving.stop() == 0
    told = command("collector", "check", "--data", str(serving.data))
    assert told.returncode == 1
    assert FIRST.name in told.stdout


def in_pages(path: Path) -> list[bytes]:
    """The pages of a file."""
    written = path.read_bytes()
    return [written[at : at + 1024] for at in range(0, len(written), 1024)]


def check_commands(serving: Serving) -> None:
    """What an operator is told of a damaged storage: which it is, and that no backup of it is one."""
    data, backups = str(serving.data), serving.data / "backups"
    told = command("collector", "check", "--data", data, "--json")
    assert told.returncode == 1
    [named] = json.loads(told.stdout)["periods"]
    assert (named["name"], named["period"], named["damaged"]) == (FIRST.name, "once", "answers")
    refused = command("collector", "backup", "damaged.sqlite", "--data", data)
    assert refused.returncode == 2
    assert "a backup must be whole" in in_a_line(refused.stderr)
    assert [each.name for each in backups.iterdir()] == ["sound.sqlite"]
    later = serving.folder / "later.sqlite"
    later.write_bytes((backups / "sound.sqlite").read_bytes())
    [page, *_] = [number for number, page in enumerate(in_pages(later)) if page[4:] == bytes(1020)]
    change(later, 1024 * page + 500, 4, random.Random(3))  # answers alone, which SQLite finds whole
    refused = command("collector", "restore", str(later), "--data", str(serving.folder / "other"))
    assert refused.returncode == 2
    assert "a backup must be whole, got one that is damaged" in in_a_line(refused.stderr)
    assert not (serving.folder / "other" / FILE).exists()


def test_a_damaged_page_of_postgres_sets_its_periods_aside(cluster: Cluster) -> None:
    clock = Clock()
    with Service(clock, lambda: PostgresStore(cluster.address, clock)) as service:
        expected = fill(service)
        with psycopg.connect(cluster.address, autocommit=True) as connection:
            [(relation, name)] = connection.execute(
                "SELECT reltoastrelid::bigint, pg_relation_filepath('chunk') FROM pg_class WHERE relname = 'chunk'"
            ).fetchall()
            connection.execute("CHECKPOINT")
    assert relation
    cluster.stop()
    change(cluster.folder / name, 8, 16, random.Random(4))  # the head of its first page
    cluster.start()
    with Service(clock, lambda: PostgresStore(cluster.address, clock)) as service:
        end_all(service)
        named = damaged(service)
        assert named
        check_others(service, expected, named)
