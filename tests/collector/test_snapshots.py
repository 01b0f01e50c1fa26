"""What readers see of an open period: no two snapshots differ by few reports of any arm."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable as dn
from deniable.collector.snapshots import FEWEST, renewed
from deniable.surveys.tally import SurveyTally

QUESTIONS = [dn.OneOf(f"q{k}", ["yes", "no"]) for k in range(4)]


def a_survey(weights: list[int], minimum: int = 50) -> dn.Survey:
    """A survey that asks each device one of four questions, with these weights."""
    arms = [
        dn.Arm(dn.Part(question, dn.RandomizedResponse(["yes", "no"], 1.0)), weight)
        for question, weight in zip(QUESTIONS, weights, strict=True)
    ]
    return dn.Survey("arms", QUESTIONS, arms, minimum=minimum)


def tally_of(survey: dn.Survey, people: list[int]) -> SurveyTally:
    """So many answers to each arm."""
    arms = zip(survey.arms, people, strict=True)
    return SurveyTally(survey, tuple((arm.parts[0].mechanism.tally([k % 2 for k in range(n)]),) for arm, n in arms))


@pytest.mark.parametrize(
    ("before", "now", "is_time"),
    [
        ([0, 0, 0, 0], [10, 10, 10, 20], True),
        ([0, 0, 0, 0], [10, 10, 10, 19], False),  # 49 of all
        ([0, 0, 0, 0], [20, 20, 20, 9], False),  # nine of one arm
        ([0, 0, 0, 0], [30, 20, 0, 0], True),  # nobody in two arms
        ([30, 20, 0, 0], [60, 40, 0, 1], False),  # one report of an arm, by itself
        ([30, 20, 12, 0], [60, 40, 12, 0], True),
    ],
)
def test_a_snapshot_is_renewed_arm_by_arm(before: list[int], now: list[int], is_time: bool) -> None:
    survey = a_survey([1, 1, 1, 1])
    found = renewed(survey, tally_of(survey, before), tally_of(survey, now))
    assert found == (tally_of(survey, now) if is_time else None)


def test_arms_that_few_draw_are_shown_at_closing_only() -> None:
    survey = a_survey([100, 100, 3, 1])
    found = renewed(survey, survey.tally(), tally_of(survey, [60, 60, 10, 5]))
    assert found == tally_of(survey, [60, 60, 10, 0])
    again = renewed(survey, tally_of(survey, [60, 60, 10, 0]), tally_of(survey, [100, 100, 10, 90]))
    assert again == tally_of(survey, [100, 100, 10, 0])


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.lists(st.integers(1, 200), min_size=4, max_size=4))
def test_whoever_subtracts_snapshots_gets_at_nobody(seed: int, minimum: int, weights: list[int]) -> None:
    """Answers come one by one or in bursts, and after each a reader looks."""
    survey, rng = a_survey(weights, minimum), np.random.default_rng(seed)
    people, shown = np.zeros(4, int), [survey.tally()]
    for _ in range(30):
        people += rng.multinomial(rng.integers(1, 40), np.array(weights) / sum(weights))
        found = renewed(survey, shown[-1], tally_of(survey, people.tolist()))
        shown += [] if found is None else [found]
    for before, after in pairwise(shown):
        further = [a[0].n - b[0].n for a, b in zip(after.arms, before.arms, strict=True)]
        assert sum(further) >= minimum
        assert all(n == 0 or n >= FEWEST for n in further)
