"""Two answers compared: intervals that cover, verdicts that are rarely wrong, nothing assumed that is not known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from tests.pages.results.worlds import CARS

import deniable as dn
from deniable.pages.results.apart import Apart, apart

LABELS, SHARES = list(CARS), list(CARS.values())
SURVEYS = 400
LEAST = stats.binom.ppf(1e-6, SURVEYS, 0.95)
"""Intervals that hold in 95 of 100 surveys cover fewer by chance less than once in 10^6 such tests."""


def of(people: int, seed: int = 1) -> dn.Estimate:
    return dn.simulate(dn.RandomizedResponse(LABELS, 2.0), SHARES, users=people, seed=seed)


def covered(found: list[Apart], gap: float) -> int:
    return sum(each.low <= gap <= each.high for each in found)


@pytest.mark.parametrize(
    "made",
    [
        lambda: dn.RandomizedResponse(LABELS, 2.0),
        lambda: dn.Subset(LABELS, 1.0),
        lambda: dn.Rappor(LABELS, 1.0),
        lambda: dn.Hadamard(LABELS, 1.0),
        lambda: dn.Remembered(dn.RandomizedResponse(LABELS, 2.0), 1.0),
    ],
    ids=["response", "subset", "bits", "signs", "remembered"],
)
def test_a_difference_covers_the_truth_and_a_planted_bias_is_caught(made: Callable[[], dn.Mechanism]) -> None:
    """Car minus bus is 0.2."""
    mechanism = made()
    found = [apart(dn.simulate(mechanism, SHARES, users=2000, seed=seed), 0, 1) for seed in range(SURVEYS)]
    assert covered(found, 0.2) >= LEAST
    assert covered(found, 0.7) < LEAST


@pytest.mark.parametrize("people", [60, 300])
def test_a_difference_of_rare_answers_covers_the_truth(people: int) -> None:
    mechanism, shares = dn.RandomizedResponse(LABELS, 3.0), [0.02, 0.01, 0.95, 0.01, 0.01]
    found = [apart(dn.simulate(mechanism, shares, users=people, seed=seed), 0, 1) for seed in range(SURVEYS)]
    assert covered(found, 0.01) >= LEAST


def test_the_interval_is_shorter_than_if_errors_added_up_in_the_worst_way() -> None:
    found = of(3000)
    (low, other_low), (high, other_high) = found.evidence.interval(0.05)[:2].T
    joint = apart(found, 0, 1)
    assert joint.high - joint.low < 0.9 * ((high - other_low) - (low - other_high))
    assert joint.low > low - other_high
    assert joint.high < high - other_low


def test_the_other_way_round_it_is_the_same_difference() -> None:
    one, other = apart(of(3000), 0, 1), apart(of(3000), 1, 0)
    assert np.allclose([one.low, one.high], [-other.high, -other.low])


def test_two_answers_that_add_up_to_all_are_told_by_one() -> None:
    yes = dn.simulate(dn.RandomizedResponse(["yes", "no"], 1.0), [0.6, 0.4], users=3000, seed=1)
    low, high = yes.evidence.interval(0.05)[0]
    found = apart(yes, 0, 1)
    assert np.allclose([found.low, found.high], [2 * low - 1, 2 * high - 1])


def test_of_a_crossed_question_the_difference_covers_the_truth() -> None:
    """Its shares are added up from pairs, whose errors go together."""
    way, late = dn.OneOf("way", ["car", "bus", "foot"]), dn.OneOf("late", ["yes", "no"])
    survey = dn.Survey.plan("crossed", [way, late], 3.0, 1000, cross=[("way", "late")])
    draw, found = np.random.default_rng(1), []
    for seed in range(SURVEYS // 4):
        rows = {"way": draw.choice(["car", "bus", "foot"], 1000, p=[0.5, 0.3, 0.2]), "late": ["yes", "no"] * 500}
        told = survey.estimate(survey.tally(survey.answer_many(rows, seed=seed)))["way"]
        found.append(apart(told, 0, 1))
    assert covered(found, 0.2) >= stats.binom.ppf(1e-6, SURVEYS // 4, 0.95)


def test_of_lists_nothing_is_assumed_of_who_holds_both() -> None:
    """People who choose one answer may choose the other too: errors then may add up in the worst way."""
    used = dn.AnyOf("used", ["search", "share", "print"])
    survey = dn.Survey.plan("features", [used], 3.0, 3000)
    rows = {"used": [["search"], ["share"], ["search", "share"]] * 1000}
    told = survey.estimate(survey.tally(survey.answer_many(rows, seed=1)))["used"]
    (low, other_low), (high, other_high) = told.evidence.interval(0.05)[:2].T
    found = apart(told, 0, 1)
    assert np.allclose([found.low, found.high], [low - other_high, high - other_low])


def test_words_follow_the_sign() -> None:
    clear = of(50_000)
    assert "More people answer “car” than “bus”" in apart(clear, 0, 1).words
    assert "More people answer “car” than “bus”" in apart(clear, 1, 0).words
    assert apart(of(3000), 1, 3).words == "“bus” and “bike” cannot be told apart."


def test_equal_answers_are_told_apart_in_at_most_one_of_twenty_surveys() -> None:
    mechanism, even = dn.RandomizedResponse(LABELS, 2.0), [0.3, 0.3, 0.2, 0.1, 0.1]
    found = [apart(dn.simulate(mechanism, even, users=3000, seed=seed), 0, 1) for seed in range(SURVEYS)]
    assert sum(each.low > 0 or each.high < 0 for each in found) <= stats.binom.isf(1e-6, SURVEYS, 0.05)
