"""Where times meet: a survey closed by hand before its next period begins, clocks that jump between two looks."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

import pytest
from tests.collector.conftest import OpenStore
from tests.collector.worlds import DAY, MONDAY, WEEK, Clock, Service, a_survey, body_of

from deniable.intake.clock import Watch
from deniable.intake.storage.checksums import chunk_of
from deniable.surveys.tally import SurveyTally

WEEKLY = a_survey("weekly", period="week", repeat="fresh", skew=3600, grace=600, minimum=1)
DAILY = a_survey("daily", period="day", repeat="fresh", grace=0, minimum=1)


@pytest.fixture
def service(open_store: OpenStore) -> Iterator[Service]:
    """A collector whose clock stands half an hour before a week begins."""
    clock = Clock(MONDAY - 1800)
    with Service(clock, lambda: open_store(clock)) as found:
        yield found


MOMENT = 0.001
TIMES = {"skew": 3600, "grace": 7200, "keep": 86400, "minimum": 1}
NOON = datetime.datetime.fromtimestamp(MONDAY + DAY / 2, datetime.UTC)


def reach(service: Service, moment: float) -> None:
    """Let time go by until a moment, with a collector that is not asleep."""
    while moment - service.clock.moment > DAY / 2:
        service.pass_time(DAY / 2)
    service.clock.moment = moment
    service.keeper.keep()


@pytest.mark.parametrize(
    ("terms", "period", "opens", "shuts"),
    [
        ({"period": "day", "repeat": "fresh"}, "2026-08-04", MONDAY + DAY - 3600, MONDAY + 2 * DAY + 7200),
        ({"period": "day", "repeat": "once"}, "2026-08-04", MONDAY + DAY - 3600, MONDAY + 2 * DAY + 7200),
        ({"period": "week", "repeat": "fresh"}, "2026-W33", MONDAY + WEEK - 3600, MONDAY + 2 * WEEK + 7200),
        ({"period": "month", "repeat": "fresh"}, "2026-09", MONDAY + 29 * DAY - 3600, MONDAY + 59 * DAY + 7200),
        ({"period": "week", "repeat": "fresh", "closes": NOON}, "2026-W32", MONDAY - 3600, MONDAY + DAY / 2 + 7200),
    ],
    ids=["day", "day, once", "week", "month", "closes"],
)
def test_a_door_opens_and_shuts_at_its_moments(
    service: Service, terms: dict[str, Any], period: str, opens: float, shuts: float
) -> None:
    survey = a_survey("edges", **terms, **TIMES)
    service.clock.moment = MONDAY - DAY / 2
    service.desk.put(survey, "ann")
    row = service.collector.survey(survey.digest)
    for moment, told in [
        (opens - MOMENT, "too-early"),
        (opens, 1),
        (shuts - MOMENT, 1),
        (shuts, "closed"),
    ]:
        reach(service, moment)
        assert service.send(survey, body_of([1]), period=period) == [told], moment - opens
        assert (period in service.collector.doors(row).open_periods(moment)) == (told == 1)
    assert service.desk.recount(row, period) == (2, True, True)
    reach(service, shuts + survey.keep - MOMENT)
    service.keeper.discard()
    assert service.desk.recount(row, period).kept
    reach(service, shuts + survey.keep)
    service.keeper.discard()
    assert service.desk.recount(row, period) == (0, False, False)


def test_an_answer_to_a_week_that_a_closing_by_hand_cut_off_is_counted(service: Service) -> None:
    service.desk.put(WEEKLY, "ann")
    first, second = body_of([1]), body_of([2])
    assert service.send(WEEKLY, first, period="2026-W32") == [1]
    service.desk.end(service.collector.survey(WEEKLY.digest), "ann")
    assert service.send(WEEKLY, second, period="2026-W32") == ["closed"]
    service.pass_time(2 * 3600)
    row = service.collector.survey(WEEKLY.digest)
    tally, note = service.desk.tally(row, "2026-W32")
    assert SurveyTally.from_bytes(tally) == WEEKLY.tally([b"\1"])
    assert note == "closed by hand at 1"
    service.pass_time(WEEKLY.keep + DAY)
    service.keeper.discard()
    assert not service.desk.recount(row, "2026-W32").kept


def test_a_period_that_cannot_be_counted_holds_up_no_other(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    first, second = sorted((WEEKLY, DAILY), key=lambda survey: survey.digest)
    periods = {WEEKLY.digest: "2026-W31", DAILY.digest: "2026-08-02"}
    for survey in (first, second):
        service.desk.put(survey, "ann")
        assert service.send(survey, body_of([1]), period=periods[survey.digest]) == [1]
    batch = service.desk.batch(service.collector.survey(first.digest), periods[first.digest])
    service.collector.run(lambda t: t.add_chunks([chunk_of(batch.key, 1, batch.number, 1, b"no answers")]))
    service.clock.advance(DAY / 2)
    service.keeper.keep()
    assert "a chunk must hold answers" in caplog.text
    assert service.desk.tally(service.collector.survey(second.digest), periods[second.digest])[1] == ""


def test_a_jump_between_two_looks_refuses_nobody_for_good_and_closes_nothing(service: Service) -> None:
    service.desk.put(DAILY, "ann")
    assert service.send(DAILY, body_of([1]), period="2026-08-02") == [1]
    service.clock.jump(30 * DAY)
    assert service.send(DAILY, body_of([1]), period="2026-08-02") == ["busy"]
    assert service.send(DAILY, body_of([1]), period="2026-09-01") == [1]


def test_a_clock_that_jumps_on_is_not_believed_at_its_second_jump() -> None:
    watch = Watch(MONDAY).at(MONDAY, 0)
    jumped = watch.at(MONDAY + 30 * DAY, 1)
    again = jumped.at(MONDAY + 60 * DAY, DAY)
    assert again.is_doubted
    assert again.believed == MONDAY
    hours = [again := again.at(MONDAY + 60 * DAY + 3600 * hour, DAY + 3600 * hour) for hour in range(25)]
    assert [watch.is_doubted for watch in hours] == [True] * 24 + [False]


@pytest.mark.parametrize("hours", [20, 0.9])
def test_jumps_that_add_up_are_doubted_however_short_each_is(service: Service, hours: float) -> None:
    """Each was compared with the one before it: two days were released within seconds, for good."""
    service.desk.put(DAILY, "ann")
    assert service.send(DAILY, body_of([1]), period="2026-08-03") == [1]
    for _ in range(4):
        service.clock.advance(3)
        service.clock.jump(hours * 3600)
        service.keeper.keep()
    assert service.collector.doubts(service.clock())
    assert service.desk.batch(service.collector.survey(DAILY.digest), "2026-08-03").state == "open"
    assert service.send(DAILY, body_of([1]), period="2026-08-03") == ["busy" if hours == 20 else 1]


def test_a_doubt_outlives_the_process_and_ends_where_it_is_confirmed(service: Service, open_store: OpenStore) -> None:
    service.clock.jump(20 * 3600)
    service.keeper.keep()
    service.__exit__()
    with Service(service.clock, lambda: open_store(service.clock)) as other:
        assert other.collector.doubts(service.clock())
        assert Watch(*other.collector.watch or ()).adopted("another machine", 7.0).at(service.clock(), 7.0).is_doubted
        other.keeper.look_at_the_clock(confirm=True)
        assert not other.collector.doubts(service.clock())
