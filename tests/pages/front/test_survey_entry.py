"""A survey in the list of all: its state with dates, why it says nothing, and what needs a look first."""

from __future__ import annotations

import datetime
import zoneinfo
from dataclasses import replace
from typing import Any

import pytest
from tests.collector.crowds import a_survey as in_a_crowd
from tests.collector.worlds import a_survey

from deniable.intake.doors import Doors
from deniable.intake.storage.rows import OPEN, RELEASED, WITHHELD, Standing, SurveyRow
from deniable.pages.builder.draft_list import DraftEntry
from deniable.pages.front.dates import Calendar
from deniable.pages.front.needs import needs_of
from deniable.pages.front.survey_entry import SurveyEntry
from deniable.protocol.say import Statement, english

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
LATER = "2026-10-30T12:00:00Z"
OPENS, CLOSES = "2026-10-01T07:00:00Z", "2026-12-01T17:00:00Z"


def seconds(moment: str) -> float:
    return datetime.datetime.fromisoformat(moment).timestamp()


def at(moment: str, answers: int = 0, state: str = OPEN, *, ended: str = "", **terms: Any) -> SurveyEntry:
    survey = a_survey(**{"opens": OPENS, "closes": CLOSES, "title": "Safety", "grace": 0, **terms})
    closed = seconds(ended) if ended else None
    row = SurveyRow(survey.digest, survey.name, survey.document, "ann", "2026-09-30", closed, False)
    shown = 0 if state == WITHHELD or answers < survey.minimum else answers
    standings = [Standing(1, survey.digest, "once", state, answers, shown, False)] if answers else []
    return SurveyEntry(row, survey, Doors(survey, closed), standings, Calendar(BERLIN, seconds(moment)))


def needs(*entries: SurveyEntry) -> list[str]:
    return [f"{need.title} {english(need.what)} {english(need.act)}" for need in needs_of((), entries)]


@pytest.mark.parametrize(
    ("entry", "state", "dates", "silence"),
    [
        (at("2026-09-30T12:00:00Z"), "Planned", "1 October to 1 December", "Nothing yet: it opens on 1 October."),
        (at("2026-10-02T12:00:00Z"), "Open", "1 October to 1 December", "Nobody has answered yet."),
        (at("2026-10-02T12:00:00Z", 9), "Open", "1 October to 1 December", "Nothing yet: fewer than 50 answers."),
        (at("2026-10-02T12:00:00Z", 90, closes=None), "Open", "from 1 October", None),
        (at("2027-01-02T12:00:00Z", 90, RELEASED), "Closed", "1 October 2026 to 1 December 2026", None),
        (at("2026-12-02T12:00:00Z", 9, WITHHELD), "Withheld", "1 October to 1 December",
         "Withheld: fewer than 50 answers."),
        (at(LATER, 90, RELEASED, ended="2026-10-20T09:00:00Z"), "Closed early", "1 to 20 October", None),
        (at(LATER, 90, RELEASED, ended="2026-10-01T09:00:00Z", closes=None), "Closed", "1 October", None),
        (at(LATER, opens=None), "Open", "30 September to 1 December", "Nobody has answered yet."),
    ],
)  # fmt: skip
def test_a_row_says_how_a_survey_stands_with_dates_of_the_authors_calendar(
    entry: SurveyEntry, state: str, dates: str, silence: str | None
) -> None:
    assert (english(entry.state), english(entry.dates)) == (state, dates)
    assert (entry.silence and english(entry.silence)) == silence


def test_an_author_reads_how_many_came_and_of_how_many_the_result_is() -> None:
    entry = at(LATER, 28, minimum=19, population=28)
    entry = replace(entry, standings=[entry.standings[0]._replace(shown=24)])
    assert (english(entry.answers), entry.of_period) == ("24", None)
    author = replace(entry, may_count=True)
    assert author.of_period is not None
    assert (english(author.answers), english(author.of_period)) == ("28", "result of 24 so far")
    whole = replace(author, standings=[author.standings[0]._replace(shown=28)])
    assert (english(whole.answers), whole.of_period) == ("28", None)


def test_damaged_answers_are_named_before_all_else() -> None:
    soon, well = at("2026-12-01T12:00:00Z", 9), at("2026-11-02T18:00:00Z", 1400)
    broken = replace(well, standings=[well.standings[0]._replace(damaged="chunk")])
    assert not needs(well)
    assert [each.split(" ", 3)[:3] for each in needs(soon, broken)] == [
        ["Safety", "has", "answers"],
        ["Safety", "has", "9"],
    ]


