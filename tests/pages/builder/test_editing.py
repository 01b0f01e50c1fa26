"""Questions and answers are added, copied, moved and removed, and the form goes on where that was done."""

from __future__ import annotations

import pytest

from deniable.pages.builder.draft import MOST_QUESTIONS, Draft
from deniable.pages.builder.editing import edited
from deniable.pages.kinds.draft_question import DraftQuestion

DRAFT = Draft(questions=tuple(DraftQuestion(name, answers=("a", "b", "c")) for name in "xyz"))


def order(draft: Draft) -> str:
    return "".join(each.wording or "-" for each in draft.questions)


@pytest.mark.parametrize(
    ("button", "left", "place"),
    [
        ("add", "xyz-", 3),
        ("open 1", "xyz", 1),
        ("copy 0", "xxyz", 1),
        ("up 2", "xzy", 1),
        ("up 0", "xyz", 0),
        ("down 0", "yxz", 1),
        ("down 2", "xyz", 2),
        ("remove 1", "xz", 1),
        ("remove 2", "xy", 1),
    ],
)
def test_questions_are_edited(button: str, left: str, place: int) -> None:
    found = edited(DRAFT, button)
    assert found is not None
    assert (order(found.draft), found.open) == (left, place)


@pytest.mark.parametrize(
    ("button", "answers", "field"),
    [
        ("answer-add 1", ("a", "b", "c", ""), "answer-1-3"),
        ("answer-up 1 2", ("a", "c", "b"), "answer-1-1"),
        ("answer-up 1 0", ("a", "b", "c"), "answer-1-0"),
        ("answer-down 1 0", ("b", "a", "c"), "answer-1-1"),
        ("answer-remove 1 2", ("a", "b"), "answer-1-1"),
        ("answer-remove 1 9", ("a", "b", "c"), "answer-1-2"),
        ("list 1", ("a", "b", "c"), "answer-1-0"),
    ],
)
def test_answers_are_edited(button: str, answers: tuple[str, ...], field: str) -> None:
    found = edited(DRAFT, button)
    assert found is not None
    assert (found.draft.questions[1].answers, found.field) == (answers, field)
    assert found.draft.questions[::2] == DRAFT.questions[::2]


def test_the_last_question_leaves_an_empty_one() -> None:
    found = edited(Draft(questions=(DraftQuestion("x"),)), "remove 0")
    assert found is not None
    assert found.draft == Draft()


def test_there_are_so_many_questions_at_most() -> None:
    full = Draft(questions=(DraftQuestion("x"),) * MOST_QUESTIONS)
    for button in ("add", "copy 3"):
        found = edited(full, button)
        assert found is not None
        assert found.draft == full


@pytest.mark.parametrize("button", ["", "add 1", "copy", "copy 3", "copy x", "up -1", "answer-up 1", "explode", "save"])
def test_other_buttons_edit_nothing(button: str) -> None:
    assert edited(DRAFT, button) is None
