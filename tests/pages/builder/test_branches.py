"""Questions of a draft that follow others stay with them, or say in words why nobody gets to them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from starlette.datastructures import FormData

from deniable.pages.builder.branches import condition_in_words, fault_of_branch
from deniable.pages.builder.draft import Draft
from deniable.pages.builder.draft_survey import draft_of, survey_of
from deniable.pages.builder.editing import edited
from deniable.pages.builder.forms import faults_of_numbers, faults_of_questions, read_questions
from deniable.pages.builder.outlook import rehearsals
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.protocol.say import english

USED = DraftQuestion("Used?", "one_of", ("yes", "no"))
KIND = DraftQuestion("Which?", "one_of", ("drill", "saw", "plane"), after="0", given=("yes",))
HARD = DraftQuestion("Hard?", "scale", ("low", "high"), after="1", given=("drill", "saw"))
DRAFT = Draft(title="Tools", questions=(USED, KIND, HARD), people="4000", epsilon="3")


def pressed(draft: Draft, *buttons: str) -> Draft:
    """A draft after some buttons were pressed."""
    for button in buttons:
        found = edited(draft, button)
        assert found is not None
        draft = found.draft
    return draft


def typed(draft: Draft, *more: tuple[str, str], shown: int = 0) -> Draft:
    """A draft after one of its questions was typed in."""
    fields = [(f"answer-{shown}", answer) for answer in draft.questions[shown].answers]
    return read_questions(draft, FormData([("shown", f"{shown}"), *(more or fields)]))


def fault(draft: Draft) -> str:
    """What is said beside the field of the only question that nobody, or everybody, gets to."""
    faults = {name: each for name, each in faults_of_questions(draft, False).items() if name.startswith("after-")}
    [said] = faults.values()
    return english(said)


def test_a_draft_with_branches_is_a_survey_and_a_draft_again() -> None:
    assert not faults_of_questions(DRAFT, False)
    survey = survey_of(DRAFT)
    assert [each.only_if and (each.only_if.question, each.only_if.labels) for each in survey.questions] == [
        None,
        ("used", ("yes",)),
        ("which", ("drill", "saw")),
    ]
    again = draft_of(survey)
    assert [(each.after, each.given) for each in again.questions] == [
        ("", ()),
        ("0", ("yes",)),
        ("1", ("drill", "saw")),
    ]
    assert survey_of(Draft.from_json(DRAFT.to_json())).digest == survey.digest
    said = condition_in_words(DRAFT.questions, 2)
    assert said is not None
    assert english(said) == "Only after “drill” or “saw” to question 2"


def test_made_up_people_are_asked_only_what_follows() -> None:
    told = rehearsals(survey_of(DRAFT), 4000)
    assert [english(each.sentence)[:24] for each in told[1:]] == ["Of those who were asked:" for _ in told[1:]]


def test_moves_and_copies_take_along_what_follows() -> None:
    moved = pressed(DRAFT, "add", "up 3", "up 2", "up 1")
    assert [each.after for each in moved.questions] == ["", "", "1", "2"]
    assert [each.after for each in pressed(DRAFT, "copy 0").questions] == ["", "", "0", "2"]


def test_what_has_lost_its_question_says_so() -> None:
    assert "no longer stands before it" in fault(pressed(DRAFT, "remove 0"))
    assert "no longer stands before it" in fault(pressed(DRAFT, "up 1"))
    assert "no longer those of question 1" in fault(pressed(DRAFT, "answer-remove 0 0", "answer-add 0"))
    everybody = replace(DRAFT, questions=(USED, replace(KIND, given=("yes", "no"))))
    assert "after all of them everybody is asked" in fault(everybody)
    number = replace(KIND, kind="number", low="0", high="9")
    assert "Choose one of these, or ask everybody" in fault(replace(DRAFT, questions=(USED, number)))
    chain = (*DRAFT.questions, replace(HARD, wording="Why?", after="2", given=("low",)))
    assert fault(replace(DRAFT, questions=chain)) == "At most 3 questions can follow from each other."
    assert fault_of_branch(chain, 0) is None


def test_other_words_for_an_answer_are_followed() -> None:
    other = typed(DRAFT, ("answer-0", "often"), ("answer-0", "never"))
    assert other.questions[1].given == ("often",)
    assert not faults_of_questions(other, False)


def test_ticks_say_what_it_follows() -> None:
    first = typed(DRAFT, ("branch-2", "1"), ("only-2", "0 1"), ("only-2", "1 0"), shown=2).questions[2]
    assert (first.after, first.given) == ("0", ("no",)), "another question takes the place of the one before"
    none = typed(DRAFT, ("branch-2", "1"), shown=2).questions[2]
    assert (none.after, none.given) == ("", ())
    assert typed(DRAFT, ("branch-2", "1"), ("only-2", "9 9"), ("only-2", "x"), shown=2).questions[2].after == ""


def test_nobody_is_asked_more_by_leaving_a_lost_branch_as_it_is() -> None:
    lost = pressed(DRAFT, "remove 0")
    assert "no longer stands before it" in fault(typed(lost, ("branch-0", "1")))
    everybody = typed(lost, ("branch-0", "1"), ("everybody-0", "on"))
    assert everybody.questions[0].after == ""


def test_a_table_of_scales_is_typed_and_edited_as_one() -> None:
    asked = DraftQuestion("Do you agree?", "scale", ("no", "partly", "yes"), after="0", given=("yes",))
    draft = typed(replace(DRAFT, questions=(USED, asked)), ("rows-1", "My pay is fair\n\n My days  are calm"), shown=1)
    assert draft.questions[1].rows == ("My pay is fair", "My days are calm")
    assert not faults_of_questions(draft, False)
    survey = survey_of(draft)
    assert [(each.wording, each.words.heading) for each in survey.questions] == [
        ("Used?", ""),
        ("My pay is fair", "Do you agree?"),
        ("My days are calm", "Do you agree?"),
    ]
    assert {each.only_if is None for each in survey.questions[1:]} == {False}
    again = draft_of(survey).questions
    assert (again[1].wording, again[1].rows, again[1].after) == ("Do you agree?", draft.questions[1].rows, "0")
    assert [each.to_json() for each in replace(draft, questions=again).to_questions()] == [
        each.to_json() for each in survey.questions
    ]
    assert "no longer stands before it" in fault(replace(draft, questions=(*draft.questions, replace(KIND, after="1"))))


@pytest.mark.parametrize("place", [0, 1])
def test_what_is_protected_in_part_has_no_branch(place: int) -> None:
    questions = [*DRAFT.questions[:2]]
    questions[place] = replace(questions[place], protected="some", chosen=questions[place].answers[:1])
    faults = faults_of_numbers(replace(DRAFT, questions=tuple(questions)))
    assert "protects everybody" in english(faults[f"protected-{place}"])
