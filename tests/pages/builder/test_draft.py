"""A draft travels within forms that anybody may change: it is what the forms could have led to, or refused."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from deniable.pages.builder.draft import MOST_ANSWERS, MOST_QUESTIONS, Draft, DraftQuestion
from deniable.pages.builder.solving import give_or_take, survey_of
from deniable.protocol.errors import ParameterError

WAY = DraftQuestion("How?", "one_of", ("car", "bus", "bike"))
WHOLE = Draft(
    title="How we come to work", questions=(WAY, dataclasses.replace(WAY, wording="Why?")), closes="2030-01-01"
)


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(WHOLE.to_json()), **fields})


def asked(**fields: Any) -> list[dict[str, Any]]:
    return [{**dataclasses.asdict(WAY), **fields}]


def test_a_draft_comes_back_as_it_went() -> None:
    assert Draft.from_json(WHOLE.to_json()) == WHOLE


@pytest.mark.parametrize(
    "fields",
    [
        {"people": 0}, {"people": 10**10}, {"people": True}, {"people": 1.5},
        {"error": float("nan")}, {"error": float("inf")}, {"error": 0.0}, {"error": -1.0},
        {"epsilon": float("nan")}, {"epsilon": 0.0}, {"epsilon": 16.0},
        {"expected": float("inf")}, {"minimum": 0}, {"solve": "everything"},
        {"title": "x" * 4001}, {"title": "\ud800"}, {"title": None},
        {"questions": []}, {"questions": asked() * (MOST_QUESTIONS + 1)}, {"questions": asked(kind="ballot")},
        {"questions": asked(protected="nobody")}, {"questions": asked(answers=["a"] * (MOST_ANSWERS + 1))},
        {"questions": asked(answers=[1, 2])}, {"more": 1}, {"census": 1},
    ],
)  # fmt: skip
def test_what_no_form_leads_to_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="begin again"):
        Draft.from_json(changed(**fields))


def test_a_census_is_meant_for_the_people_who_are_expected() -> None:
    draft = dataclasses.replace(WHOLE, people=120)
    assert survey_of(draft).population is None
    assert survey_of(dataclasses.replace(draft, census=True)).population == 120
    assert give_or_take(survey_of(dataclasses.replace(draft, census=True)), 120) < give_or_take(survey_of(draft), 120)


def test_titles_in_any_script_make_names_that_differ() -> None:
    names = [Draft(title=title, questions=(WAY,)).slug for title in ("通勤", "調査", "Wie kommst du?", "2026", "…")]
    assert len(set(names)) == len(names)
    assert [survey_of(Draft(title=title, questions=(WAY,))).name for title in ("通勤", "…")] == [names[0], names[-1]]


@pytest.mark.parametrize(
    "wordings", [("q 3", "q", "q"), ("q", "q 2", "q"), ("通勤", "通勤", "通勤"), ("q", "q", "q", "q")]
)
def test_questions_have_names_of_their_own(wordings: tuple[str, ...]) -> None:
    draft = Draft(questions=tuple(dataclasses.replace(WAY, wording=wording) for wording in wordings))
    names = [question.name for question in draft.named()]
    assert len(set(names)) == len(wordings)
