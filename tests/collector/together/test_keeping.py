"""Folding, closing, withholding, joining, deleting and counting again, in both storages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial

import pytest
from tests.collector.conftest import OpenStore
from tests.collector.worlds import DAY, Clock, Service, a_survey, body_of

import deniable as dn
from deniable.collector.folding import ENOUGH
from deniable.intake.http import survey_cache
from deniable.intake.http.survey_cache import SurveyCache
from deniable.intake.invitations import CODES_AT_ONCE
from deniable.intake.phases import Phase, survey_phase
from deniable.intake.refusals import Refused
from deniable.intake.sections import HEAD
from deniable.intake.storage.checksums import chunk_of
from deniable.intake.storage.rows import RELEASED
from deniable.intake.storage.transaction import Transaction
from deniable.surveys.tally import SurveyTally


@pytest.fixture
def service(open_store: OpenStore) -> Iterator[Service]:
    """A collector with a clock of its own."""
    clock = Clock()
    with Service(clock, lambda: open_store(clock)) as found:
        yield found


def fold(service: Service) -> None:
    """Let so much time go by that everything is folded."""
    service.keeper.keep()
    service.clock.advance(61)
    service.keeper.keep()


def tally_of(service: Service, survey: dn.Survey, period: str = "once") -> SurveyTally:
    """The tally that readers see."""
    return SurveyTally.from_bytes(service.desk.tally(service.collector.survey(survey.digest), period)[0])


def test_whoever_asks_is_told_of_periods_whose_counts_are_new(service: Service) -> None:
    told: list[tuple[str, str]] = []
    survey = a_survey(minimum=1)
    service.desk.tell_of_counts(lambda row, period: told.append((row.digest, period)))
    service.desk.put(survey, "ann")
    fold(service)
    assert told == []
    service.send(survey, body_of([1]))
    fold(service)
    assert told == [(survey.digest, "once")]
    row = service.collector.survey(survey.digest)
    service.desk.recount(row, "once")
    service.desk.end(row, "ann")
    service.pass_time(8 * DAY)
    assert service.desk.batch(row, "once").state == RELEASED
    assert told == [(survey.digest, "once")] * 3


def test_a_result_is_final_at_once_where_enough_have_answered(service: Service) -> None:
    """What was acknowledged is counted; what still waits is refused for good, at the door and after it."""
    survey = a_survey(minimum=3, population=4, closes="2026-08-09T00:00:00Z")
    service.desk.put(survey, "ann")
    row = service.collector.survey(survey.digest)
    service.send(survey, body_of([1, 2]))
    with pytest.raises(Refused, match="as many answers as it needs to be final"):
        service.desk.end(row, "ann", final=True)
    assert service.collector.survey(survey.digest).ended is None, "nothing was closed"
    last = body_of([3])
    assert service.send(survey, last) == [1]
    service.desk.end(row, "ann", final=True)
    assert service.send(survey, body_of([0]), last) == ["closed", "closed"]
    row = service.collector.survey(survey.digest)
    with pytest.raises(Refused, match="closed"):
        service.collector.open_periods(row, {"once"})
    service.keeper.keep()
    [standing] = service.desk.standings(row)
    assert (standing.state, standing.answers) == (RELEASED, 3)
    assert survey_phase(service.collector.doors(row), [standing], service.clock()) is Phase.RELEASED
    visible = service.desk.tally(row, "once")
    assert "closed by hand at 3" in str(visible)
    assert tally_of(service, survey) == survey.tally([b"\x01", b"\x02", b"\x03"])


def test_folding_counts_each_chunk_once_and_leaves_few(service: Service) -> None:
    survey = a_survey(minimum=1)
    service.desk.put(survey, "ann")
    sent: list[int] = []
    for round_ in range(6):
        answers = [(round_ + k) % 4 for k in range(10)]
        sent += answers
        assert service.send(survey, *[body_of([answer]) for answer in answers]) == [1] * 10
        fold(service)
        assert tally_of(service, survey) == survey.tally([bytes([answer]) for answer in sent])
    row = service.collector.survey(survey.digest)
    batch = service.desk.batch(row, "once")
    assert len(service.collector.run(lambda t: t.chunk_sizes(batch.number))) <= 3
    assert service.desk.recount(row, "once") == (60, True, True)


def test_chunks_of_many_answers_are_counted_once_and_written_again_when_the_period_closes(service: Service) -> None:
    survey = a_survey(minimum=1, grace=0)
    service.desk.put(survey, "ann")
    row, size = service.collector.survey(survey.digest), ENOUGH - HEAD.size
    for n in (size - 1, size, size):
        assert service.send(survey, body_of([n % 4] * n)) == [n]
    number, run = service_batch(service, survey), service.collector.run
    keys = {one.key for one in run(lambda t: t.chunk_sizes(number))}
    fold(service)
    folded = run(lambda t: t.chunk_sizes(number))
    assert [one.folded for one in folded] == [True] * 3
    assert sorted(one.bytes for one in folded if one.key in keys) == [ENOUGH, ENOUGH]
    assert run(lambda t: t.small_folded(number, ENOUGH)) == [one for one in folded if one.key not in keys]
    assert tally_of(service, survey).n == service.desk.recount(row, "once").n == 3 * size - 1
    service.desk.end(row, "ann")
    service.keeper.keep()
    [whole] = run(lambda t: t.chunk_sizes(number))
    assert whole.key not in keys
    assert service.desk.recount(row, "once") == (3 * size - 1, True, True)


def test_readers_see_a_snapshot_that_is_renewed_after_enough_people(service: Service) -> None:
    """With a minimum of 5, too: whoever subtracts two snapshots gets at no fewer than ten reports."""
    survey = a_survey(minimum=5)
    service.desk.put(survey, "ann")
    shown = []
    for _ in range(25):
        service.send(survey, body_of([1]))
        fold(service)
        [standing] = service.desk.standings(service.collector.survey(survey.digest))
        shown.append((standing.answers, standing.shown))
    assert [n for n, _ in shown] == list(range(1, 26))
    assert [n for _, n in shown] == [0] * 9 + [10] * 10 + [20] * 6
    assert tally_of(service, survey).n == 20


def test_a_door_names_no_period_that_is_shut_whatever_the_clock_says(service: Service) -> None:
    """As after a clock that ran ahead for a moment, within which a period was closed for ever."""
    survey = a_survey(minimum=1)
    service.desk.put(survey, "ann")
    service.send(survey, body_of([1]))
    collector, rows = service.collector, SurveyCache(service.collector)
    row = asyncio.run(rows.survey(survey.digest))
    assert collector.open_periods(row, rows.shut(survey.digest)) == ["once"]
    number = service_batch(service, survey)
    collector.run(lambda t: t.set_state(number, RELEASED))
    rows.forget(survey.digest)
    asyncio.run(rows.survey(survey.digest))
    assert collector.open_periods(row, rows.shut(survey.digest)) == []
    assert service.send(survey, body_of([1])) == ["closed"]


def test_surveys_in_use_are_read_again_together(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a hundred surveys that are answered at once, each would else be a transaction of its own every second."""
    surveys = [a_survey(name) for name in ("first", "second", "third", "idle")]
    for survey in surveys:
        service.desk.put(survey, "ann")
    used, idle, rows = [survey.digest for survey in surveys[:3]], surveys[3].digest, SurveyCache(service.collector)
    looks: list[object] = []
    run = service.collector.writer.run

    def counted(task: Callable[[Transaction], object]) -> Future[object]:
        looks.append(task)
        return run(task)

    async def asked(*digests: str) -> list[float | None]:
        return [(await rows.survey(digest)).ended for digest in digests]

    def reads(*digests: str) -> list[float | None]:
        looks.clear()
        return asyncio.run(asked(*digests))

    assert reads(*used, idle) == [None] * 4
    reads(*used)
    monkeypatch.setattr(service.collector.writer, "run", counted)
    monkeypatch.setattr(survey_cache, "FRESH", 0.0)
    for digest in (*used, idle):
        service.collector.run(partial(Transaction.end_survey, digest=digest, moment=7.0))
    assert reads(used[0]) == [7.0]
    assert len(looks) == 1
    monkeypatch.setattr(survey_cache, "FRESH", 60.0)
    assert reads(*used, idle) == [7.0, 7.0, 7.0, None]
    assert looks == []


