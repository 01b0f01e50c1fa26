"""The search for designs: what may be changed, alone or several at once, with errors that are roughly known."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from deniable.estimation.words import rounded_up
from deniable.planning.outlook import TWO_SIDED
from deniable.protocol.questions.question import Question
from deniable.surveys.advising.changes import (
    Change,
    Variant,
    fewer_questions,
    more_people,
    uncrossed,
    variants,
    weaker_protection,
)
from deniable.surveys.advising.inputs import DesignInputs
from deniable.surveys.advising.words import NOTHING
from deniable.surveys.questions.kinds import companion

WEAK: Final = 3.0
LEVELS: Final = (1.0, 2.0, WEAK)
"""The levels that are proposed: strong, middling and weak. Nothing weaker is."""
ALL_SUBSETS: Final = 4
"""Up to so many questions, any of them may be left out; of more, the later half, all but the first few, all but one."""
SLACK: Final = 1.1
"""Errors that are roughly known may be too large by so much: plans ask in the best way of several."""
MOST_TIMES: Final = 4
"""How many times as many people are proposed beside another change; alone, as many as it takes."""
ROUGH_PEOPLE: Final = 1000
"""Of how many people errors are worked out that are known roughly."""
CLEARLY: Final = 0.8
"""Of the error at which nothing is told, what so many people shall have that something is."""
MOST_PEOPLE: Final = 10**9


@dataclass(frozen=True)
class Candidate:
    """A design that may be proposed, and half of the 95% interval of each question, roughly."""

    inputs: DesignInputs
    changes: tuple[Change, ...]
    rough_errors: dict[str, float]

    @property
    def price(self) -> float:
        """How much is given up in all."""
        return math.fsum(change.price for change in self.changes)


def candidates(now: DesignInputs, wanted: float, may_be_weaker: bool) -> Iterator[Candidate]:
    """Every change of a design, and several at once, after which something may be told of each question.

    Only if they ``may_be_weaker`` do any protect less: where what is ``wanted`` is told already, nobody has to.
    """
    for questions in _subsets(now.questions):
        names = {question.name for question in questions}
        if any(question.only_if is not None and question.only_if.question not in names for question in questions):
            continue
        left_out = tuple(question for question in now.questions if question not in questions)
        pairs = tuple(pair for pair in now.cross if names >= set(pair))
        for ways in _ways(questions, may_be_weaker):
            changes = tuple(way.change for way in ways if way.change)
            changes = (fewer_questions(questions, left_out), *changes) if left_out else changes
            inputs = replace(now, questions=tuple(way.question for way in ways), cross=pairs)
            for each in _with_less_protection(Candidate(inputs, changes, {}), may_be_weaker):
                yield from _with_more_people(each, now, wanted)


def _subsets(questions: tuple[Question, ...]) -> Iterator[tuple[Question, ...]]:
    """The questions that may be kept: any of a few; of many, the first ones, for these count most, or any one alone."""
    if len(questions) <= ALL_SUBSETS:
        for size in range(len(questions), 0, -1):
            yield from itertools.combinations(questions, size)
        return
    for size in sorted({len(questions), (len(questions) + 1) // 2, *range(1, ALL_SUBSETS)}, reverse=True):
        yield questions[:size]
    for question in questions[1:]:
        yield (question,)


def _ways(questions: Sequence[Question], may_be_weaker: bool) -> Iterator[tuple[Variant, ...]]:
    """The questions as they are; one asked otherwise; all with one answer each, little changed, or as yes or no."""
    plain = tuple(map(Variant, questions))
    others = [list(_variants(question, questions)) for question in questions]
    yield plain
    for place, ways in enumerate(others):
        for way in ways:
            if way.kind != "protected" or (may_be_weaker and not place):
                yield (*plain[:place], way, *plain[place + 1 :])
    if len(questions) > 1:
        for kinds in (("single", "classes"), None, ("yes_no",)):
            yield tuple(_first_of(ways, kinds) or same for ways, same in zip(others, plain, strict=True))


def _first_of(ways: Sequence[Variant], kinds: Sequence[str] | None) -> Variant | None:
    """The first way of these kinds; of any kind that protects all answers if none is given."""
    return next((way for way in ways if (way.kind in kinds if kinds else way.kind != "protected")), None)


def _variants(question: Question, questions: Sequence[Question]) -> Iterator[Variant]:
    """The other ways to ask a question; none if other ``questions`` follow from its answers, which may then be gone."""
    if any(other.only_if is not None and other.only_if.question == question.name for other in questions):
        return
    for way in variants(question):
        if question.only_if is None:
            yield way
        elif way.kind != "protected":
            written = {**way.question.to_json(), "only_if": question.only_if.to_json()}
            yield replace(way, question=type(way.question).from_json(written))


def _with_less_protection(candidate: Candidate, may_be_weaker: bool) -> Iterator[Candidate]:
    """The candidate as it protects and, if that may be, protecting less; each with its crossed pairs and without."""
    inputs = candidate.inputs
    alternatives = [candidate]
    if inputs.cross:
        changes = (*candidate.changes, uncrossed(len(inputs.cross)))
        alternatives.append(replace(candidate, inputs=replace(inputs, cross=()), changes=changes))
    is_partly_protected = any(change.kind == "protected" for change in candidate.changes)
    for each in alternatives:
        yield each
        for level in LEVELS if may_be_weaker else ():
            if inputs.epsilon < level < (WEAK if is_partly_protected else math.inf):
                changes = (*each.changes, weaker_protection(inputs, level))
                yield replace(each, inputs=replace(each.inputs, epsilon=level), changes=changes)


def _with_more_people(candidate: Candidate, now: DesignInputs, wanted: float) -> Iterator[Candidate]:
    """The candidate with the people that there are; with more of them only where no question is asked otherwise."""
    errors = _rough_errors(candidate.inputs)
    largest = max(errors.values())
    if candidate.changes and largest <= SLACK * NOTHING:
        yield replace(candidate, rough_errors=errors)
    if any(change.question for change in candidate.changes) or largest <= wanted:
        return
    needed = rounded_up(now.people * (largest / wanted) ** 2)
    if candidate.changes and needed > MOST_TIMES * now.people:
        return
    telling = max(2 * now.people, rounded_up(now.people * (largest / (CLEARLY * NOTHING)) ** 2))
    is_census = now.population == now.people  # then whoever is asked more is one more whom it is about
    limit = MOST_PEOPLE if is_census else now.population or MOST_PEOPLE
    for people in {needed} if candidate.changes else {min(needed, telling), needed}:
        smaller = {name: error * math.sqrt(now.people / people) for name, error in errors.items()}
        if people <= limit and max(smaller.values()) <= SLACK * NOTHING:
            changes = (*candidate.changes, more_people(now.people, people))
            population = people if is_census else now.population
            yield Candidate(replace(candidate.inputs, people=people, population=population), changes, smaller)


def _rough_errors(inputs: DesignInputs) -> dict[str, float]:
    """The errors if each person reports on one question or pair, as most plans ask, from those of a fixed number."""
    paired = {name for pair in inputs.cross for name in pair}
    groups = len(inputs.cross) + sum(question.name not in paired for question in inputs.questions)
    people = ROUGH_PEOPLE if inputs.population is None and inputs.crowd is None else inputs.people
    factor = math.sqrt(max(groups, 1)) * math.sqrt(people / inputs.people)
    alone = replace(inputs, people=people, cross=())
    return {
        question.name: factor * _error_alone(replace(alone, questions=(companion(question).shape(question),)))
        for question in inputs.questions
    }


@lru_cache(maxsize=4096)
def _error_alone(inputs: DesignInputs) -> float:
    """Half of the 95% interval of a question that is asked by itself."""
    [row] = inputs.survey().expected(inputs.people).values()
    return TWO_SIDED * max(row.deciding)
