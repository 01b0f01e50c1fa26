"""Doors: every edge of their times, by the document alone; and what a clock that jumps may do."""

from __future__ import annotations

import datetime
import math

import pytest
from tests.collector.worlds import DAY, HOUR, MONDAY, WEEK, a_survey

from deniable.intake.clock import Watch
from deniable.intake.doors import Doors
from deniable.intake.refusals import Refused

WEEKLY = a_survey(period="week", repeat="fresh", skew=3600, grace=7200)


def kind(doors: Doors, period: str, now: float) -> str | None:
    """Why a period is closed at a moment; None if it is open."""
    refusal = doors.refusal(period, now)
    return None if refusal is None else refusal.kind


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (MONDAY - 3600.001, "too-early"),
        (MONDAY - 3600, None),
        (MONDAY, None),
        (MONDAY + WEEK, None),
        (MONDAY + WEEK + 7199.999, None),
        (MONDAY + WEEK + 7200, "closed"),
    ],
)
def test_every_edge_of_a_week(now: float, expected: str | None) -> None:
    doors = Doors(WEEKLY)
    assert kind(doors, "2026-W32", now) == expected
    assert ("2026-W32" in doors.open_periods(now)) == (expected is None)


def test_too_early_says_when_to_come_back() -> None:
    refusal = Doors(WEEKLY).refusal("2026-W32", MONDAY - 3600 - 99.5)
    assert refusal is not None
    assert refusal.retry_after == 100


def test_two_doors_are_open_at_a_boundary_and_the_oldest_comes_first() -> None:
    doors = Doors(WEEKLY)
    assert doors.open_periods(MONDAY - 3600) == ["2026-W31", "2026-W32"]
    assert doors.open_periods(MONDAY + 7199) == ["2026-W31", "2026-W32"]
    assert doors.open_periods(MONDAY + 7200) == ["2026-W32"]


@pytest.mark.parametrize("name", ["2026-W33", "2026-W54", "2026-08-03", "once", "", "2026-W3x"])
def test_only_the_survey_s_own_periods_are_known(name: str) -> None:
    if name == "2026-W33":
        assert kind(Doors(WEEKLY), name, MONDAY) == "too-early"
        return
    with pytest.raises(Refused) as refused:
        Doors(WEEKLY).refusal(name, MONDAY)
    assert refused.value.refusal.kind == "unknown"


def test_a_survey_that_is_open_for_good_ends_when_it_is_closed_by_hand() -> None:
    survey = a_survey(grace=100)
    assert Doors(survey).open_periods(MONDAY) == ["once"]
    assert math.isinf(Doors(survey).shuts("once"))
    ended = Doors(survey, MONDAY)
    assert (kind(ended, "once", MONDAY + 99), kind(ended, "once", MONDAY + 100)) == (None, "closed")
    assert (ended.is_over(MONDAY + 99), ended.is_over(MONDAY + 100)) == (False, True)


def test_no_period_begins_after_a_closing_by_hand() -> None:
    ended = Doors(WEEKLY, MONDAY + 10)
    assert ended.shuts("2026-W32") == MONDAY + 10 + 7200
    assert kind(ended, "2026-W33", MONDAY + WEEK) == "closed"
    assert ended.shuts("2026-W33") == ended.shuts("2026-W32")  # for answers that came within its skew
    assert ended.following("2026-W32") is None
    assert Doors(WEEKLY).following("2026-W32") == "2026-W33"


@pytest.mark.parametrize(
    ("period", "closes", "last"),
    [
        ("day", "2026-08-05T00:00:00Z", "2026-08-04"),
        ("week", "2026-08-10T00:00:00Z", "2026-W32"),
        ("month", "2026-09-01T00:00:00Z", "2026-08"),
        ("day", "2026-08-05T12:00:00Z", "2026-08-05"),
    ],
)
def test_nothing_follows_the_last_period(period: str, closes: str, last: str) -> None:
    assert Doors(a_survey(period=period, closes=closes)).following(last) is None


def test_the_last_period_ends_when_the_survey_closes() -> None:
    closes = datetime.datetime.fromtimestamp(MONDAY + DAY, datetime.UTC)
    doors = Doors(a_survey(period="week", repeat="fresh", closes=closes, grace=0))
    assert kind(doors, "2026-W32", MONDAY + DAY - 1) is None
    assert kind(doors, "2026-W32", MONDAY + DAY) == "closed"
    assert doors.following("2026-W32") is None
    assert doors.is_over(MONDAY + DAY)


def test_a_clock_that_gains_an_hour_is_doubted_until_that_has_lasted_a_day_or_is_confirmed() -> None:
    watch = Watch(MONDAY).at(MONDAY, 0)
    assert not watch.at(MONDAY + WEEK + HOUR, WEEK).is_doubted
    jumped = watch.at(MONDAY + HOUR + 2, 1)
    assert jumped.is_doubted
    assert jumped.believed == MONDAY
    assert jumped.at(MONDAY + HOUR + 2 + DAY - 1, DAY).is_doubted
    assert not jumped.at(MONDAY + HOUR + 2 + DAY, DAY + 1).is_doubted
    confirmed = jumped.confirmed_at(MONDAY + HOUR + 3, 2)
    assert not confirmed.at(MONDAY + HOUR + 4 + WEEK, WEEK + 3).is_doubted
    assert jumped.at(MONDAY + 60, 60) == watch.at(MONDAY + 60, 60)  # the clock was set right again


def test_a_clock_that_nobody_watched_for_more_than_a_day_is_doubted() -> None:
    """The machine was off: its steady clock begins anew."""
    watch = Watch(MONDAY, origin="before").adopted("now", 5)
    assert not watch.at(MONDAY + DAY, 5).is_doubted
    assert watch.at(MONDAY + DAY + 1, 5).is_doubted


def test_a_clock_that_is_set_back_is_doubted_until_it_is_right_again_or_has_lasted_a_day_or_is_confirmed() -> None:
    watch = Watch(MONDAY).at(MONDAY, 0)
    assert watch.at(MONDAY - 3600, 0) == watch  # as clocks are corrected
    back = watch.at(MONDAY - WEEK, 0)
    assert (back.is_doubted, back.is_behind, back.believed) == (True, True, MONDAY)
    assert back.moments(MONDAY - WEEK) == (MONDAY - WEEK, MONDAY)
    assert not back.at(MONDAY + 60, 60).is_doubted
    assert back.at(MONDAY - WEEK + DAY - 1, DAY - 1).is_behind
    assert not back.at(MONDAY - WEEK + DAY, DAY).is_doubted
    assert back.confirmed_at(MONDAY - WEEK + 9, 9).believed == MONDAY - WEEK + 9
    assert watch.at(MONDAY + WEEK, 0).moments(MONDAY + WEEK) == (MONDAY + WEEK,)


def test_nobody_is_told_to_wait_for_longer_than_an_hour() -> None:
    refusal = Doors(WEEKLY).refusal("2026-W33", MONDAY - DAY)
    assert refusal is not None
    assert (refusal.kind, refusal.retry_after) == ("too-early", 3600)
