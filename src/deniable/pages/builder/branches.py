"""Questions of a draft that follow from answers to an earlier one: which, after moves and other words too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from starlette.datastructures import FormData

from deniable.estimation.saying import alternatives
from deniable.estimation.words import quoted
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.protocol.questions.branches import MOST_STEPS
from deniable.protocol.questions.kinds import KINDS
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Statement

GONE: Final = "gone"
"""What stands in place of the number of a question that was removed."""


def parent_place(questions: Sequence[DraftQuestion], place: int) -> int | None:
    """Where the question stands that another follows; None where there is none before it."""
    after = questions[place].after
    parent = int(after) if after.isdecimal() and len(after) < 3 else place
    return parent if parent < place else None


def parents(questions: Sequence[DraftQuestion], place: int) -> list[tuple[int, DraftQuestion]]:
    """The questions before one that it may follow."""
    return [(number, each) for number, each in enumerate(questions[:place]) if can_lead(each) and len(each.labels) > 1]


def can_lead(question: DraftQuestion) -> bool:
    """Whether another may follow one of its answers."""
    return KINDS[question.kind].can_branch and not question.is_grid


def condition_in_words(questions: Sequence[DraftQuestion], place: int) -> Statement | None:
    """After which answers a question is asked; None where everybody is."""
    parent = parent_place(questions, place)
    if parent is None or not (given := _given(questions[parent], questions[place])):
        return None
    return Statement("asked_only_after", answers=alternatives([quoted(each) for each in given]), number=parent + 1)


def is_astray(questions: Sequence[DraftQuestion], place: int) -> bool:
    """Whether a question follows answers that are not there any more."""
    return bool(questions[place].after) and condition_in_words(questions, place) is None


def _given(parent: DraftQuestion, question: DraftQuestion) -> tuple[str, ...]:
    """The answers to its parent that a question follows, of those that are still there."""
    return tuple(label for label in parent.labels if label in question.given)


def with_parent_names(asked: Sequence[tuple[int, DraftQuestion]], all_names: Sequence[str]) -> Iterator[DraftQuestion]:
    """The questions, each with the name of the one that it follows; names stand in the order of the questions."""
    by_place = dict(asked)
    names = {place: name for (place, _), name in zip(asked, all_names, strict=True)}
    for _, question in asked:
        place = int(question.after) if question.after.isdecimal() else -1
        given = _given(by_place[place], question) if place in by_place else question.given
        yield replace(question, parent=names.get(place, GONE), given=given) if question.after else question


# --- what was typed -------------------------------------------------------------------------------------------------


def read_branch(before: Sequence[DraftQuestion], question: DraftQuestion, form: FormData, place: int) -> DraftQuestion:
    """A question that follows the answers ticked in a form; those to another parent replace those to the one before.

    Where the answers that it followed are gone, nothing ticked does not mean that everybody is asked.
    """
    if f"branch-{place}" not in form:
        return question
    ticks: dict[str, list[str]] = {}
    for tick in map(str, form.getlist(f"only-{place}")):
        parent, _, number = tick.partition(" ")
        if parent.isdecimal() and number.isdecimal() and len(tick) < 9 and int(parent) < len(before):
            ticks.setdefault(parent, []).extend(before[int(parent)].labels[int(number) :][:1])
    if not ticks and is_astray(before, place) and f"everybody-{place}" not in form:
        return question
    others = [parent for parent in ticks if parent != question.after]
    after = others[0] if others else next(iter(ticks), "")
    return replace(question, after=after, given=tuple(ticks.get(after, ())))


def with_other_words(before: Sequence[DraftQuestion], now: Sequence[DraftQuestion]) -> list[DraftQuestion]:
    """Questions of which some answers were reworded: those that followed the old words follow the new ones."""
    places = [parent_place(now, place) for place in range(len(now))]
    return [
        each if place is None else replace(each, given=_reworded(each.given, before[place], now[place]))
        for each, place in zip(now, places, strict=True)
    ]


def _reworded(given: tuple[str, ...], before: DraftQuestion, now: DraftQuestion) -> tuple[str, ...]:
    """Answers by the words that stand in their places now, where none was added or removed."""
    if len(before.answers) != len(now.answers):
        return given
    words = zip((*before.answers, before.silent), (*now.answers, now.silent), strict=True)
    new_words = {old.strip(): new.strip() for old, new in words}
    return tuple(filter(None, (new_words.get(each, each) for each in given)))


def with_parents_renumbered(questions: Sequence[DraftQuestion], order: Sequence[int | None]) -> list[DraftQuestion]:
    """Questions in a new order, given by the places where they stood before: the numbers of their parents follow."""
    places = {str(old): str(now) for now, old in reversed([*enumerate(order)])}
    return [replace(each, after=places.get(each.after, GONE)) if each.after else each for each in questions]


def drafts_with_branches(questions: Sequence[Question], drafts: Sequence[DraftQuestion]) -> tuple[DraftQuestion, ...]:
    """The drafts of questions with the answers that these follow; the lines of a table become one draft."""
    joined: list[DraftQuestion] = []
    places: dict[str, str] = {}
    for question, draft in zip(questions, drafts, strict=True):
        only_if = question.only_if
        after = "" if only_if is None else places[only_if.question]
        given = () if only_if is None else tuple(map(str, only_if.labels))
        current = replace(draft, after=after, given=given)
        if current.heading:
            current = replace(current, wording=current.heading, heading="", rows=(current.wording,))
        if joined and current.rows and replace(joined[-1], rows=current.rows) == current:
            joined[-1] = replace(current, rows=(*joined[-1].rows, *current.rows))
        else:
            joined.append(current)
        places[question.name] = f"{len(joined) - 1}"
    return tuple(joined)


# --- what is wrong with it --------------------------------------------------------------------------------------------


def fault_of_branch(questions: Sequence[DraftQuestion], place: int) -> Statement | None:
    """Why nobody, or everybody, would get to a question that follows another one; None where nothing is wrong."""
    question = questions[place]
    if not question.after:
        return None
    if not KINDS[question.kind].can_branch:
        return Statement("only_these_kinds_can_follow")
    parent = parent_place(questions, place)
    if parent is None or not can_lead(questions[parent]):
        return Statement("nobody_gets_here_without_its_question")
    given, labels = _given(questions[parent], question), questions[parent].labels
    if not given:
        return Statement("nobody_gets_here_by_these_answers", number=parent + 1)
    if len(given) == len(labels):
        return Statement("everybody_gets_here", number=parent + 1)
    if steps_to(questions, place) > MOST_STEPS:
        return Statement("too_many_questions_in_a_chain", most=MOST_STEPS)
    return None


def steps_to(questions: Sequence[DraftQuestion], place: int | None) -> int:
    """How many questions there are from the first of a chain to this one; 0 of one that is not there."""
    return 0 if place is None else 1 + steps_to(questions, parent_place(questions, place))


def is_in_branch(questions: Sequence[DraftQuestion], place: int) -> bool:
    """Whether a question follows another, or is followed."""
    return bool(questions[place].after) or any(
        parent_place(questions, child) == place for child in range(len(questions))
    )
