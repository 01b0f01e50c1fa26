"""Planning a survey: which mechanisms, and who is asked what, with the least error."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from deniable.checks import SMALLEST_EPSILON, check_epsilon, check_users
from deniable.errors import ParameterError
from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.mechanisms.lists.asked_items import AskedItems
from deniable.mechanisms.mechanism import Mechanism
from deniable.planning.solving import plan
from deniable.privacy.guarantees import LDP
from deniable.surveys.arms import Arm, Part, treats_alike
from deniable.surveys.discovery import MOST_CANDIDATES
from deniable.surveys.document import Document
from deniable.surveys.encoders import Prefix, Whole, pairs_of
from deniable.surveys.expectation import expected
from deniable.surveys.one_of import OneOf
from deniable.surveys.questions import AnyOf, Question, Text
from deniable.theory.risk.hashed import best_symbols

STEP = 2
"""By how many characters the prefixes of a text grow from group to group."""
COHORTS = 512
MOST_PAIRED = 10
"""Up to so many questions of yes or no, all pairs of them are considered, which may tell more than single ones."""
GRAIN = 1_000_000
"""Levels are split to so many parts of 1, rounded down, so that their sum stays within the whole."""


@dataclass(frozen=True, slots=True)
class Design:
    """One way to ask: the arms, and in words what everybody is asked."""

    arms: tuple[Arm, ...]
    words: str


def planned(
    name: str, questions: Iterable[Question], epsilon: float, people: int, cross: Iterable[Any] = ()
) -> tuple[Design, str]:
    """The design of least error of one answer that keeps ``epsilon``-LDP, or what its questions ask for; and why."""
    asked, level, n = list(questions), check_epsilon(epsilon), check_users(people)
    crossed = _read_pairs(asked, cross)
    designs = [_crossed(name, asked, level, n, crossed)] if crossed else _uncrossed(name, asked, level, n)
    errors = [_score(name, asked, design, n) for design in designs]
    best = min(range(len(designs)), key=lambda place: errors[place])
    return designs[best], _why(designs, errors, best)


def _score(name: str, questions: Sequence[Question], design: Design, people: int) -> float:
    """The root of the mean squared error, over the questions."""
    found = expected(Document(name, questions, design.arms), people)
    return math.sqrt(math.fsum(row.error**2 for row in found.values()) / len(found))


def _why(designs: Sequence[Design], errors: Sequence[float], best: int) -> str:
    lines = [f"{designs[best].words} A share then errs by {errors[best]:.2%} in the mean over the questions."]
    others = [
        f"{design.words} would err {error / errors[best]:.3g} times as much."
        for place, (design, error) in enumerate(zip(designs, errors, strict=True)) if place != best
    ]  # fmt: skip
    return " ".join([*lines, *others])


def _uncrossed(name: str, questions: list[Question], level: float, people: int) -> list[Design]:
    """All ways to ask that are considered where nothing is crossed."""
    closed = [question for question in questions if not isinstance(question, Text)]
    designs = [_apart(name, questions, level, people)]
    if len(closed) > 1 and level / len(closed) >= SMALLEST_EPSILON:
        designs.append(_together(name, questions, level, people))
    yes_no = [q for q in closed if isinstance(q, OneOf) and len(q.labels) == 2 and isinstance(q.guarantee(level), LDP)]
    if 2 <= len(yes_no) == len(questions) <= MOST_PAIRED:
        pairs = [(a, b) for i, a in enumerate(yes_no) for b in yes_no[i + 1 :]]
        designs.append(_crossed(name, questions, level, people, pairs))
    return designs


def _apart(name: str, questions: Sequence[Question], level: float, people: int) -> Design:
    """One question each, with all of epsilon."""
    units = [_arms_for(name, question, level, people, len(questions)) for question in questions]
    words = "Everybody is asked one question, drawn at random, with all of epsilon." if len(units) > 1 else (
        "Everybody is asked, with all of epsilon."
    )  # fmt: skip
    return Design(_weighted(units, [1] * len(units)), words)


def _together(name: str, questions: Sequence[Question], level: float, people: int) -> Design:
    """All questions but texts are asked of everybody, each with its part of epsilon."""
    closed = [question for question in questions if not isinstance(question, Text)]
    part = math.floor(level / len(closed) * GRAIN) / GRAIN
    if part <= 0:
        raise ParameterError(f"epsilon must leave a part for each of {len(closed)} questions, got epsilon={level:g}")
    texts = [question for question in questions if isinstance(question, Text)]
    units = [[Arm([Part(question, _mechanism(question, part, people)) for question in closed])]]
    units += [_arms_for(name, question, level, people, len(questions)) for question in texts]
    words = f"Everybody is asked {'all but texts' if texts else 'everything'}, each question with {part:g} of epsilon."
    return Design(_weighted(units, [len(closed), *[1] * len(texts)]), words)


def _crossed(
    name: str, questions: Sequence[Question], level: float, people: int, pairs: Sequence[tuple[OneOf, OneOf]]
) -> Design:
    """Each pair is one label, asked with all of epsilon; questions of no pair are asked alone."""
    paired = {question.name for pair in pairs for question in pair}
    alone = [question for question in questions if question.name not in paired]
    share = len(pairs) + len(alone)
    units = [[Arm(Part(pair, _pair_mechanism(pair, level, people // share)))] for pair in pairs]
    units += [_arms_for(name, question, level, people, share) for question in alone]
    words = "Everybody is asked one pair of questions" + (" or one question" if alone else "")
    return Design(_weighted(units, [1] * len(units)), f"{words}, drawn at random, with all of epsilon.")


def _arms_for(name: str, question: Question, level: float, people: int, share: int) -> list[Arm]:
    """The arms of one question: one, or of a text that is discovered one for each prefix and one for whole texts."""
    if not isinstance(question, Text) or question.longest is None:
        return [Arm(Part(question, _mechanism(question, level, max(1, people // share), name)))]
    lengths = range(STEP, question.longest + STEP, STEP)
    groups = [
        Arm(Part(question, _text_mechanism(level, f"{name}/{question.name}/{length}"), Prefix(length)))
        for length in lengths
    ]
    return [*groups, Arm(Part(question, _text_mechanism(level, f"{name}/{question.name}/whole"), Whole()))]


def _mechanism(question: Question, level: float, people: int, name: str = "") -> Mechanism:
    """The mechanism of least error for a question by itself."""
    if isinstance(question, OneOf):
        return plan(question.labels, users=people, guarantee=question.guarantee(level)).best
    if isinstance(question, AnyOf):
        return AskedItems(question.labels, level)
    return _text_mechanism(level, f"{name}/{question.name}")


def _pair_mechanism(pair: Sequence[OneOf], level: float, people: int) -> Mechanism:
    """The best of those whose reports say how shares of pairs vary together."""
    rows = plan(pairs_of(pair), level, max(1, people)).rows
    return next(row.mechanism for row in rows if treats_alike(row.mechanism))


def _text_mechanism(level: float, key: str) -> HashedResponse:
    return HashedResponse(level, best_symbols(level, MOST_CANDIDATES), COHORTS, key=key)


def _weighted(units: Sequence[Sequence[Arm]], weights: Sequence[int]) -> tuple[Arm, ...]:
    """The arms of all units, with integer weights: a unit's weight is shared equally by its arms."""
    each = [Fraction(weight, len(unit)) for unit, weight in zip(units, weights, strict=True)]
    common = math.lcm(*(share.denominator for share in each))
    whole = [int(share * common) for share in each]
    least = math.gcd(*whole)
    return tuple(Arm(arm.parts, weight // least) for unit, weight in zip(units, whole, strict=True) for arm in unit)


def _read_pairs(questions: Sequence[Question], cross: Iterable[Any]) -> list[tuple[OneOf, OneOf]]:
    """The pairs of questions to cross, from their names."""
    by_name = {question.name: question for question in questions}
    found: dict[frozenset[str], tuple[OneOf, OneOf]] = {}
    if isinstance(cross, str | bytes) or not isinstance(cross, Iterable):
        raise ParameterError(f"cross must be a list of pairs of questions, got {type(cross).__name__}")
    for names in cross:
        pair = [by_name.get(str(name)) for name in names] if isinstance(names, tuple | list) else []
        one_of = [question for question in pair if isinstance(question, OneOf)]
        if len(pair) != 2 or len(one_of) != 2 or pair[0] is pair[1]:
            raise ParameterError("cross must name pairs of two different questions with one answer each, got another")
        found[frozenset(question.name for question in one_of)] = (one_of[0], one_of[1])
    return list(found.values())
