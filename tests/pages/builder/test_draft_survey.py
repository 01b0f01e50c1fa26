"""A draft of what is there already: a survey, a file that was saved, an example."""

from __future__ import annotations

from dataclasses import replace

import pytest

import deniable as dn
from deniable.pages.builder.draft import Draft
from deniable.pages.builder.draft_survey import draft_of, draft_of_file, survey_of
from deniable.pages.builder.forms import faults_of_learning, faults_of_questions
from deniable.pages.builder.presets import EXAMPLES, example_in
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.kinds import kind_of
from deniable.protocol.errors import ParameterError
from deniable.surveys.authoring import EXAMPLE

WHOLE = Draft(
    title="Work",
    owner="The council",
    questions=(
        DraftQuestion("How?", "one_of", ("car", "bus", "bike"), silence=True),
        DraftQuestion("Which?", "any_of", ("a", "b", "none"), alone=("none",)),
        DraftQuestion("How long?", "number", low="0", high="60", step="0.5", unit="min", wanted=("mean", "spread")),
        DraftQuestion("Born?", "number", low="1940-01-01", high="2010-12-31"),
        DraftQuestion("Words?", "text"),
        DraftQuestion("Fair?", "scale", ("no", "partly", "yes")),
    ),
    people="900",
    census=True,
    epsilon="2",
    responsible={"controller": "The hospital"},
)


def test_a_survey_that_was_opened_is_a_draft_of_the_same_questions() -> None:
    survey = survey_of(WHOLE)
    draft = draft_of(survey)
    assert survey_of(draft).questions == survey.questions
    assert (draft.title, draft.owner, draft.people, draft.census) == ("Work", "The council", "900", True)
    assert draft_of_file(survey.to_json()) == draft


def test_a_draft_for_a_questionnaire_is_a_survey_that_its_field_carries() -> None:
    """It opens and closes with the questionnaire, and no phone in one room reaches it."""
    draft = replace(WHOLE, questions=WHOLE.questions[:1], questionnaire=True, closes="2020-01-01T00:00", lan=True)
    assert faults_of_learning(draft, 2e9) == {}
    survey = survey_of(draft)
    assert (survey.carrier, survey.closes, survey.lan) == ("field", None, False)
    assert draft_of(survey).questionnaire
    assert "closes" in faults_of_learning(replace(draft, questionnaire=False), 2e9)


def test_an_answer_that_is_protected_alone_stays_so() -> None:
    some = dn.OneOf("way", ["car", "bus", "bike"], ["bus"], wording="How?")
    draft = draft_of(dn.Survey.plan("some", [some], 2.0, 900), 900)
    assert survey_of(draft).questions[0].to_json()["sensitive"] == ["bus"]


def test_files_are_drafts_documents_and_plans() -> None:
    assert draft_of_file(WHOLE.to_json()) == WHOLE
    planned = draft_of_file(EXAMPLE)
    assert (planned.title, planned.people, planned.epsilon) == ("How we come to work", "5000", "2")
    assert [each.kind for each in planned.questions] == ["one_of", "one_of", "any_of"]


@pytest.mark.parametrize("place", EXAMPLES)
def test_an_example_is_written_in_the_language_of_its_author(place: str) -> None:
    english, german = (example_in(place, code) for code in ("en", "de"))
    assert (english.language, german.language) == ("en", "de")
    pairs = [(english.title, german.title), (english.purpose, german.purpose)]
    pairs += [(one.wording, two.wording) for one, two in zip(english.questions, german.questions, strict=True)]
    assert all(one and two and one != two for one, two in pairs)
    assert draft_of_file(german.to_json()) == german
    asked = replace(german.questions[0], kind="one_of", silence=True)
    assert kind_of(asked).to_question(asked, "asked").to_json()["no_answer"] == "Das möchte ich lieber nicht sagen"


@pytest.mark.parametrize("text", ["", "hello", "[1]", "{}", '{"arms": 3}', "name = 3", '{"format": 7}'])
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(dn.DenialError, match="must"):
        draft_of_file(text)


@pytest.mark.parametrize("key", EXAMPLES)
def test_each_example_can_be_opened_as_it_stands(key: str) -> None:
    draft = example_in(key, "en")
    assert faults_of_questions(draft, is_taken=False) == {}
    assert faults_of_learning(draft, 0.0) == {}
    assert Draft.from_json(draft.to_json()) == replace(draft)


def test_what_is_too_long_for_a_draft_is_refused() -> None:
    labels = [f"{number} {'long' * 40}" for number in range(1000)]
    survey = dn.Survey.plan("long", [dn.OneOf("way", labels, wording="How?")], 2.0, 900)
    with pytest.raises(ParameterError, match="KiB"):
        Draft.from_json(draft_of(survey).to_json())
