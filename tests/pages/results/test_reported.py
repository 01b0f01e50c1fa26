"""How many reported on a question, in words."""

from __future__ import annotations

from dataclasses import replace

from tests.pages.results.worlds import CARS, a_survey, column

from deniable.collector.phases import Phase
from deniable.collector.storage.rows import SurveyRow
from deniable.estimation.census import Census
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.reported import reported
from deniable.protocol.say import english


def test_all_are_said_to_have_reported_only_where_that_is_known() -> None:
    """Of more answers than people nobody knows whose they are, though as many reported on the question as are meant."""
    survey = a_survey("meant")
    estimate = survey.estimate(survey.tally(survey.answer_many({"way": column(CARS, 50)}, seed=1)))["way"]
    row = SurveyRow(survey.digest, survey.name, survey.document, "ann", "2026-01-01", None, False)
    found = PeriodView(row, survey, "once", (), Phase.RELEASED, 51)
    people = estimate.n
    whole, crowd = (
        english(reported(found, replace(estimate, census=Census(people, answered))).words)
        for answered in (people, people + 1)
    )
    assert whole.endswith("of 50 asked reported on this question: all of them.")
    assert crowd.startswith("50 reports on this question: more answers than people, 51 of 50: some answered twice")
