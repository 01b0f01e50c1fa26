"""What a button of the first form does to its questions and answers: add, copy, move, remove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeVar

from deniable.pages.builder.branches import with_parents_renumbered
from deniable.pages.builder.draft import MOST_QUESTIONS, Draft
from deniable.pages.kinds.draft_question import DraftQuestion

T = TypeVar("T")
PLACES: Final = {
    "add": 0, "open": 1, "copy": 1, "up": 1, "down": 1, "remove": 1,
    "answer-add": 1, "answer-up": 2, "answer-down": 2, "answer-remove": 2, "list": 1,
}  # fmt: skip
"""How many places each button names: that of a question, and that of an answer in it."""
MOVES: Final = {"up": -1, "down": 1}


class EditedDraft(NamedTuple):
    """A draft after a change, the place of the question that is open now, and the form field where one goes on."""

    draft: Draft
    open: int
    field: str = ""


def edited(draft: Draft, button: str) -> EditedDraft | None:
    """The draft as a button changes it, such as "up 1" or "answer-remove 0 2"; None if it is no such button."""
    name, *numbers = button.split(" ")
    places = [int(number) for number in numbers if number.isdecimal() and len(number) < 5]
    if PLACES.get(name) != len(places) or (places and places[0] >= len(draft.questions)):
        return None
    if name == "list" or name.startswith("answer-"):
        return _with_answers(draft, name.removeprefix("answer-"), *places)
    return _with_questions(draft, name, *places)


def _with_questions(draft: Draft, act: str, place: int | None = None) -> EditedDraft:
    """The draft with other questions, those that follow others with the new numbers of these."""
    questions, now = with_change(draft.questions, act, place, DraftQuestion())
    if len(questions) > MOST_QUESTIONS:
        return EditedDraft(draft, len(draft.questions) - 1 if place is None else place)
    order, _ = with_change(range(len(draft.questions)), act, place, None)
    questions = with_parents_renumbered(questions, order)
    field = "" if act in MOVES else f"wording-{now}"
    return EditedDraft(replace(draft, questions=tuple(questions) or (DraftQuestion(),)), now, field)


def _with_answers(draft: Draft, act: str, place: int, number: int | None = None) -> EditedDraft:
    """The draft after ``act`` on a question's answer of this number; once a list was pasted, without empty answers."""
    questions, question = [*draft.questions], draft.questions[place]
    answers, now = (question.written, 0) if act == "list" else with_change(question.answers, act, number, "")
    questions[place] = replace(question, answers=tuple(answers))
    return EditedDraft(replace(draft, questions=tuple(questions)), place, f"answer-{place}-{now}")


def with_change(things: Sequence[T], act: str, place: int | None, blank: T) -> tuple[list[T], int]:
    """Things after one was added, opened, copied, moved by a place or removed, and the place where one goes on.

    >>> with_change("abc", "up", 1, ""), with_change("ab", "down", 1, ""), with_change("ab", "remove", 1, "")
    ((['b', 'a', 'c'], 0), (['a', 'b'], 1), (['a'], 0))
    """
    after, now = [*things], len(things) - 1 if place is None else place
    if act in ("add", "copy"):
        now += 1
        after.insert(now, blank if act == "add" else things[now - 1])
    elif act == "remove":
        del after[now : now + 1]
    elif act in MOVES:
        now += MOVES[act]
        if 0 <= now < len(things) and now - MOVES[act] < len(things):
            after.insert(now, after.pop(now - MOVES[act]))
    return after, max(min(now, len(after) - 1), 0)
