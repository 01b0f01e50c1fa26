"""The periods of a question in a row: what changed is what the library says, and what is drawn lies where it says."""

from __future__ import annotations

from tests.pages.results.worlds import in_a_row

import deniable as dn
from deniable.intake.storage.rows import OPEN, RELEASED, Standing
from deniable.pages.results.period_view import read
from deniable.pages.results.time_series import PeriodResult, timeline_of
from deniable.pages.results.timeline import Timeline
from deniable.protocol.say import english

WAYS = ["car", "bus", "bike"]
RIDES = dn.Survey.plan("ride", [dn.OneOf("way", WAYS)], 3.0, 900, period="week")


def week(bikes: int) -> dict[str, list[str]]:
    return {"way": ["car"] * 400 + ["bus"] * (500 - bikes) + ["bike"] * bikes}


def line(*bikes: int | None, last: str = RELEASED) -> Timeline:
    return in_a_row(RIDES, [None if number is None else week(number) for number in bikes], last)


def test_the_finding_is_a_tested_difference_of_spans() -> None:
    found = line(300, 310, None, 290, 100, 110, 120, 100)
    assert found.change is not None
    assert found.sentence == found.change.statement
    assert found.spans == (4, 4)
    assert found.change.notes == ["Of the first four weeks there is no result of week of 16 March 2026."]
    assert found.dates is not None
    assert (
        english(found.dates)
        == "2 to 29 March 2026 against 30 March to 26 April 2026. For the other answers no change can be seen."
    )
    assert [each.way for each in found.lines] == [0, 1, -1]
    assert found.chosen is not None
    assert found.chosen.label in ("bus", "bike")


def test_bands_are_the_intervals_of_spans_and_stand_over_their_weeks() -> None:
    found = line(300, 310, 290, 100, 110, 120)
    assert found.axis is not None
    [car, *_], axis = found.lines, found.axis
    first, last = car.bands
    assert 0 < first.x < first.x + first.width < 50 < last.x < last.x + last.width < 100
    for band in car.bands:
        assert band.top < band.middle < band.top + band.height
    for each in found.lines:
        for point in each.points:
            assert point.measured.high is not None
            assert point.top == round(100 - axis.place(point.measured.high), 3)
            assert point.dot is not None
            assert point.bottom is not None
            assert point.top < point.dot < point.bottom


def read_week(bikes: int) -> dn.SurveyTally:
    return RIDES.tally(RIDES.answer_many(week(bikes), seed=1))


def test_an_open_week_is_drawn_and_not_compared() -> None:
    found = line(300, None, 900, last=OPEN)
    assert english(found.sentence) == "Changes are shown once two weeks are closed."
    assert found.change is None
    assert [column.is_open for column in found.columns] == [False, False, True]
    assert english(found.lines[0].points[1].measured.words) == "too few answers"
    assert found.lines[0].points[2].dot is not None
    assert found.lines[0].bands == ()


def test_weeks_that_nobody_answered_stand_in_the_row() -> None:
    tallies = {"2026-W10": read_week(300), "2026-W12": read_week(100)}
    told = [
        PeriodResult(
            name, Standing(0, "", name, RELEASED, 900, 900, False), tally.to_bytes(), read(tally.to_bytes())["way"]
        )
        for name, tally in tallies.items()
    ]
    told.insert(1, PeriodResult("2026-W11", None))
    found = timeline_of(RIDES, "way", told, 2, first=2, last=1)
    assert english(found.lines[2].points[1].measured.words) == "no answers"
    assert found.change is not None
    assert tuple(map(english, found.change.first.left_out)) == ("week of 9 March 2026",)
    assert [english(column.tick) for column in found.columns] == ["2 Mar", "9", "16"]


def test_spans_that_are_asked_for_are_kept_within_the_closed_weeks() -> None:
    weeks = [week(300)] * 5
    told = []
    for number, each in enumerate(weeks):
        tally = RIDES.tally(RIDES.answer_many(each, seed=number)).to_bytes()
        standing = Standing(number, "", f"2026-W{10 + number}", RELEASED, 900, 900, False)
        told.append(PeriodResult(standing.period, standing, tally, read(tally)["way"]))
    for asked, kept in (
        ((None, None), (2, 2)),
        ((9, None), (4, 1)),
        ((1, 9), (1, 4)),
        ((None, 3), (2, 3)),
        ((0, 0), (1, 1)),
    ):
        assert timeline_of(RIDES, "way", told, None, *asked).spans == kept


def test_of_many_answers_those_that_changed_and_the_largest_are_drawn() -> None:
    labels = [f"word {k}" for k in range(40)]
    survey = dn.Survey.plan("many", [dn.OneOf("word", labels)], 7.0, 9000, period="week")
    before = {"word": ["word 7"] * 3000 + ["word 9"] * 3000 + ["word 30"] * 3000}
    after = {"word": ["word 7"] * 3000 + ["word 11"] * 3000 + ["word 30"] * 3000}
    found = in_a_row(survey, [before, after])
    assert len(found.lines) == 12
    assert {each.label for each in found.lines[:2]} == {"word 9", "word 11"}
    assert {each.label for each in found.lines[2:4]} == {"word 7", "word 30"}
    assert found.rest is not None
    assert english(found.rest) == "28 more answers are not drawn: no change can be seen in any of them."


def test_words_of_which_each_week_has_others_are_followed_by_what_they_are() -> None:
    survey = dn.Survey.plan("inbox", [dn.Text("word", longest=4)], 6.0, 8000, period="week")
    given = [{"word": ["news"] * 5000 + ["mail"] * 3000}, {"word": ["news"] * 5000 + ["cats"] * 3000}]
    found = in_a_row(survey, given)
    assert sorted(map(english, found.labels)) == ["cats", "mail", "news"]
    words = {each.label: [english(point.measured.words) for point in each.points] for each in found.lines}
    assert words["mail"][1] == "did not stand out"
    assert words["cats"][0] == "did not stand out"
    assert "did not stand out" not in words["news"]