def test_nothing_is_shown_of_too_few(service: Service) -> None:
    survey = a_survey(minimum=5)
    service.desk.put(survey, "ann")
    service.send(survey, body_of([1, 2, 3]))
    fold(service)
    with pytest.raises(Refused) as refused:
        tally_of(service, survey)
    assert refused.value.refusal.kind == "withheld"


def test_a_survey_that_is_closed_by_hand_is_released_once_its_grace_is_over(service: Service) -> None:
    survey = a_survey(minimum=3, grace=3600, keep=86400)
    service.desk.put(survey, "ann")
    service.send(survey, body_of([0, 1, 1]))
    row = service.collector.survey(survey.digest)
    service.desk.end(row, "ann")
    service.clock.advance(3599)
    assert service.send(survey, body_of([3])) == [1]
    service.clock.advance(1)
    assert service.send(survey, body_of([3])) == ["closed"]
    service.keeper.keep()
    tally, note = service.desk.tally(row, "once")
    assert SurveyTally.from_bytes(tally) == survey.tally([b"\0", b"\1", b"\1", b"\3"])
    assert note == "closed by hand at 4"
    assert service.desk.recount(row, "once") == (4, True, True)
    service.pass_time(DAY + 1)
    service.keeper.discard()
    assert service.desk.recount(row, "once") == (0, False, False)
    assert service.desk.tally(row, "once") == (tally, note)