def test_a_survey_that_ends_soon_with_too_few_can_still_be_saved() -> None:
    assert needs(at("2026-11-25T18:00:00Z", 1214, population=1800)) == [
        "Safety has 1,214 of the 1,800 answers you planned, and closes in 6 days. Remind everybody"
    ]
    assert needs(at("2026-12-01T12:00:00Z", 9)) == [
        "Safety has 9 of the 50 answers it needs, and closes within a day. Remind everybody"
    ]
    assert not needs(at("2026-11-25T18:00:00Z", 1400, population=1800))
    assert not needs(at("2026-11-02T18:00:00Z", 9))
    assert not needs(at("2026-11-25T18:00:00Z", opens="2026-11-30T00:00:00Z"))


def test_what_ended_badly_is_said_until_the_answers_are_deleted() -> None:
    withheld = at("2026-12-02T12:00:00Z", 9, WITHHELD)
    day = datetime.date(2026, 12, 1) + datetime.timedelta(seconds=withheld.survey.keep)
    deleted = english(withheld.calendar.day(day))
    kept = f"Its result stays withheld; the answers are deleted on {deleted}."
    assert needs(withheld) == [f"Safety closed with 9 of the 50 answers it needs. {kept} Ask again with a copy"]
    assert not needs(at("2036-12-02T12:00:00Z", 9, WITHHELD))
    assert needs(at("2026-12-02T12:00:00Z")) == ["Safety closed without an answer. Ask again with a copy"]
    assert needs(at(LATER, 90, RELEASED, ended="2026-10-20T09:00:00Z")) == [
        "Safety was closed by hand before its announced end, 1 December. Ask again with a copy"
    ]
    assert not needs(at("2026-12-02T12:00:00Z", 90, RELEASED))


def test_drafts_that_tell_nothing_come_last() -> None:
    told = Statement("questions", count=1)
    drafts = [
        DraftEntry("a", "Fine", told, 2, ""),
        DraftEntry("b", "Twice", told, 2, "", is_split=True),
        DraftEntry("c", "Breaks", told, 2, "", people=120),
    ]
    assert [(need.address, english(need.what)) for need in needs_of(drafts, [at("2026-12-01T12:00:00Z", 9)])][1:] == [
        ("/new/b/differs", "was changed twice at once."),
        ("/new/c/learn", "tells nothing yet, with 120 people."),
    ]


def test_programs_read_the_same() -> None:
    entry = at(LATER, 90, RELEASED, ended="2026-10-20T09:00:00Z")
    assert entry.to_dict(None) | {"digest": ""} == {
        "name": entry.row.name, "digest": "",
        "title": "Safety", "phase": "released", "state": "Closed", "answers": 90, "came": None, "minimum": 50,
        "period": None,
        "since": "2026-09-30", "closed_early": True, "away": False, "headline": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("period", "names", "said"),
    [
        ("week", ("2026-W41", "2026-W42", "2026-W43"), "week of 12 October; 150 in all"),
        ("day", ("2026-10-05", "2026-10-06", "2026-10-07"), "6 October; 150 in all"),
        ("month", ("2026-10", "2026-11", "2026-12"), "November 2026; 150 in all"),
    ],
)
def test_of_several_periods_the_answers_are_those_of_the_finding(
    period: str, names: tuple[str, str, str], said: str
) -> None:
    entry = at(LATER, period=period, closes=None)
    states = [(RELEASED, 60), (RELEASED, 90), (OPEN, 0)]
    told = [
        Standing(at, "", name, state, shown, shown, False)
        for at, (name, (state, shown)) in enumerate(zip(names, states, strict=True))
    ]
    entry = replace(entry, standings=told)
    assert entry.of_period is not None
    assert (english(entry.answers), english(entry.of_period)) == ("90", said)
    assert entry.to_dict(None)["period"] == {"name": names[1], "answers": 90}
    assert at(LATER, 90).of_period is None


def test_of_a_crowd_nobody_here_knows_how_many_answers_lie_at_the_mixer() -> None:
    """So nothing is said of them, and nobody is reminded in vain."""
    survey = in_a_crowd(None, opens=OPENS, closes=CLOSES)
    row = SurveyRow(survey.digest, survey.name, survey.document, "ann", "2026-09-30", None, False)
    entry = SurveyEntry(row, survey, Doors(survey, None), [], Calendar(BERLIN, seconds("2026-11-30T12:00:00Z")))
    assert survey.crowd is not None
    least = survey.crowd.least
    assert entry.silence == Statement("nothing_handed_over_yet", least=least)
    assert english(entry.silence).endswith(f"answers lie at the mixer until they are {least}.")
    assert needs(entry) == []
