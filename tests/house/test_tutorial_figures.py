"""Figures of the pages that no example prints, computed: what they rest on, and that the pages have them."""

from __future__ import annotations

import math
import re

import pytest
from tests.house.house_tree import DOCS, words

import deniable as dn
from deniable.protocol.questions.number import Point
from deniable.theory.numbers.staggered import parts, prefix_bound, risks

FEATURES = [f"feature {number:02}" for number in range(1, 41)]
MARGIN = 196
"""From a standard error to the give or take of 95 of 100 surveys, in points."""


def test_two_features_of_forty_are_asked_rather_than_all_of_them() -> None:
    used, people = dn.AnyOf("used", FEATURES), 50_000
    planned = dn.Survey.plan("features", [used], 2.0, people)
    every = dn.Survey("features", [used], [dn.Arm(dn.Part(used, dn.ItemResponse(FEATURES, 2.0 / 40)))])
    assert every.promise.level == planned.promise.level == 2.0
    few, all_of_them = (MARGIN * survey.expected(people)["used"].error for survey in (planned, every))
    page = words("tutorial-features.md")
    assert f"right within {few:.1f} points. If every device answered for all forty" in page
    assert f"it would be right only within {all_of_them:.1f} points" in page


def test_ranges_err_as_little_as_the_page_says() -> None:
    ratios = {
        epsilon: [risks(d, parts(d), epsilon).prefix / prefix_bound(d, epsilon) for d in (64, 256, 1024)]
        for epsilon in (1.0, 2.0, 3.0)
    }
    said = [f"{min(found):.2f} to {max(found):.2f}" for found in ratios.values()]
    assert "{} times the least possible at epsilon 1, {} times at epsilon 2 and {} times at 3".format(*said) in words(
        "tutorial-numbers.md"
    )


def test_one_in_four_reports_on_the_mean() -> None:
    age = dn.Number("age", 17, 45, step=0.5)
    arms = dn.Survey.plan("marriages", [age], 2.0, 6366).arms
    on_the_mean = math.fsum(arm.weight for arm in arms if isinstance(arm.parts[0].encoder, Point))
    assert on_the_mean / math.fsum(arm.weight for arm in arms) == pytest.approx(1 / 4)
    assert "One in four reports on the mean" in words("tutorial-numbers.md")


# --- truths beside the estimates --------------------------------------------------------------------------------


def test_the_true_answers_of_the_survey_about_marriages() -> None:
    women = pytest.importorskip("statsmodels.api").datasets.fair.load_pandas().data
    affair, long = women.affairs > 0, women.yrs_married >= 9
    rates = {"poor": women.rate_marriage <= 2, "fair": women.rate_marriage == 3, "good": women.rate_marriage >= 4}
    yes, no = ([f"{(asked & rate).mean():.1%}" for rate in rates.values()] for asked in (affair, ~affair))
    page = words("tutorial-survey.md")
    assert f"{yes[0]}, {yes[1]} and {yes[2]} with an affair, and {no[0]}, {no[1]} and {no[2]} without" in page
    change = affair[long].mean() - affair[~long].mean()
    assert f"The true difference is {100 * change:.1f}." in page
    assert f"{len(women):,} women answered" in page


def test_the_features_whose_intervals_miss_the_truth_are_named() -> None:
    text = (DOCS / "tutorial-features.md").read_text(encoding="utf-8")
    row = re.compile(r"^ feature (\d+) +[\d.]+% +([\d.]+)% to ([\d.]+)% +[\d,]+ +([\d.]+)%$", re.MULTILINE)
    found = [(int(number), *map(float, rest)) for number, *rest in row.findall(text)]
    missed = [number for number, low, high, truth in found if not low <= truth <= high]
    assert len(found) == 40
    assert missed == [18, 28, 36]
    assert "here three do: those of features 18, 28 and 36" in words("tutorial-features.md")


# --- what epsilon means ------------------------------------------------------------------------------------------


def most(before: float, epsilon: float) -> float:
    """The largest probability of a guess after a report."""
    odds = before / (1 - before) * math.exp(epsilon)
    return odds / (1 + odds)


def factor(epsilon: float) -> str:
    """e^epsilon in three digits, and in all that it has before the point."""
    found = math.exp(epsilon)
    return f"{found:,.0f}" if found > 1000 else f"{found:.3g}"


def upwards(part: float) -> str:
    """A part of 100, rounded up."""
    found = math.ceil(100 * part)
    return "nearly certain" if found == 100 else f"{found} in 100"


@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 3, 4, 8])
def test_what_choosing_epsilon_says_of_guesses_is_rounded_outwards(epsilon: float) -> None:
    rare, even = most(1 / 50, epsilon), most(1 / 2, epsilon)
    first = f"1 in {math.floor(1 / rare)}" if rare < 1 / 2 else upwards(rare)
    least = math.floor(100 * (1 - even))
    row = [f"{epsilon:g}", factor(epsilon), first, upwards(even), f"{least} in 100" if least else "nearly never"]
    assert f"| {' | '.join(row)} |" in words("choosing-epsilon.md")


@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 3])
def test_what_the_privacy_officer_reads_of_guesses_is_rounded_up(epsilon: float) -> None:
    first, *others = [math.ceil(100 * most(before, epsilon)) for before in (0.01, 0.1, 0.5)]
    row = [f"{epsilon:g}", factor(epsilon), f"{first} in 100", *map(str, others)]
    assert f"| {' | '.join(row)} |" in words("privacy-officer.md")


@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 3])
def test_how_often_warner_s_coin_tells_the_truth(epsilon: float) -> None:
    truth = dn.RandomizedResponse(["yes", "no"], epsilon).channel().probabilities[0, 0]
    assert f"| {epsilon:g} | {factor(epsilon)} | {truth:.0%} of the time |" in words("privacy.md")


def test_what_a_small_epsilon_costs() -> None:
    question, people = dn.OneOf("q", ["yes", "no"]), 2000
    small = dn.Survey.plan("s", [question], 0.5, people).expected(people)["q"].error
    openly = math.sqrt(1 / 4 / people)
    page = words("choosing-epsilon.md")
    assert f"Without any noise 2,000 people leave ±{MARGIN * openly:.1f} points" in page
    assert round(small / openly) == 4
    assert "four times the margin, or sixteen times the people" in page
