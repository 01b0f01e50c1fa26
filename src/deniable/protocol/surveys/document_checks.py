"""Checks of what a survey's document is made of: its questions, its arms, and that they fit each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..checks import check_positive
from ..errors import CapacityError, ParameterError
from ..questions.branches import check_branches
from ..questions.kinds import KINDS
from ..questions.question import Question
from .arms import MOST_WEIGHT, Arm, P
from .promise import Promise

MOST_ARMS, MOST_PARTS, MOST_QUESTIONS = 1 << 12, 1 << 10, 1 << 10
MOST_CELLS = 1 << 28
"""The most counts of a survey's tally: two gibibytes."""


def check_questions(questions: Any) -> tuple[Question, ...]:
    """The questions, each with a name of its own; one that follows from an answer stands after what leads to it."""
    listed = _listed("questions", questions, MOST_QUESTIONS)
    wrong = [type(one).__name__ for one in listed if not isinstance(one, Question)]
    if wrong:
        kinds = ", ".join(kind.__name__ for kind in KINDS.values())
        raise ParameterError(f"questions must each be one of {kinds}, got {wrong[0]}")
    names = [question.name for question in listed]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(f"questions must have names of their own, got {twice!r} twice")
    check_branches(listed)
    return listed


def check_arms(arms: Any) -> tuple[Arm[Any], ...]:
    """The arms, no more than a device can draw and a tally can hold."""
    listed = _listed("arms", arms, MOST_ARMS)
    if strange := [arm for arm in listed if not isinstance(arm, Arm)]:
        raise ParameterError(f"arms must be arms, each of one or more parts, got {type(strange[0]).__name__}")
    if sum(arm.weight for arm in listed) >= MOST_WEIGHT:
        raise ParameterError(f"the weights of all arms must add up to less than {MOST_WEIGHT}, got more")
    if max(len(arm.parts) for arm in listed) > MOST_PARTS:
        raise ParameterError(f"an arm must have at most {MOST_PARTS} parts, got more")
    if sum(part.mechanism.layout.cells for arm in listed for part in arm.parts) > MOST_CELLS:
        raise CapacityError(f"the counts of all parts together must be at most {MOST_CELLS}, got more")
    return listed


def check_asked(questions: Sequence[Question], arms: Sequence[Arm[P]]) -> None:
    """Every question is asked in some arm, and no arm asks one that is not there."""
    known = {question.name: question for question in questions}
    asked = {question.name: question for arm in arms for part in arm.parts for question in part.questions}
    strange = [name for name, question in asked.items() if known.get(name) != question]
    if strange:
        raise ParameterError(f"arms must ask the survey's own questions, got {strange[0]!r}, which is none of them")
    silent = [name for name in known if name not in asked]
    if silent:
        raise ParameterError(f"every question must be asked in some arm, got {silent[0]!r}, which is in none")


def check_cap(cap: Any, promise: Promise) -> float:
    """A cap that an answer fits in."""
    level = check_positive("cap", cap)
    if level < promise.charge:
        raise ParameterError(f"cap must be at least what one answer costs, {promise.charge:g}, got cap={level:g}")
    return level


def _listed(field: str, given: Any, most: int) -> tuple[Any, ...]:
    """What an author gives as a list, of one to so many; an error calls it ``field``."""
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise ParameterError(f"{field} must be a list, got {type(given).__name__}")
    listed = tuple(given)
    if not 1 <= len(listed) <= most:
        raise ParameterError(f"{field} must be from 1 to {most}, got {len(listed)}")
    return listed
