"""Figures of the tutorials that no example prints, computed: what they rest on, and that the pages have them."""

from __future__ import annotations

import math

import pytest
from tests.house.test_page_figures import words

import deniable as dn
from deniable.surveys.encoders import Point
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