def test_a_result_that_was_altered_is_noticed(service: Service) -> None:
    survey = a_survey(minimum=1, grace=0)
    service.desk.put(survey, "ann")
    service.send(survey, body_of([0, 1]))
    row = service.collector.survey(survey.digest)
    service.desk.end(row, "ann")
    service.keeper.keep()
    batch = service.desk.batch(row, "once")
    [size] = service.collector.run(lambda t: t.chunk_sizes(batch.number))
    body = bytearray(service.collector.run(lambda t: t.bodies([size.key])[0]))
    body[-1] ^= 1
    service.collector.run(lambda t: t.drop_chunks([size.key]))
    altered = chunk_of(batch.key, size.key, batch.number, size.n, bytes(body))
    service.collector.run(lambda t: t.add_chunks([altered], folded=True))
    assert service.desk.recount(row, "once") == (2, True, False)


def service_batch(service: Service, survey: dn.Survey, period: str = "once") -> int:
    """The number of a period."""
    return service.desk.batch(service.collector.survey(survey.digest), period).number


def test_days_with_too_few_answers_are_withheld_where_people_answer_again(service: Service) -> None:
    survey = a_survey(minimum=3, period="day", repeat="fresh", grace=0)
    service.desk.put(survey, "ann")
    service.send(survey, body_of([1, 1]), period="2026-08-03")
    service.pass_time(DAY)
    row = service.collector.survey(survey.digest)
    assert [(s.period, s.state, s.shown) for s in service.desk.standings(row)] == [("2026-08-03", "withheld", 0)]
    with pytest.raises(Refused):
        service.desk.tally(row, "2026-08-03")


@pytest.mark.parametrize("hour", ["T00", "T12"])
def test_the_last_day_with_too_few_answers_is_withheld(service: Service, hour: str) -> None:
    survey = a_survey(minimum=5, period="day", grace=0, closes=f"2026-08-04{hour}:00:00Z")
    service.desk.put(survey, "ann")
    service.send(survey, body_of([1]), period="2026-08-03")
    service.pass_time(DAY)
    service.keeper.keep()
    service.pass_time(DAY)
    service.keeper.keep()
    [*_, last] = service.desk.standings(service.collector.survey(survey.digest))
    assert last.state == "withheld"


def test_an_invitation_counts_once_where_days_join(service: Service) -> None:
    survey = a_survey(minimum=2, period="day", grace=0)
    service.desk.put(survey, "ann")
    code, other = service.desk.invite(service.collector.survey(survey.digest), 2, "ann")
    assert service.send(survey, body_of([1]), period="2026-08-03", code=code) == [1]
    service.pass_time(DAY)
    service.keeper.keep()
    assert service.send(survey, body_of([2]), period="2026-08-04", code=code) == ["invitation"]
    assert service.send(survey, body_of([2]), period="2026-08-04", code=other) == [1]


def test_days_with_too_few_answers_join_the_next_where_people_answer_once(service: Service) -> None:
    survey = a_survey(minimum=3, period="day", repeat="once", grace=0)
    service.desk.put(survey, "ann")
    service.send(survey, body_of([1, 1]), period="2026-08-03")
    service.pass_time(DAY)
    service.send(survey, body_of([2]), period="2026-08-04")
    service.pass_time(DAY)
    row = service.collector.survey(survey.digest)
    states = [(s.period, s.state, s.answers) for s in service.desk.standings(row)]
    assert states == [("2026-08-03", "joined", 0), ("2026-08-04", "released", 3)]
    assert tally_of(service, survey, "2026-08-04") == survey.tally([b"\1", b"\1", b"\2"])
    assert service.desk.recount(row, "2026-08-04") == (3, True, True)


