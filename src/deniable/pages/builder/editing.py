"""What a button of the first form does to its questions and answers: add, copy, move, remove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeVar

from deniable.pages.builder.draft import MOST_QUESTIONS, Draft
from deniable.pages.kinds.draft_question import DraftQuestion

T = TypeVar("T")


class Edited(NamedTuple):
    """A draft after a change, which of its questions is open now, and the field where one goes on."""

    draft: Draft
    open: int
    field: str = ""


def edited(draft: Draft, button: str) -> Edited | None:
    """The draft as a button changes it, such as "up 1" or "answer-remove 0 2"; None if it is no such button."""
    name, *numbers = button.split(" ")
    places = [int(number) for number in numbers if number.isdecimal() and len(number) < 5]
    act, wanted = ACTIONS.get(name, (None, 0))
    if act is None or len(places) != wanted or (places and places[0] >= len(draft.questions)):
        return None
    return act(draft, *places)


def _add(draft: Draft) -> Edited:
    if len(draft.questions) >= MOST_QUESTIONS:
        return Edited(draft, len(draft.questions) - 1)
    return _opened(_with(draft, [*draft.questions, DraftQuestion()]), len(draft.questions))


def _opened(draft: Draft, place: int) -> Edited:
    return Edited(draft, place, f"wording-{place}")


def _copy(draft: Draft, place: int) -> Edited:
    if len(draft.questions) >= MOST_QUESTIONS:
        return Edited(draft, place)
    questions = [*draft.questions]
    questions.insert(place + 1, questions[place])
    return _opened(_with(draft, questions), place + 1)


def _remove(draft: Draft, place: int) -> Edited:
    questions = [*draft.questions]
    del questions[place]
    return _opened(_with(draft, questions or [DraftQuestion()]), max(min(place, len(questions) - 1), 0))


def _move(by: int) -> Callable[[Draft, int], Edited]:
    def move(draft: Draft, place: int) -> Edited:
        questions = moved(draft.questions, place, by)
        return Edited(_with(draft, questions), min(max(place + by, 0), len(questions) - 1))

    return move


def _add_answer(draft: Draft, place: int) -> Edited:
    answers = (*draft.questions[place].answers, "")
    return _answered(draft, place, answers, len(answers) - 1)


def _remove_answer(draft: Draft, place: int, number: int) -> Edited:
    answers = [*draft.questions[place].answers]
    del answers[number : number + 1]
    return _answered(draft, place, answers, max(min(number, len(answers) - 1), 0))


def _move_answer(by: int) -> Callable[[Draft, int, int], Edited]:
    def move(draft: Draft, place: int, number: int) -> Edited:
        answers = moved(draft.questions[place].answers, number, by)
        return _answered(draft, place, answers, min(max(number + by, 0), len(answers) - 1))

    return move


def _list(draft: Draft, place: int) -> Edited:
    """A list that was pasted is read with the form; what was empty before it goes."""
    return _answered(draft, place, draft.questions[place].written, 0)


def _answered(draft: Draft, place: int, answers: Sequence[str], number: int) -> Edited:
    questions = [*draft.questions]
    questions[place] = replace(questions[place], answers=tuple(answers))
    return Edited(_with(draft, questions), place, f"answer-{place}-{number}")


def _with(draft: Draft, questions: list[DraftQuestion]) -> Draft:
    return replace(draft, questions=tuple(questions))


def moved(things: tuple[T, ...], place: int, by: int) -> list[T]:
    """Things in another order: one of them a place earlier or later, as far as there are places.

    >>> moved(("a", "b", "c"), 0, 1), moved(("a", "b"), 1, 1)
    (['b', 'a', 'c'], ['a', 'b'])
    """
    found = [*things]
    if 0 <= place < len(found) and 0 <= place + by < len(found):
        found.insert(place + by, found.pop(place))
    return found


ACTIONS: Final[dict[str, tuple[Callable[..., Edited], int]]] = {
    "add": (_add, 0),
    "open": (_opened, 1),
    "copy": (_copy, 1),
    "up": (_move(-1), 1),
    "down": (_move(1), 1),
    "remove": (_remove, 1),
    "answer-add": (_add_answer, 1),
    "answer-up": (_move_answer(-1), 2),
    "answer-down": (_move_answer(1), 2),
    "answer-remove": (_remove_answer, 2),
    "list": (_list, 1),
}
"""What each button does, and how many places it names: that of a question, and that of an answer in it."""
