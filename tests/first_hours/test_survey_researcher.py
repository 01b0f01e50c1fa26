"""A survey researcher has one sensitive question and two others, 500 people, and their answers in a spreadsheet."""

from __future__ import annotations

import random

import pytest
from tests.first_hours.conftest import Hour

PLAN = """
name = "work"
title = "Violence at work"
epsilon = 1.5
people = 500
cross = [["ward", "hurt"]]

[[question]]
kind = "one_of"
name = "ward"
labels = ["surgery", "psychiatry", "other"]

[[question]]
kind = "one_of"
name = "hurt"
wording = "Have you experienced violence at work this year?"
labels = ["yes", "no"]

[[question]]
kind = "number"
name = "years"
low = 0
high = 40
unit = "years"
"""


@pytest.mark.minutes(3)
def test_from_a_spreadsheet_to_a_crossed_table(hour: Hour) -> None:
    hour.write("work.toml", PLAN)
    planned = hour.deniable("survey new work.toml --out work.json")
    assert "ward and hurt" in hour.deniable("explain work.json")
    assert "people tell of the mean of years: give or take" in planned
    rng = random.Random(1)
    wards = rng.choices(["surgery", "psychiatry", "other"], [3, 2, 5], k=500)
    rows = [f"{ward},{'yes' if rng.random() < 0.4 else 'no'},{rng.randrange(40)}" for ward in wards]
    hour.write("people.csv", "\n".join(["ward,hurt,years", *rows]))
    hour.deniable("survey answer work.json people.csv --out answers")
    hour.deniable("survey tally answers --out work.tally")
    found = hour.deniable("survey estimate work.tally --cross ward,hurt")
    assert "ward by hurt" in found
    assert "the answers are independent: p =" in found
    assert "median" in hour.deniable("survey estimate work.tally")
    assert "must be" in hour.deniable("survey answer work.json work.toml --out again", code=2)
