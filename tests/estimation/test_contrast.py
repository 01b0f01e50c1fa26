"""Two answers compared: intervals that cover, verdicts that are rarely wrong, nothing assumed that is not known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.estimation.contrast import LabelContrast
from deniable.estimation.evidence import JointlyKnown

LABELS, SHARES = ["car", "bus", "train", "bike", "foot"], [0.4, 0.2, 0.13, 0.19, 0.08]
pytestmark = pytest.mark.soak
SURVEYS, TALLIES = by_length((200, 1000), (2000, 10_000))
LEAST = stats.binom.ppf(1e-6, SURVEYS, 0.95)
"""Intervals that hold in 95 of 100 surveys cover fewer by chance less than once in 10^6 such tests."""


def of(people: int, seed: int = 1) -> dn.Estimate:
    return dn.simulate(dn.RandomizedResponse(LABELS, 2.0), SHARES, users=people, seed=seed)


def covered(found: list[LabelContrast], gap: float) -> int:
    return sum(each.low <= gap <= each.high for each in found)


@pytest.mark.parametrize(
    "made",
    [
        lambda: dn.RandomizedResponse(LABELS, 2.0),
        lambda: dn.Subset(LABELS, 1.0),
        lambda: dn.Rappor(LABELS, 1.0),
        lambda: dn.Hadamard(LABELS, 1.0),
        lambda: dn.Remembered(dn.RandomizedResponse(LABELS, 2.0), 1.0),
        lambda: dn.Remembered(dn.OptimizedUnary(LABELS, 2.0), 1.0),
        lambda: dn.Channel(LABELS, dn.RandomizedResponse(LABELS, 2.0).channel().probabilities),
    ],
    ids=["response", "subset", "bits", "signs", "remembered", "remembered bits", "matrix"],
)
def test_a_difference_covers_the_truth_and_a_planted_bias_is_caught(made: Callable[[], dn.Mechanism]) -> None:
    """Car minus bus is 0.2."""
    mechanism = made()
    found = [dn.simulate(mechanism, SHARES, users=2000, seed=seed).compare("car", "bus") for seed in range(SURVEYS)]
    assert covered(found, 0.2) >= LEAST
    assert covered(found, 0.7) < LEAST


@pytest.mark.parametrize("people", [60, 300])
def test_a_difference_of_rare_answers_covers_the_truth(people: int) -> None:
    mechanism, shares = dn.RandomizedResponse(LABELS, 3.0), [0.02, 0.01, 0.95, 0.01, 0.01]
    found = [dn.simulate(mechanism, shares, users=people, seed=seed).compare("car", "bus") for seed in range(SURVEYS)]
    assert covered(found, 0.01) >= LEAST


def test_the_interval_is_shorter_than_if_errors_added_up_in_the_worst_way() -> None:
    found = of(3000)
    (low, other_low), (high, other_high) = found.evidence.interval(0.05)[:2].T
    joint = found.compare("car", "bus")
    assert joint.high - joint.low < 0.9 * ((high - other_low) - (low - other_high))
    assert joint.low > low - other_high
    assert joint.high < high - other_low


def test_the_other_way_round_it_is_the_same_difference() -> None:
    one, other = of(3000).compare("car", "bus"), of(3000).compare("bus", "car")
    assert np.allclose([one.low, one.high], [-other.high, -other.low])


def test_two_answers_that_add_up_to_all_are_told_by_one() -> None:
    yes = dn.simulate(dn.RandomizedResponse(["yes", "no"], 1.0), [0.6, 0.4], users=3000, seed=1)
    low, high = yes.evidence.interval(0.05)[0]
    found = yes.compare("yes", "no")
    assert np.allclose([found.low, found.high], [2 * low - 1, 2 * high - 1])


def test_of_a_crossed_question_the_difference_covers_the_truth() -> None:
    """Its shares are added up from pairs, whose errors go together."""
    way, late = dn.OneOf("way", ["car", "bus", "foot"]), dn.OneOf("late", ["yes", "no"])
    survey = dn.Survey.plan("crossed", [way, late], 3.0, 1000, cross=[("way", "late")])
    draw, found = np.random.default_rng(1), []
    for seed in range(SURVEYS // 4):
        rows = {"way": draw.choice(["car", "bus", "foot"], 1000, p=[0.5, 0.3, 0.2]), "late": ["yes", "no"] * 500}
        told = survey.estimate(survey.tally(survey.answer_many(rows, seed=seed)))["way"]
        found.append(told.compare("car", "bus"))
    assert covered(found, 0.2) >= stats.binom.ppf(1e-6, SURVEYS // 4, 0.95)


def test_of_lists_nothing_is_assumed_of_who_holds_both() -> None:
    """People who choose one answer may choose the other too: errors then may add up in the worst way."""
    used = dn.AnyOf("used", ["search", "share", "print"])
    survey = dn.Survey.plan("features", [used], 3.0, 3000)
    rows = {"used": [["search"], ["share"], ["search", "share"]] * 1000}
    told = survey.estimate(survey.tally(survey.answer_many(rows, seed=1)))["used"]
    (low, other_low), (high, other_high) = told.evidence.interval(0.05)[:2].T
    found = told.compare("search", "share")
    assert np.allclose([found.low, found.high], [low - other_high, high - other_low])


def test_words_follow_the_sign() -> None:
    clear = of(50_000)
    assert "More people answer “car” than “bus”" in str(clear.compare("car", "bus"))
    assert "More people answer “car” than “bus”" in str(clear.compare("bus", "car"))
    assert str(of(3000).compare("bus", "bike")) == "“bus” and “bike” cannot be told apart."


def test_equal_answers_are_told_apart_in_at_most_one_of_twenty_surveys() -> None:
    mechanism, even = dn.RandomizedResponse(LABELS, 2.0), [0.3, 0.3, 0.2, 0.1, 0.1]
    found = [dn.simulate(mechanism, even, users=3000, seed=seed).compare("car", "bus") for seed in range(SURVEYS)]
    assert sum(each.low > 0 or each.high < 0 for each in found) <= stats.binom.isf(1e-6, SURVEYS, 0.05)


def test_another_level_has_another_interval_and_all_of_it_is_told_to_programs() -> None:
    found, wider = of(3000).compare("car", "bus"), of(3000).compare("car", "bus", level=0.99)
    assert wider.low < found.low < found.value < found.high < wider.high
    assert found.to_dict() == {
        "first": "car", "second": "bus", "value": found.value, "low": found.low, "high": found.high,
        "level": 0.95, "sentence": str(found),
    }  # fmt: skip


def test_a_stranger_and_a_label_beside_itself_are_refused() -> None:
    with pytest.raises(dn.LabelError, match="label must be one of the 5 that were estimated"):
        of(100).compare("car", "plane")
    with pytest.raises(dn.ParameterError, match="second must be another label than first, got the same"):
        of(100).compare("car", "car")


@pytest.mark.parametrize(
    "mechanism",
    [dn.Subset(range(4), 1.0, size=2), dn.OptimizedUnary(range(4), 1.0), dn.Channel(range(3), np.eye(3) * 0.5 + 1 / 6)],
    ids=["subset", "bits", "matrix"],
)
def test_evidence_knows_the_variance_of_a_contrast(mechanism: dn.Mechanism) -> None:
    """From tallies by the exact law: the chance of a false alarm is below 10^-6 for the mean of their squares."""
    rng, people = np.random.default_rng(1), np.array([500, 300, 200, 0])[: mechanism.law.labels]
    weights = np.array([1.0, -1.0, 0.0, 0.0])[: len(people)]
    surveys = [
        mechanism.estimate(mechanism.draw_tally(rng.multinomial(1000, people / 1000), rng)) for _ in range(TALLIES)
    ]
    drawn = np.array([found.unbiased @ weights for found in surveys])
    told = [found.evidence for found in surveys if isinstance(found.evidence, JointlyKnown)]
    stated = np.mean([found.contrast_variance(weights) for found in told])
    assert len(told) == len(surveys)
    assert (
        stats.chi2.ppf(5e-7, TALLIES - 1)
        < np.sum((drawn - drawn.mean()) ** 2) / stated
        < stats.chi2.isf(5e-7, TALLIES - 1)
    )
