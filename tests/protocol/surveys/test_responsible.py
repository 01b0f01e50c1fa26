"""Who is responsible for a survey: texts of its author's, part of the digest, of which none is empty."""

from __future__ import annotations

from typing import Any

import pytest
from tests.wire.generate.wordings import RESPONSIBLE, worded

import deniable as dn
from deniable.protocol.surveys.responsible import RESPONSIBLE as STATED
from deniable.surveys.authoring import survey_from_toml

NAMES = "controller, officer, authority, legal_basis, host, rights"
PLAN = """
name = "night-duty"
epsilon = 1.0
people = 1800

[responsible]
rights = "You can complain."
controller = "Northfield Hospital"

[[question]]
name = "hit"
labels = ["yes", "no"]
"""


def test_what_is_stated_is_part_of_the_survey() -> None:
    survey, _ = survey_from_toml(PLAN)
    assert survey.responsible == {"controller": "Northfield Hospital", "rights": "You can complain."}
    assert survey.label().to_dict()["responsible"] == survey.responsible
    other, _ = survey_from_toml(PLAN.replace("Hospital", "Clinic"))
    assert other.digest != survey.digest
    head, rest = PLAN.split("[responsible]")
    without, _ = survey_from_toml(head + rest[rest.index("[[question]]") :])
    assert without.responsible is None
    assert "responsible" not in without.to_dict()


def test_all_of_it_comes_back_from_its_text() -> None:
    survey = worded()["who is responsible"]
    assert tuple(survey.responsible or ()) == STATED
    assert dn.Survey.from_json(survey.to_json()).responsible == RESPONSIBLE
    longest = {"rights": "\U0001d54f" * 4000}
    assert dn.Survey("x", survey.questions, survey.arms, responsible=longest).responsible == longest


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, f"responsible must hold one or more texts by {NAMES}, got none"),
        ("the council", f"responsible must hold one or more texts by {NAMES}, got str"),
        ({"owner": "x"}, f"responsible must hold texts by {NAMES}, got 'owner'"),
        ({"host": ""}, "responsible host must have a text or be left out, got an empty one"),
        ({"host": 1}, "responsible host must be text in Unicode of at most 4000 characters, got int"),
        ({"host": "\ud800"}, "responsible host must be text in Unicode of at most 4000 characters, got"),
    ],
)  # fmt: skip
def test_other_texts_are_refused(given: Any, said: str) -> None:
    part = worded()["a kiosk"]
    with pytest.raises(dn.ParameterError) as refusal:
        dn.Survey("x", part.questions, part.arms, responsible=given)
    assert str(refusal.value).startswith(said)
