"""How a survey stands, for its author: planned, open, closed, with the moments of their own clock."""

from __future__ import annotations

import datetime
import zoneinfo
from dataclasses import replace
from typing import Any

from tests.collector.worlds import a_survey

import deniable as dn
from deniable.intake.doors import Doors
from deniable.intake.storage.rows import OPEN, RELEASED, Standing, SurveyRow
from deniable.pages.handing.run_view import RunView, made_up_words
from deniable.protocol.say import english

YES_NO = dn.OneOf("ill", ["yes", "no"])
BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
OPENS, CLOSES = "2026-12-01T07:00:00Z", "2026-12-11T17:00:00Z"


def at(moment: str, answers: int = 0, *, invited: bool = False, codes: int = 0, **terms: Any) -> RunView:
    survey = a_survey(**{"opens": OPENS, "closes": CLOSES, **terms})
    now = datetime.datetime.fromisoformat(moment).timestamp()
    row = SurveyRow(survey.digest, survey.name, survey.document, "ann", "2026-11-20", None, invited)
    doors = Doors(survey)
    state = OPEN if now < doors.ends + survey.grace else RELEASED
    standings = [Standing(1, survey.digest, "once", state, answers, 0, False)] if answers else []
    return RunView(row, survey, doors, standings, now, BERLIN, codes, "")


def test_a_planned_survey_says_when_it_opens_and_waits_for_nobody() -> None:
    view = at("2026-11-30T12:00:00Z")
    assert english(view.state) == "Opens on 1 December 2026, 8:00 (Berlin time)"
    assert view.is_planned
    assert not at(OPENS).is_planned


def test_an_open_survey_says_until_when() -> None:
    assert english(at(OPENS).state) == "Open until 11 December 2026, 18:00 (Berlin time)"
    assert english(at(OPENS, closes=None).state) == "Open until you close it"
    assert english(at(OPENS, closes=None).closing) == "Close it now"
    assert english(at(OPENS).closing) == "Close it before 11 December 2026, 18:00 (Berlin time)"


def test_a_closed_survey_says_until_when_late_answers_are_counted() -> None:
    late = "Closed, waiting for late answers until 13 December 2026, 18:00 (Berlin time)"
    assert english(at(CLOSES, 60).state) == late
    assert not at(CLOSES).is_asking
    assert english(at("2026-12-14T00:00:00Z", 60).state) == "Closed"
    assert english(at("2026-12-14T00:00:00Z").state) == "Closed, unanswered"


def test_answers_are_counted_of_as_many_as_are_planned() -> None:
    assert [english(at(OPENS, answers).counted) for answers in (0, 1, 1214)] == [
        "no answer yet",
        "1 answer",
        "1,214 answers",
    ]
    assert english(at(OPENS, 1214, population=1800).counted) == "1,214 of 1,800 planned answers"
    assert english(at(OPENS, population=1800).counted) == "0 of 1,800 planned answers"
    assert english(at(OPENS, minimum=1000).needed) == "no result below 1,000 answers"
    assert english(at(OPENS, period="week", repeat="fresh").needed) == "no result below 50 answers in a week"


def test_codes_are_offered_for_who_has_none_yet_and_then_as_spare_ones() -> None:
    assert at(OPENS).missing_codes == 100
    assert at(OPENS, population=120).missing_codes == 120
    assert at(OPENS, population=120, codes=100).missing_codes == 20
    assert at(OPENS, population=120, codes=120).missing_codes == at(OPENS, codes=7).missing_codes == 5
    assert at(OPENS, population=120, codes=121).has_too_many_codes
    assert not at(OPENS, population=120, codes=120).has_too_many_codes


def test_codes_can_be_made_until_somebody_answered_without() -> None:
    assert at(OPENS).may_invite
    assert not at(OPENS, 1).may_invite
    assert at(OPENS, 1, invited=True).may_invite


def test_what_made_up_answers_can_do_is_said_of_the_question_that_moves_most() -> None:
    number = dn.Number("minutes", 0, 60, 1, want=["histogram"])
    narrow, wide = (dn.Survey.plan("two", [YES_NO, number], level, 500) for level in (4.0, 1.0))
    shifts = {each: made_up_words(each) for each in (narrow, wide)}
    for survey, words in shifts.items():
        worst = max(survey.manipulation(0.01).shifts.values(), key=lambda each: each.shift)
        assert english(words) == f"{english(worst.what)} could move by up to {english(worst.moved)}"
    assert shifts[narrow] != shifts[wide]


def test_a_survey_that_was_closed_before_its_announced_end_says_when_that_was() -> None:
    view = at(OPENS)
    early = replace(view, doors=Doors(view.survey, view.now - 1))
    assert english(early.announced_end) == "11 December 2026, 18:00 (Berlin time)"
    assert view.announced_end == ""
    unplanned = at(OPENS, closes=None)
    assert replace(unplanned, doors=Doors(unplanned.survey, view.now - 1)).announced_end == ""
