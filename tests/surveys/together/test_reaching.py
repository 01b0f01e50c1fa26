"""An error that is wanted and not reached is refused, with the least that the people reach."""

from __future__ import annotations

import re
from typing import Any

import pytest

import deniable as dn
from deniable.surveys.authoring import survey_from_fields

WAY = dn.OneOf("way", ["car", "bus", "bike", "foot"])


def test_a_plan_that_reaches_what_is_wanted_is_made() -> None:
    survey = dn.Survey.plan("lunch", [WAY], 2.0, 120, wanted=0.13)
    assert survey == dn.Survey.plan("lunch", [WAY], 2.0, 120)


def test_a_plan_that_does_not_says_what_can_be_reached() -> None:
    said = (
        "wanted must be an error that the survey reaches, 0.26 or more, got wanted=0.05; in points of 100, "
        "120 people reach give or take 7.7 at best, even unprotected; with epsilon 2 it is 13"
    )
    with pytest.raises(dn.ParameterError, match=f"^{re.escape(said)}$"):
        dn.Survey.plan("lunch", [WAY], 1.0, 120, wanted=0.05)


def test_points_of_100_are_no_share() -> None:
    with pytest.raises(dn.ParameterError, match=r"share below 1, such as 0\.1 for 10 points of 100, got wanted=5$"):
        dn.Survey.plan("lunch", [WAY], 2.0, 120, wanted=5)


def test_what_is_said_is_what_plans_of_these_levels_expect() -> None:
    best, middling = (
        1.959964 * dn.Survey.plan("lunch", [WAY], level, 120).expected(120)["way"].error for level in (32.0, 2.0)
    )
    assert (round(100 * best, 1), round(100 * middling)) == (7.7, 13)


@pytest.mark.parametrize(
    "questions",
    [[dn.AnyOf("used", 5)], [dn.Number("minutes", 0, 60)], [WAY, dn.Number("minutes", 0, 60), dn.Text("site", 8)]],
)
def test_every_kind_of_question_has_a_best(questions: list[Any]) -> None:
    with pytest.raises(dn.ParameterError, match=r"20 people reach give or take .* at best, even unprotected"):
        dn.Survey.plan("lunch", questions, 1.0, 20, wanted=0.01)


def test_under_middling_protection_no_stronger_one_is_compared() -> None:
    with pytest.raises(dn.ParameterError, match=r"at best, even unprotected$"):
        dn.Survey.plan("lunch", [WAY], 2.0, 120, wanted=0.05)


@pytest.mark.parametrize("wanted", [0, -1, "much", float("nan")])
def test_what_is_no_error_is_refused(wanted: Any) -> None:
    with pytest.raises(dn.ParameterError, match="wanted must be"):
        dn.Survey.plan("lunch", [WAY], 2.0, 120, wanted=wanted)


def test_a_file_may_say_what_is_wanted() -> None:
    fields = {
        "name": "lunch",
        "epsilon": 1.0,
        "people": 120,
        "question": [{"name": "way", "labels": 4}],
        "wanted": 0.05,
    }
    with pytest.raises(dn.ParameterError, match="120 people reach give or take"):
        survey_from_fields(fields)


def test_a_ranking_of_mechanisms_says_it_too() -> None:
    said = "10 people reach .* at best, even unprotected; with epsilon 2 it is"
    with pytest.raises(
        dn.ParameterError, match=rf"accuracy must be an error that is reached, got accuracy=0.01; {said}"
    ):
        dn.plan(4, users=10, accuracy=0.01)
