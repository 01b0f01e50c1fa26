"""Results are worked out as soon as their answers are counted; one that fails holds up no other."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest
from tests.pages.results.worlds import CARS, a_survey, column

import deniable as dn
from deniable.intake.phases import Phase
from deniable.intake.storage.rows import SurveyRow
from deniable.pages.results import readings, survey_view
from deniable.pages.results.period_view import PeriodView, read
from deniable.pages.results.readings import Readings, ResultsAhead


def row_of(survey: dn.Survey) -> SurveyRow:
    return SurveyRow(survey.digest, survey.name, survey.document, "ann", "2026-01-01", None, False)


class Desk:
    """Surveys whose results may be read, and which were looked at."""

    def __init__(self, names: list[str]) -> None:
        self.surveys = [a_survey(name) for name in names]
        self.rows = [row_of(each) for each in self.surveys]
        self.looked: list[tuple[str, str | None]] = []
        self.views: dict[str, PeriodView] = {}

    def look(self, row: SurveyRow, period: str | None) -> PeriodView:
        self.looked.append((row.name, period))
        if row.name == "broken":
            raise ValueError("no result")
        survey = next(each for each in self.surveys if each.name == row.name)
        tally = survey.tally(survey.answer_many({"way": column(CARS, 500)}, seed=len(self.looked))).to_bytes()
        found = PeriodView(row, survey, "once", (), Phase.RELEASED, 500, read(tally), tally)
        self.views[row.name] = found
        return found


def ran(desk: Desk, until: Callable[[], bool], then: Callable[[ResultsAhead], None] = lambda _: None) -> None:
    """Work ahead of the readers of a desk until something holds."""

    async def run() -> None:
        work = ResultsAhead(Readings(), desk.look)
        work.start(lambda: desk.rows)
        then(work)
        while not until():
            await asyncio.sleep(0.005)

    asyncio.run(asyncio.wait_for(run(), 60))


def test_the_newest_come_first_and_one_that_fails_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "AT_START", 3)
    desk = Desk(["oldest", "old", "broken", "new"])
    before = survey_view.sections.cache_info().currsize
    ran(desk, lambda: survey_view.sections.cache_info().currsize >= before + 2)
    assert desk.looked == [("new", None), ("broken", None), ("old", None)]
    hits = survey_view.sections.cache_info().hits
    assert survey_view.survey_view(desk.views["old"]).sections[0].sentence
    assert survey_view.sections.cache_info().hits == hits + 1, "its first reader waits for nothing"


def test_a_period_is_read_again_once_however_often_it_was_counted() -> None:
    desk = Desk([])
    desk.surveys.append(a_survey("counted"))
    row = row_of(desk.surveys[0])

    def count(work: ResultsAhead) -> None:
        for _ in range(2):
            thread = threading.Thread(target=work.counted, args=(row, "2026-W36"))
            thread.start()
            thread.join()

    ran(desk, lambda: "counted" in desk.views, count)
    assert desk.looked == [("counted", "2026-W36")]
