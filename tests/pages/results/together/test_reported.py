"""How many reported on a question, in words."""

from __future__ import annotations

from dataclasses import replace

from tests.pages.results.worlds import CARS, a_survey, column, period_of

import deniable as dn
from deniable.estimation.census import Census
from deniable.intake.phases import Phase
from deniable.intake.storage.rows import SurveyRow
from deniable.pages.results.about import reported
from deniable.pages.results.period_view import PeriodView
from deniable.protocol.say import english


def test_all_are_said_to_have_reported_only_where_that_is_known() -> None:
    """Of more answers than people nobody knows whose they are, though as many reported on the question as are meant."""
    survey = a_survey("meant")
    estimate = survey.estimate(survey.tally(survey.answer_many({"way": column(CARS, 50)}, seed=1)))["way"]
    row = SurveyRow(survey.digest, survey.name, survey.document, "ann", "2026-01-01", None, False)
    found = PeriodView(row, survey, "once", (), Phase.RELEASED, 51)
    people = estimate.n
    whole, crowd = (
        english(reported(found, replace(estimate, census=Census(people, answered)), people).words)
        for answered in (people, people + 1)
    )
    assert whole.endswith("reports on this question came, as many as people were asked.")
    assert crowd.startswith("50 reports on this question: more answers than people, 51 of 50: some answered twice")


def test_of_own_words_all_who_reported_are_counted_not_those_alone_who_sent_the_whole_text() -> None:
    """The others sent beginnings of their texts, by which texts are found: they reported on the question too."""
    words = dn.Survey.plan("words", [dn.Text("wish", 8), dn.Number("m", 0, 60, 5, "min")], 4.0, 3000, grace=0)
    found = period_of(words, {"wish": ["bus lane", "showers"] * 1500, "m": [5 * (n % 13) for n in range(3000)]})
    assert found.results is not None
    told = {name: reported(found, found.results[name], found.results.devices(name)) for name in ("wish", "m")}
    assert sum(each.n for each in told.values()) == 3000
    whole = found.results["wish"].n
    assert whole < told["wish"].n / 2
    assert english(told["wish"].words).endswith(
        f"drawn by lot. {whole} of them sent what tells the shares, the others what finds the words."
    )
    assert english(told["m"].words).endswith("of 3,000 devices reported on this question, drawn by lot.")
