"""A mixer in the builder: where it is offered, what each party can find out, and what it needs before it opens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deniable.pages.builder.draft import Draft
from deniable.pages.builder.draft_survey import draft_of, survey_of
from deniable.pages.builder.form_views import learn_values
from deniable.pages.builder.forms import faults_of_learning
from deniable.pages.builder.mixing import may_mix, party_levels
from deniable.pages.builder.presets import example_in
from deniable.protocol.say import english
from deniable.protocol.surveys.protection import Protection

MIXED = replace(
    example_in("work", "en"),
    epsilon="2",
    owner="Works Council",
    mixed=True,
    operator="University of Northfield",
    mixer="https://mixer.example",
    closes="2027-03-01T18:00",
)
NOW = 1_790_000_000.0


@pytest.mark.parametrize(
    ("draft", "offered"),
    [
        (Draft(people="1800"), True),
        (Draft(people="199"), False),
        (Draft(), False),
        (Draft(people="1800", kiosk=True), False),
        (Draft(people="9", mixed=True), True),
    ],
)
def test_a_mixer_is_offered_where_half_of_the_people_are_a_crowd(draft: Draft, offered: bool) -> None:
    assert may_mix(draft) is offered


def test_what_the_asking_side_sees_is_less_than_what_both_see() -> None:
    survey = survey_of(MIXED)
    assert survey.crowd is not None
    assert (survey.crowd.least, survey.crowd.made_up) == (500, 50)
    alone, both, mixer = party_levels(survey)
    assert alone.directly == both.directly == both.mixed == mixer.mixed == Protection(2.0).most()
    assert alone.mixed < both.mixed
    assert alone.mixed == Protection(float(survey.crowd.belief or 0)).most()
    assert mixer.directly is None
    assert party_levels(survey_of(replace(MIXED, mixed=False))) == []


def test_both_levels_are_told_before_anybody_said_who_mixes() -> None:
    bare = replace(MIXED, owner="", operator="", mixer="http://elsewhere.example", closes="")
    outcome = learn_values(bare, [])["outcome"]
    assert [party.mixed for party in outcome["parties"]] == [party.mixed for party in party_levels(survey_of(MIXED))]
    assert set(faults_of_learning(bare, NOW)) == {"operator", "mixer", "closes", "survey"}
    assert faults_of_learning(MIXED, NOW) == {}
    [wrong] = faults_of_learning(replace(MIXED, batch="2000"), NOW).values()
    assert english(wrong) == "Write a whole number, at most how many people you expect."


def test_the_next_author_finds_the_mixer_of_the_last_one() -> None:
    copied = draft_of(survey_of(MIXED), 1800)
    assert (copied.mixed, copied.operator, copied.mixer, copied.batch) == (True, MIXED.operator, MIXED.mixer, "500")
    assert not draft_of(survey_of(replace(MIXED, mixed=False)), 1800).mixed
