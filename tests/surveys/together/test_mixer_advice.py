"""Advice that proposes a mixer, and advice on a survey that has one."""

from __future__ import annotations

import pytest

import deniable as dn
from deniable.surveys.authoring import advice_from_toml

WAY = dn.OneOf("way", ["car", "bus", "bike", "foot"])
TOML = """
name = "way"
owner = "North Hospital"
closes = "2027-01-01T00:00:00Z"
epsilon = 3.0
people = 1500
[[question]]
name = "way"
labels = ["car", "bus", "bike", "foot"]
[crowd]
mixer = "https://mixer.example"
operator = "Works Council"
least = 500
level = 1.0
"""


def test_a_mixer_is_proposed_where_it_helps_by_a_fifth_and_both_levels_are_said() -> None:
    advice = dn.advise([WAY], 1_500, 1.0, mixer=True)
    [option] = [each for each in advice.options if each.kind == "mixer"]
    assert option.errors["way"] < 0.5 * advice.now.errors["way"]
    assert "at least 500 at once" in option.what
    assert "If both put together what they have, a guess of 50 in 100 becomes 94 at most, not 74" in option.what
    crowd = option.to_dict()["crowd"]
    assert crowd["least"] == 500
    assert dn.crowd.level(option.survey, 450) <= crowd["level"] <= 1.0


@pytest.mark.parametrize(
    ("people", "level", "least"), [(199, 1.0, 0), (200, 1.0, 100), (9_999, 0.5, 2_000), (50_000, 0.5, 20_000)]
)
def test_the_crowd_is_the_largest_round_one_of_half_of_the_people(people: int, level: float, least: int) -> None:
    found = [each for each in dn.advise([WAY], people, level, mixer=True).options if each.kind == "mixer"]
    assert [each.changes[0].to for each in found] == ([least] if least else [])


def test_no_mixer_is_proposed_where_none_is_wanted_or_none_helps() -> None:
    assert "mixer" not in [each.kind for each in dn.advise([WAY], 1_500, 1.0).options]
    assert "mixer" not in [each.kind for each in dn.advise([WAY], 1_500, 3.0, mixer=True).options]
    partly = dn.OneOf("ill", ["ill", "well", "no answer"], sensitive=["ill"])
    assert "mixer" not in [each.kind for each in dn.advise([partly], 1_500, 1.0, mixer=True).options]


def test_a_file_with_a_crowd_is_advised_as_it_stands() -> None:
    advice = advice_from_toml(TOML)
    assert advice.now.survey.crowd is not None
    assert advice.now.errors["way"] < 0.04
    assert "mixer" not in [each.kind for each in advice.options]
