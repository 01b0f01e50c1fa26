"""What stands beneath a result, beside its questions and in its warnings, as numbers in words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.pages.results.worlds import CARS, a_survey, column, period_of

import deniable as dn
from deniable.estimation.numbers.distribution import Distribution
from deniable.pages.results.about import about, reported
from deniable.pages.results.cautions import made_up
from deniable.pages.results.numbers import numbers_view
from deniable.protocol.say import english
from deniable.surveys.survey import Survey


def protection(survey: Survey) -> str:
    told = dict(about(period_of(survey, {"way": column(CARS, 500)})))
    return {english(head): english(words) for head, words in told.items()}["Protection"]


def test_of_answers_that_are_given_afresh_both_levels_are_told() -> None:
    assert protection(a_survey("once")).endswith("a guess of 50 in 100 becomes 89 at most (ε = 2)")
    weekly = a_survey("weekly", period="week", repeat="fresh", cap=4.0)
    told = protection(weekly)
    assert "a guess of 50 in 100 becomes 99 at most (ε = 4)" in told
    assert told.endswith("; a guess of 50 in 100 becomes 89 at most in one week")


@pytest.mark.parametrize(("people", "told"), [(90, "1 in 100 of the answers"), (250, "2 of the 250 answers"),
    (1000, "10 of the 1,000 answers, 1 in 100,")])  # fmt: skip
def test_made_up_answers_are_no_more_than_was_worked_out(people: int, told: str) -> None:
    found = period_of(a_survey("open"), {"way": column(CARS, people)})
    assert found.results is not None
    [caution] = made_up(found, [("way", found.results["way"])])
    assert f"If {told} were made up" in english(caution.rest)


@pytest.mark.parametrize(("people", "said"), [(120, "120 reports on this question came, as many as people were asked."),
    (119, "119 of 120 asked reported on this question; the result takes the others to be like them.")])  # fmt: skip
def test_of_a_census_it_is_said_who_reported(people: int, said: str) -> None:
    found = period_of(a_survey("all", population=120), {"way": column(CARS, people)})
    assert found.results is not None
    assert english(reported(found, found.results["way"], people).words).startswith(said)


@pytest.mark.parametrize(("step", "is_told"), [(1, False), (10, True)])
def test_steps_of_a_number_are_told_where_answers_are_rounded(step: int, is_told: bool) -> None:
    question = dn.Number("minutes", 0, 60, step, "min")
    survey = dn.Survey.plan("time", [question], 2.0, 2000, grace=0)
    minutes: Sequence[int] = [20, 30] * 1000
    found = period_of(survey, {"minutes": minutes})
    assert found.results is not None
    result = found.results["minutes"]
    assert isinstance(result, Distribution)
    told = english(numbers_view(result, None).about)
    assert ("Each answer counts as the nearest of 0" in told) == is_told
