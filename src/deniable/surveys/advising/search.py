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
from deniable.surveys.advising.asking import Asking
from deniable.surveys.advising.changes import Change, Variant, fewer, more, uncrossed, variants, weaker
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
ALIKE: Final = 1000
"""Of how many people errors are worked out that are known roughly."""
CLEARLY: Final = 0.8
"""Of the error at which nothing is told, what so many people shall have that something is."""
MOST_PEOPLE: Final = 10**9


@dataclass(frozen=True)
class Candidate:
    """A design that may be proposed, and half of the 95% interval of each question, roughly."""

    asking: Asking
    changes: tuple[Change, ...]
    roughly: dict[str, float]

    @property
    def price(self) -> float:
        """How much is given up in all."""
        return math.fsum(change.price for change in self.changes)


def candidates(asked: Asking, wanted: float, may_be_weaker: bool) -> Iterator[Candidate]:
    """Every change, and several at once, after which something may be told of each question.

    Where all that is wanted is told already, nobody has to be protected less.
    """
    for questions in _subsets(asked.questions):
        left = tuple(question for question in asked.questions if question not in questions)
        names = {question.name for question in questions}
        pairs = tuple(pair for pair in asked.cross if names >= set(pair))
        for ways in _ways(questions, may_be_weaker):
            changes = (*([fewer(questions, left)] if left else []), *(way.change for way in ways if way.change))
            asking = replace(asked, questions=tuple(way.question for way in ways), cross=pairs)
            for each in _weaker(Candidate(asking, changes, {}), may_be_weaker):
                yield from _with_more(each, asked, wanted)


def _subsets(questions: tuple[Question, ...]) -> Iterator[tuple[Question, ...]]:
    """The questions that may be kept: those asked first count most."""
    for kept in _some(questions):
        names = {question.name for question in kept}
        if all(question.only_if is None or question.only_if.question in names for question in kept):
            yield kept


def _some(questions: tuple[Question, ...]) -> Iterator[tuple[Question, ...]]:
    if len(questions) <= ALL_SUBSETS:
        for size in range(len(questions), 0, -1):
            yield from itertools.combinations(questions, size)
        return
    for size in sorted({len(questions), (len(questions) + 1) // 2, *range(1, ALL_SUBSETS)}, reverse=True):
        yield questions[:size]
    for question in questions[1:]:
        yield (question,)


def _ways(questions: Sequence[Question], may_be_weaker: bool) -> Iterator[tuple[Variant, ...]]:
    """As they are; one of them in another way; all with one answer each, in the least changed way, or as yes or no."""
    plain = tuple(map(Variant, questions))
    others = [list(_variants(question, questions)) for question in questions]
    yield plain
    for place, ways in enumerate(others):
        for way in ways:
            if way.kind != "protected" or (may_be_weaker and not place):
                yield (*plain[:place], way, *plain[place + 1 :])
    if len(questions) > 1:
        for pick in (_single, _first, _yes_no):
            yield tuple(pick(ways) or same for ways, same in zip(others, plain, strict=True))


def _variants(question: Question, questions: Sequence[Question]) -> Iterator[Variant]:
    """The other ways to ask it; none if its answers lead to other questions, which they would no longer name."""
    if any(other.only_if is not None and other.only_if.question == question.name for other in questions):
        return
    for way in variants(question):
        if question.only_if is None:
            yield way
        elif way.kind != "protected":
            written = {**way.question.to_json(), "only_if": question.only_if.to_json()}
            yield replace(way, question=type(way.question).from_json(written))


def _single(ways: Sequence[Variant]) -> Variant | None:
    return next((way for way in ways if way.kind in ("single", "classes")), None)


def _first(ways: Sequence[Variant]) -> Variant | None:
    return next((way for way in ways if way.kind != "protected"), None)


def _yes_no(ways: Sequence[Variant]) -> Variant | None:
    return next((way for way in ways if way.kind == "yes_no"), None)


def _weaker(candidate: Candidate, may_be_weaker: bool) -> Iterator[Candidate]:
    """With the protection that was said and with less, with the pairs that were crossed and without."""
    asked = candidate.asking
    free = replace(
        candidate, asking=replace(asked, cross=()), changes=(*candidate.changes, uncrossed(len(asked.cross)))
    )
    for each in (candidate, free) if asked.cross else (candidate,):
        yield each
        partly = any(change.kind == "protected" for change in candidate.changes)
        for level in LEVELS if may_be_weaker else ():
            if asked.epsilon < level < (WEAK if partly else math.inf):
                changes = (*each.changes, weaker(asked, level))
                yield replace(each, asking=replace(each.asking, epsilon=level), changes=changes)


def _with_more(candidate: Candidate, asked: Asking, wanted: float) -> Iterator[Candidate]:
    """With the people that there are, and where no question is asked in another way with more of them."""
    errors = _roughly(candidate.asking)
    most = max(errors.values())
    if candidate.changes and most <= SLACK * NOTHING:
        yield replace(candidate, roughly=errors)
    if any(change.question for change in candidate.changes) or most <= wanted:
        return
    needed = rounded_up(asked.people * (most / wanted) ** 2)
    if candidate.changes and needed > MOST_TIMES * asked.people:
        return
    enough = max(2 * asked.people, rounded_up(asked.people * (most / (CLEARLY * NOTHING)) ** 2))
    is_census = asked.population == asked.people  # then whoever is asked more is one more whom it is about
    limit = MOST_PEOPLE if is_census else asked.population or MOST_PEOPLE
    for to in {needed} if candidate.changes else {min(needed, enough), needed}:
        closer = {name: error * math.sqrt(asked.people / to) for name, error in errors.items()}
        if to <= limit and max(closer.values()) <= SLACK * NOTHING:
            changes = (*candidate.changes, more(asked.people, to))
            population = to if is_census else asked.population
            yield Candidate(replace(candidate.asking, people=to, population=population), changes, closer)


def _roughly(asking: Asking) -> dict[str, float]:
    """The errors if each person reports on one question or pair, as most plans ask, and none is crossed."""
    paired = {name for pair in asking.cross for name in pair}
    groups = len(asking.cross) + sum(question.name not in paired for question in asking.questions)
    lost = math.sqrt(max(groups, 1))
    people = ALIKE if asking.population is None and asking.crowd is None else asking.people
    lost *= math.sqrt(people / asking.people)
    return {
        question.name: lost
        * _alone(replace(asking, questions=(companion(question).shape(question),), people=people, cross=()))
        for question in asking.questions
    }


@lru_cache(maxsize=4096)
def _alone(asked: Asking) -> float:
    """Half of the 95% interval of a question that is asked by itself."""
    [row] = asked.survey().expected(asked.people).values()
    return TWO_SIDED * max(row.deciding)
