"""Forms are read as people fill them in, and what cannot stand is named by its field."""

from __future__ import annotations

import pytest
from starlette.datastructures import FormData, UploadFile

from deniable.pages.builder.draft import MOST_ANSWERS, Draft, DraftQuestion
from deniable.pages.builder.reading import is_past, read_people, read_protection, read_questions, read_run


def sent(*questions: tuple[str, str], title: str = "Work", **more: str) -> FormData:
    """The first form, with a wording and lines of answers for each question."""
    fields: list[tuple[str, str | UploadFile]] = [("title", title), *more.items()]
    for wording, answers in questions:
        fields += [("wording", wording), ("kind", "one_of"), ("answers", answers)]
    return FormData(fields)


def test_lines_are_trimmed_and_empty_ones_dropped() -> None:
    draft, faults = read_questions(Draft(), sent(("How?", " car \r\n\r\n\tbus\n")))
    assert faults == {}
    assert draft.questions[0].answers == ("car", "bus")


def test_a_question_left_empty_is_dropped() -> None:
    before = Draft(questions=(DraftQuestion(), DraftQuestion(), DraftQuestion()))
    draft, faults = read_questions(before, sent(("How?", "a\nb"), ("", " \n "), ("Why?", "c\nd")))
    assert faults == {}
    assert [asked.wording for asked in draft.questions] == ["How?", "Why?"]


def test_the_only_question_is_not_dropped() -> None:
    draft, faults = read_questions(Draft(), sent(("", "")))
    assert len(draft.questions) == 1
    assert set(faults) == {"wording-0", "answers-0"}


def test_faults_stand_where_the_question_is_shown() -> None:
    before = Draft(questions=(DraftQuestion(), DraftQuestion(), DraftQuestion()))
    _, faults = read_questions(before, sent(("How?", "a\nb"), ("", ""), ("Why?", "c\nd\nc")))
    assert set(faults) == {"answers-1"}
    assert "“c” stands there twice" in faults["answers-1"]


def test_answers_are_many_but_not_endless() -> None:
    lines = "\n".join(f"answer {number}" for number in range(MOST_ANSWERS - 1))
    draft, faults = read_questions(Draft(), sent(("How?", lines), ("Why?", "a\nb\nc"), ("When?", "d\ne")))
    assert "cut off" in faults["survey"]
    assert [asked.answers for asked in draft.questions[1:]] == [("a",), ()]
    assert Draft.from_json(draft.to_json()) == draft  # so that the form can be sent again


AGES = DraftQuestion("How old?", "one_of", ("18-24", "25-30", "31+"))


@pytest.mark.parametrize(
    ("groups", "refused"), [(("a", "b", "c"), True), (("a", "a ", "c"), False), (("", "", ""), False), ((), False)]
)
def test_groups_that_protect_nobody_are_refused(groups: tuple[str, ...], refused: bool) -> None:
    fields: list[tuple[str, str | UploadFile]] = [("protected-0", "blocks"), *(("group-0", each) for each in groups)]
    _, faults = read_protection(Draft(questions=(AGES,)), FormData(fields))
    assert ("nobody is protected" in faults.get("protected-0", "")) == refused


FIGURES = {"solve": "error", "people": "500", "expected": "20", "epsilon": "1"}


@pytest.mark.parametrize(
    ("written", "epsilon"), [("1,5", 1.5), ("0,5", 0.5), ("1.5", 1.5), (" 2 ", 2.0), ("0,125", 0.125)]
)
def test_a_comma_before_decimals_is_not_dropped(written: str, epsilon: float) -> None:
    """Read as 15, epsilon would protect a million times less than its author typed."""
    draft, faults = read_people(
        Draft(), FormData({"solve": "error", "people": "500", "expected": "20", "epsilon": written})
    )
    assert faults == {}
    assert draft.epsilon == epsilon


@pytest.mark.parametrize(
    ("written", "people"), [("5,000", 5000), ("5.000", 5000), ("5 000", 5000), ("1,000,000", 10**6), ("1e3", 1000)]
)
def test_thousands_may_be_parted_as_everywhere(written: str, people: int) -> None:
    draft, faults = read_people(
        Draft(), FormData({"solve": "error", "people": written, "expected": "20", "epsilon": "1"})
    )
    assert faults == {}
    assert draft.people == people


def test_a_tick_says_that_these_are_all_of_them() -> None:
    ticked, _ = read_people(Draft(), FormData({**FIGURES, "census": "1"}))
    left_out, _ = read_people(ticked, FormData(FIGURES))
    assert (ticked.census, left_out.census) == (True, False)


@pytest.mark.parametrize(("name", "written"), [("people", "1.5"), ("epsilon", "1,500"), ("epsilon", "1,5,0")])
def test_what_is_no_number_of_its_field_is_refused(name: str, written: str) -> None:
    _, faults = read_people(Draft(), FormData({**FIGURES, name: written}))
    assert set(faults) == {name}


@pytest.mark.parametrize(("minimum", "refused"), [("100", False), ("101", True)])
def test_a_minimum_that_nobody_expects_is_refused(minimum: str, refused: bool) -> None:
    _, faults = read_run(Draft(questions=(AGES,), people=100), FormData({"minimum": minimum}))
    assert ("minimum" in faults) == refused


def test_a_survey_that_is_over_is_known_by_the_clock() -> None:
    draft = Draft(closes="1970-01-02T00:00")
    assert is_past(draft, 86400)
    assert not is_past(draft, 86399)
    assert not is_past(Draft(), 86400)
