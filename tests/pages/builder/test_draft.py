"""A draft is kept letter by letter; files and forms that anybody may have changed are it, or refused."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from deniable.pages.builder.draft import MOST_ANSWERS, MOST_BYTES, MOST_QUESTIONS, Draft
from deniable.pages.builder.draft_survey import survey_of
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.protocol.errors import ParameterError

WAY = DraftQuestion("How?", "one_of", ("car", "bus", "", " bike"), groups={"car": "motor"})
WHOLE = Draft(
    title="How we come to work",
    questions=(WAY, dataclasses.replace(WAY, wording="Why?")),
    people="500",
    closes="2030-01-01 8:00",
    zone="Europe/Berlin",
)


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(WHOLE.to_json()), **fields})


def asked(**fields: Any) -> list[dict[str, Any]]:
    return [{**dataclasses.asdict(WAY), **fields}]


def test_a_draft_comes_back_as_it_went_whatever_was_typed() -> None:
    assert Draft.from_json(WHOLE.to_json()) == WHOLE
    odd = dataclasses.replace(WHOLE, people="a few", epsilon="", minimum="-1", closes="soon", zone="Atlantis")
    assert Draft.from_json(odd.to_json()) == odd
    assert (odd.expected_people, odd.level, odd.least) == (None, None, None)


@pytest.mark.parametrize(
    "fields",
    [
        {"format": 0}, {"people": 500}, {"people": None}, {"census": 1}, {"step": "open"}, {"more": 1},
        {"title": "\ud800"}, {"title": None}, {"title": "x" * MOST_BYTES},
        {"questions": []}, {"questions": asked() * (MOST_QUESTIONS + 1)}, {"questions": asked(kind="ballot")},
        {"questions": asked(protected="nobody")}, {"questions": asked(answers=["a"] * (MOST_ANSWERS + 1))},
        {"questions": asked(answers=[1, 2])}, {"questions": asked(groups={"car": 1})}, {"questions": asked(groups=[])},
        {"translations": {"de": {"Why?": 3}}}, {"translations": {"de": "x"}},
        {"responsible": {"host": 3}}, {"responsible": "x"},
        {"questions": asked(wanted=[3])}, {"questions": asked(low=3)}, {"questions": 3}, {"questions": [{}, 3]},
    ],
)  # fmt: skip
def test_what_no_form_leads_to_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="a draft must"):
        Draft.from_json(changed(**fields))


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"questions": [{}]}', "[" * 5000])
def test_other_texts_are_no_drafts(text: str) -> None:
    with pytest.raises(ParameterError, match="a draft must"):
        Draft.from_json(text)


def test_a_census_is_meant_for_the_people_who_are_expected() -> None:
    assert survey_of(WHOLE).population is None
    assert survey_of(dataclasses.replace(WHOLE, census=True)).population == 500


def test_what_is_stated_of_who_is_responsible_is_part_of_the_survey() -> None:
    assert survey_of(WHOLE).responsible is None
    stated = {"rights": "Complain", "owner": "nobody", "host": ""}
    assert survey_of(dataclasses.replace(WHOLE, responsible=stated)).responsible == {"rights": "Complain"}


def test_times_are_of_the_clock_on_the_wall() -> None:
    assert survey_of(WHOLE).closes == "2030-01-01T07:00:00Z"
    assert survey_of(dataclasses.replace(WHOLE, zone="")).closes == "2030-01-01T08:00:00Z"


def test_answers_are_trimmed_and_empty_ones_dropped() -> None:
    assert survey_of(WHOLE).questions[0].to_json()["labels"] == ["car", "bus", "bike"]


def test_a_question_left_empty_is_dropped() -> None:
    draft = dataclasses.replace(WHOLE, questions=(DraftQuestion(), WAY, DraftQuestion()))
    assert [place for place, _ in draft.asked] == [1]
    assert len(survey_of(draft).questions) == 1
    assert [place for place, _ in Draft().asked] == [0]


def test_titles_in_any_script_make_names_that_differ() -> None:
    names = [Draft(title=title).slug for title in ("通勤", "調査", "Wie kommst du?", "2026", "…")]
    assert len(set(names)) == len(names)
    for title, name in (("通勤", names[0]), ("…", names[-1])):
        assert survey_of(dataclasses.replace(WHOLE, title=title)).name == name


@pytest.mark.parametrize(
    "wordings", [("q 3", "q", "q"), ("q", "q 2", "q"), ("通勤", "通勤", "通勤"), ("q", "q", "q", "q")]
)
def test_questions_have_names_of_their_own(wordings: tuple[str, ...]) -> None:
    draft = Draft(questions=tuple(dataclasses.replace(WAY, wording=wording) for wording in wordings))
    names = [question.name for question in draft.to_questions()]
    assert len(set(names)) == len(wordings)