def test_how_many_answered_a_withheld_period_stays_known(service: Service) -> None:
    survey = a_survey(minimum=5, grace=0, keep=86400)
    service.desk.put(survey, "ann")
    service.send(survey, body_of([0, 1, 1]))
    row = service.collector.survey(survey.digest)
    service.desk.end(row, "ann")
    service.keeper.keep()
    assert service.desk.recount(row, "once") == (3, True, True)
    for _ in range(2):
        service.pass_time(DAY)
        service.keeper.discard()
    [standing] = service.desk.standings(row)
    assert (standing.state, standing.answers, standing.shown) == ("withheld", 3, 0)
    assert service.desk.recount(row, "once") == (0, False, False)


def test_the_last_day_stays_withheld(service: Service) -> None:
    survey = a_survey(minimum=3, period="day", repeat="once", grace=0)
    service.desk.put(survey, "ann")
    service.send(survey, body_of([1]), period="2026-08-03")
    row = service.collector.survey(survey.digest)
    service.desk.end(row, "ann")
    service.keeper.keep()
    assert [s.state for s in service.desk.standings(service.collector.survey(survey.digest))] == ["withheld"]


def test_ids_go_when_a_period_is_closed(service: Service) -> None:
    survey = a_survey(minimum=1, grace=0)
    service.desk.put(survey, "ann")
    body = body_of([1])
    service.send(survey, body)
    number = service_batch(service, survey)
    assert service.collector.run(lambda t: t.known(number, [body[:16]]))
    service.desk.end(service.collector.survey(survey.digest), "ann")
    forgotten = service.collector.run(lambda t: t.forget_ids(number, 1))
    assert forgotten in (0, 1)  # PostgreSQL drops the whole table
    service.keeper.keep()
    assert service.send(survey, body) == ["closed"]


def test_a_jump_of_the_clock_closes_nothing_until_it_is_confirmed(service: Service) -> None:
    survey = a_survey(minimum=1, period="day", repeat="fresh", grace=0)
    service.desk.put(survey, "ann")
    service.send(survey, body_of([1]), period="2026-08-03")
    service.clock.jump(30 * DAY)
    service.keeper.keep()
    assert service.send(survey, body_of([1]), period="2026-08-03") == ["busy"]
    service.clock.jump(-30 * DAY)
    service.keeper.keep()
    assert service.send(survey, body_of([1]), period="2026-08-03") == [1]
    service.clock.jump(30 * DAY)
    service.keeper.look_at_the_clock(confirm=True)
    service.keeper.keep()
    assert service.send(survey, body_of([1]), period="2026-08-03") == ["closed"]
    assert tally_of(service, survey, "2026-08-03").n == 2


def test_a_survey_is_not_closed_by_a_clock_that_jumped(service: Service) -> None:
    survey = a_survey(minimum=1, grace=0)
    service.desk.put(survey, "ann")
    row = service.collector.survey(survey.digest)
    service.clock.jump(30 * DAY)
    service.keeper.keep()
    with pytest.raises(Refused, match="the clock must be right to close a survey"):
        service.desk.end(row, "ann")
    service.clock.jump(-30 * DAY)
    service.desk.end(row, "ann")
    assert service.send(survey, body_of([1])) == ["closed"]


def test_a_survey_that_was_closed_in_the_future_is_closed_now_by_a_second_closing(service: Service) -> None:
    survey = a_survey(minimum=1, grace=0)
    service.desk.put(survey, "ann")
    row = service.collector.survey(survey.digest)
    service.clock.jump(3000)
    service.desk.end(row, "ann")
    service.clock.jump(-3000)
    assert service.send(survey, body_of([1])) == [1]
    service.desk.end(row, "ann")
    assert service.send(survey, body_of([1])) == ["closed"]
    service.clock.advance(DAY / 4)
    service.desk.end(row, "ann")  # no closing makes it later
    assert service.collector.survey(survey.digest).ended == service.clock() - DAY / 4


def test_refusals_are_counted_by_period_and_kind(service: Service) -> None:
    survey = a_survey()
    service.desk.put(survey, "ann")
    service.send(survey, body_of([9]), body_of([9]), b"short", body_of([1]), period="once")
    service.send(survey, body_of([1]), period="made up")
    service.keeper.keep()
    found = service.collector.run(lambda t: t.outcomes(survey.digest))
    assert found == {("once", "no-answer"): 2, ("", "malformed"): 1, ("", "unknown"): 1}


def test_very_many_invitations_are_all_good(service: Service) -> None:
    survey = a_survey()
    service.desk.put(survey, "ann")
    codes = service.desk.invite(service.collector.survey(survey.digest), 2 * CODES_AT_ONCE + 1, "ann")
    assert len(set(codes)) == 2 * CODES_AT_ONCE + 1
    for code in (codes[0], codes[CODES_AT_ONCE], codes[-1]):
        assert service.send(survey, body_of([1]), code=code) == [1]
