"""Questions that follow from answers: who is asked which, and the trees that they make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..checks import near, shown
from ..errors import ParameterError
from .only_if import OnlyIf
from .question import Question

MOST_STEPS = 3
"""The most questions of a chain, each of which follows from the one before."""


def is_asked(question: Question, answers: Mapping[str, Any]) -> bool:
    """Whether somebody is asked a question, by the answers to those before."""
    return question.only_if is None or question.only_if.holds(answers)


def chain_to(question: Question, by_name: Mapping[str, Question]) -> list[Question]:
    """The questions from the first of a chain to this one."""
    questions = [question]
    while (only_if := questions[0].only_if) is not None:
        questions.insert(0, by_name[only_if.question])
    return questions


def trees(questions: Iterable[Question]) -> Iterator[list[Question]]:
    """The questions in groups, each of one that everybody is asked and all that follow from it, in their order."""
    listed = list(questions)
    by_name = {question.name: question for question in listed}
    roots = {question.name: chain_to(question, by_name)[0].name for question in listed}
    for name in dict.fromkeys(roots.values()):
        yield [question for question in listed if roots[question.name] == name]


def check_branches(questions: Sequence[Question]) -> None:
    """Refuse a question whose ``only_if`` cannot stand after the questions before it."""
    before: dict[str, Question] = {}
    for question in questions:
        if question.only_if is not None:
            _check_branch(question, question.only_if, before)
        before[question.name] = question


def _check_branch(question: Question, only_if: OnlyIf, before: Mapping[str, Question]) -> None:
    """Refuse a branch that names no earlier question or not some of its labels, or that reveals what is protected."""
    named = f"only_if of {question.name!r}"
    parent = before.get(only_if.question)
    if parent is None:
        got = f"{only_if.question!r}{near(only_if.question, before)}"
        raise ParameterError(f"{named} must be about a question before it, got {got}")
    if not parent.can_branch:
        raise ParameterError(f"{named} must be about a OneOf or a Scale, got a {parent.kind}; ask yes or no first")
    if strange := [label for label in only_if.labels if label not in parent.choices]:
        got = f"{shown(strange[0])}{near(strange[0], parent.choices)}"
        raise ParameterError(f"{named} must be about labels of {parent.name!r}, got {got}")
    if len(only_if.labels) == len(parent.choices):
        raise ParameterError(f"{named} must leave out a label of {parent.name!r}, got all; leave only_if out instead")
    if len(chain_to(question, before)) > MOST_STEPS:
        raise ParameterError(
            f"{named} must end a chain of at most {MOST_STEPS} questions, got one more; ask two of them in one"
        )
    for each in (parent, question):
        if not each.guarantee(1.0).alike:
            raise ParameterError(
                f"{named} must be between questions whose answers are all protected, got {each.name!r}, which is "
                "protected in part; leave out sensitive, blocks or prior, or ask it of everybody"
            )
