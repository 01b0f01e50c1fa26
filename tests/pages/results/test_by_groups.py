"""A question by groups: each group's own figures, and groups that are told apart only where they surely differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain

import numpy as np
import pytest
from scipy.stats import binom

import deniable as dn
from deniable.pages.results.by_groups import MOST_GROUPS, GroupsView, by_groups
from deniable.protocol.say import english
from deniable.surveys.results import Results

SURVEYS, ALARM = 300, 1e-6
QUESTION = dn.OneOf("hit", ["yes", "no"])
SURVEY = dn.Survey.plan("hit", [QUESTION], 2.0, 900, carrier="field")
HOURS = dn.Number("hours", 0, 40, unit="h")
LONG = dn.Survey.plan("hours", [HOURS], 4.0, 900, carrier="field")


def results(survey: dn.Survey, values: Sequence[object], seed: int) -> Results:
    """The results of people with these answers."""
    [name] = [question.name for question in survey.questions]
    return survey.estimate(survey.tally(survey.answer_many({name: list(values)}, seed=seed)))


def asked(shares: Sequence[float], people: int, seed: int) -> GroupsView:
    """Groups with these shares of yes, drawn by seed."""
    told = [np.where(np.arange(people) < share * people, "yes", "no").tolist() for share in shares]
    groups = {f"g{place}": results(SURVEY, each, seed + 1 + place) for place, each in enumerate(told)}
    found = by_groups(QUESTION, results(SURVEY, [*chain.from_iterable(told)], seed), groups)
    assert found is not None
    return found


def test_each_row_is_what_the_group_alone_tells() -> None:
    found = asked([0.1, 0.6], 300, 5)
    [answer] = found.answers
    assert answer.name == "yes", "of two answers the other one mirrors it"
    alone = results(SURVEY, ["yes"] * 180 + ["no"] * 120, 7)["hit"]
    low, high = alone.unclipped(0.95, simultaneous=False)[0]
    row = answer.rows[1]
    assert (row.label, row.n) == ("g1", 300)
    assert row.dot == pytest.approx(100 * alone.unbiased[0], abs=1e-3)
    assert (row.bands[0].start, row.bands[0].width) == pytest.approx((100 * low, 100 * (high - low)), abs=2e-3)
    assert answer.everybody.n == 600
    assert english(found.finding).startswith("More answer “yes” (by ")
    assert english(found.finding).endswith("in “g1” than in “g0”.")


def test_a_number_has_a_row_for_each_group_too() -> None:
    groups = {name: results(LONG, [hours] * 400, seed) for name, hours, seed in (("few", 5, 1), ("many", 30, 2))}
    found = by_groups(HOURS, results(LONG, [5] * 400 + [30] * 400, 3), groups)
    assert found is not None
    assert english(found.answers[0].name) == "Mean"
    assert len(found.answers[0].rows) == 2
    assert "higher" in english(found.finding)


def test_groups_that_are_alike_are_seldom_told_apart() -> None:
    """In at most 5 of 100 surveys, over all pairs: more are found in so many of these once in a million runs."""
    differ = sum("cannot" not in english(asked([0.3] * 4, 150, 10 * seed).finding) for seed in range(SURVEYS))
    assert binom.sf(differ - 1, SURVEYS, 0.05) > ALARM
    planted = sum("cannot" not in english(asked([0.1, 0.5, 0.3, 0.3], 150, 10 * seed).finding) for seed in range(30))
    assert planted > 20, "a difference that is there is found"


def test_many_groups_are_shown_and_not_compared() -> None:
    found = asked([0.3] * (MOST_GROUPS + 1), 20, 1)
    assert found.finding == ""
    assert len(found.answers[0].rows) == MOST_GROUPS + 1
    assert not any(math.isnan(row.dot or 0) for row in found.answers[0].rows)


def test_a_group_without_a_name_is_shown_and_of_one_nothing_is_compared() -> None:
    groups = {"": results(SURVEY, ["yes"] * 50, 1), "a": results(SURVEY, ["no"] * 50, 2)}
    found = by_groups(QUESTION, results(SURVEY, ["yes"] * 50 + ["no"] * 50, 3), groups)
    assert found is not None
    assert [english(row.label) for row in found.answers[0].rows] == ["not said", "a"]
    assert found.finding == ""
