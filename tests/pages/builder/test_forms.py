"""Forms are read into a draft letter by letter; what cannot stand is named by its field, in the field's own words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from starlette.datastructures import FormData, UploadFile

import deniable as dn
from deniable.pages.builder.draft import Draft
from deniable.pages.builder.draft_survey import survey_of
from deniable.pages.builder.editing import edited
from deniable.pages.builder.forms import (
    faults_of_learning,
    faults_of_numbers,
    faults_of_questions,
    faults_of_times,
    read_learning,
    read_questions,
)
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.protocol.say import english

NUMBER = {"wording-0": "How long?", "kind-0": "number", "low-0": "0", "high-0": "120", "unit-0": "min"}
AGES = DraftQuestion("How old?", "one_of", ("18-24", "25-30", "31+"))
BORN = dn.Number("how_long", "1940-01-01", "2010-12-31", 1, "min", wording="How long?")
WHOLE = Draft(title="Work", questions=(AGES,), people="5000", minimum="50")


def form(*more: tuple[str, str], **fields: str) -> FormData:
    written: list[tuple[str, str | UploadFile]] = [*fields.items(), *more]
    return FormData(written)


def first_form(*more: tuple[str, str], **fields: str) -> Draft:
    """The first form with one number, as it was sent."""
    ticked = (("want-0", "mean"), ("want-0", "ranges"))
    return read_questions(Draft(title="Work"), form(*(more or ticked), **{"shown": "0", **NUMBER, **fields}))


def wrong(draft: Draft) -> dict[str, str]:
    return {field: english(said) for field, said in faults_of_questions(draft, is_taken=False).items()}


def test_questions_that_the_form_does_not_show_stay_as_they_were() -> None:
    before = Draft(questions=(AGES, DraftQuestion("Why?"), AGES))
    draft = read_questions(before, form(("answer-1", "a"), ("answer-1", " b  c "), shown="1", **{"wording-1": "How?"}))
    assert draft.questions == (
        AGES,
        replace(before.questions[1], wording="How?", answers=("a", "b c"), wanted=()),
        AGES,
    )


def test_an_answer_that_stands_alone_does_so_wherever_it_is_moved() -> None:
    several = form(
        ("answer-0", "desk"),
        ("answer-0", ""),
        ("answer-0", "none"),
        ("alone-0", "2"),
        ("alone-0", "1"),
        ("alone-0", "9"),
        shown="0",
        **{"wording-0": "Where?", "kind-0": "any_of"},
    )
    draft = read_questions(Draft(title="Where"), several)
    assert draft.to_questions() == [dn.AnyOf("where", ["desk", "none"], "Where?", exclusive=["none"])]
    up = edited(draft, "answer-up 0 2")
    assert up is not None
    assert up.draft.to_questions() == draft.to_questions()


def test_many_answers_are_lines_of_one_field_and_a_list_is_added_to_fields() -> None:
    before = Draft(questions=(AGES,))
    assert read_questions(before, form(shown="0", **{"lines-0": "a\r\nb\n"})).questions[0].answers == ("a", "b")
    listed = form(("answer-0", "a"), ("answer-0", ""), shown="0", **{"list-0": "b\n\n c"})
    assert read_questions(before, listed).questions[0].answers == ("a", "", "b", "c")


def test_a_first_form_that_is_empty_says_what_it_needs() -> None:
    assert set(wrong(Draft())) == {"title", "wording-0", "answers-0"}
    assert (
        "“c” stands there twice" in wrong(replace(WHOLE, questions=(replace(AGES, answers=("c", "c ")),)))["answers-0"]
    )
    assert "lower-case" in wrong(replace(WHOLE, name="Not a name"))["name"]
    assert "another author" in english(faults_of_questions(WHOLE, is_taken=True)["name"])
    assert wrong(WHOLE) == {}


@pytest.mark.parametrize(
    ("low", "high", "step", "made"),
    [
        ("\N{MINUS SIGN}10,50", "120", "0,5", dn.Number("how_long", -10.5, 120, 0.5, "min", wording="How long?")),
        ("0", "1,5", ".5", None),
        ("0", "1,5", "0.5", dn.Number("how_long", 0, 1.5, 0.5, "min", wording="How long?")),
        ("0", "1,000", "1", dn.Number("how_long", 0, 1000, 1, "min", wording="How long?")),
        (
            "1.1.1940",
            "2010-12-31",
            "1",
            dn.Number("how_long", "1940-01-01", "2010-12-31", 1, "min", wording="How long?"),
        ),
    ],
)
def test_numbers_have_commas_or_points_and_days_are_written_either_way(
    low: str, high: str, step: str, made: dn.Number | None
) -> None:
    draft = first_form(**{"low-0": low, "high-0": high, "step-0": step})
    assert (wrong(draft) == {}) == (made is not None)
    if made is not None:
        assert draft.to_questions() == [made]


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"low-0": ""}, "low", "Write a number such as"),
        ({"low-0": "nan"}, "low", "Write a number such as"),
        ({"high-0": "1e999999999"}, "high", "Write a number such as"),
        ({"high-0": "2026-02-31"}, "high", "Write a number such as"),
        ({"high-0": "2026-02-28"}, "high", "From and To must be two numbers or two days"),
        ({"high-0": "0"}, "high", "To must be more than From, which is 0"),
        ({"high-0": "-5"}, "high", "To must be more than From, which is 0"),
        ({"step-0": "7"}, "high", "In steps of 7 from 0 one comes to 119 or 126"),
        ({"step-0": "500"}, "high", "In steps of 500 from 0 one comes to 500"),
        ({"step-0": "0"}, "step", "Write a number above 0"),
        ({"step-0": "a day"}, "step", "Write a number above 0"),
        ({"high-0": "9000000"}, "high", "take a larger step"),
        ({"unit-0": "m" * 41}, "unit", "at most 40 characters"),
    ],
)
def test_what_cannot_stand_is_named_by_its_field(fields: dict[str, str], field: str, said: str) -> None:
    draft = first_form(**fields)
    found = wrong(draft)
    assert set(found) == {f"{field}-0"}
    assert said in found[f"{field}-0"]
    assert Draft.from_json(draft.to_json()) == draft


def test_something_must_be_wanted_of_a_number() -> None:
    assert set(wrong(first_form(("want-0", "mode")))) == {"want-0"}


@pytest.mark.parametrize(
    ("written", "epsilon"), [("1,5", 1.5), ("0,5", 0.5), ("1.5", 1.5), (" 2 ", 2.0), ("0,125", 0.125)]
)
def test_a_comma_before_decimals_is_not_dropped(written: str, epsilon: float) -> None:
    """Read as 15, epsilon would protect a million times less than its author typed."""
    assert read_learning(WHOLE, form(epsilon=written)).level == epsilon


def test_a_strength_that_is_chosen_counts_before_the_number_that_stood_there() -> None:
    assert read_learning(WHOLE, form(level="3", epsilon="1")).epsilon == "3"
    assert read_learning(WHOLE, form(level="1", epsilon="1,5")).epsilon == "1,5", "a number that was typed since"
    assert read_learning(WHOLE, form(level="9", epsilon="1")).epsilon == "1"


@pytest.mark.parametrize(
    ("written", "people"),
    [
        ("5,000", 5000),
        ("5.000", 5000),
        ("5 000", 5000),
        ("1,000,000", 10**6),
        ("1e3", None),
        ("1.5", None),
        ("0", None),
    ],
)
def test_thousands_may_be_parted_as_everywhere(written: str, people: int | None) -> None:
    draft = read_learning(WHOLE, form(people=written))
    assert draft.expected_people == people
    assert ("people" in faults_of_numbers(draft)) == (people is None)


@pytest.mark.parametrize("written", ["", "1,500", "1,5,0", "nan", "16", "0"])
def test_a_level_out_of_reach_is_refused(written: str) -> None:
    assert set(faults_of_numbers(read_learning(WHOLE, form(epsilon=written)))) == {"epsilon"}


def test_a_tick_says_that_these_are_all_of_them() -> None:
    ticked = read_learning(WHOLE, form(census="1"))
    assert (ticked.census, read_learning(ticked, form()).census) == (True, False)


@pytest.mark.parametrize(
    ("groups", "refused"), [(("a", "b", "c"), True), (("a", "a ", "c"), False), (("", "", ""), False), ((), False)]
)
def test_groups_that_protect_nobody_are_refused(groups: tuple[str, ...], refused: bool) -> None:
    draft = read_learning(WHOLE, form(("protected-0", "blocks"), *(("group-0", each) for each in groups)))
    assert ("nobody is protected" in english(faults_of_numbers(draft).get("protected-0", ""))) == refused


def test_everybody_who_gives_a_number_is_protected_whatever_was_chosen() -> None:
    draft = read_learning(first_form(), form(("protected-0", "some"), ("chosen-0", "0"), people="5000"))
    assert survey_of(draft).guarantee is not None


@pytest.mark.parametrize(("minimum", "refused"), [("5000", False), ("5001", True), ("1", True), ("many", True)])
def test_a_minimum_that_nobody_expects_is_refused(minimum: str, refused: bool) -> None:
    assert ("minimum" in faults_of_times(replace(WHOLE, minimum=minimum), 0.0)) == refused


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"closes": "1970-01-02T00:00"}, "closes"),
        ({"closes": "1970-01-02T00:01"}, None),
        ({"opens": "2030-01-01T00:00", "closes": "2029-01-01T00:00"}, "closes"),
        ({"opens": "tomorrow"}, "opens"),
        ({"closes": "31.12.2029, 8.30"}, None),
        ({"closes": "2029-02-30 8:00"}, "closes"),
        ({"zone": "Atlantis"}, "zone"),
        ({"zone": "../etc/passwd"}, "zone"),
    ],
)
def test_times_are_refused_where_they_are_typed(fields: dict[str, Any], field: str | None) -> None:
    assert set(faults_of_times(replace(WHOLE, **fields), 86400.0)) == ({field} if field else set())


def test_a_survey_that_tells_nothing_needs_its_box_ticked() -> None:
    few = replace(WHOLE, people="60")
    assert set(faults_of_learning(few, 0.0)) == {"knows"}
    ticked = read_learning(few, form(**{"asks-knows": "1", "knows": "1"}))
    assert faults_of_learning(ticked, 0.0) == {}
    assert not read_learning(ticked, form(**{"asks-knows": "1"})).knows
    assert read_learning(ticked, form()).knows, "where it is not asked it stays"
    assert faults_of_learning(WHOLE, 0.0) == {}


@pytest.mark.parametrize(("people", "least"), [("28", 19), ("3", 2), ("74", 50), ("75", 50), ("1800", 50), ("", 50)])
def test_the_least_number_of_answers_follows_the_people_unless_it_was_typed(people: str, least: int) -> None:
    draft = replace(WHOLE, people=people, minimum="")
    assert draft.least == least
    assert faults_of_times(draft, 0.0).keys() <= {"zone"}
    assert replace(draft, minimum="20").least == 20
