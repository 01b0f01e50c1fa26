"""The options of an advice: of all candidates those that bring most for what they cost, planned and told apart."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from deniable.protocol.errors import ParameterError
from deniable.protocol.surveys.crowd import Crowd
from deniable.protocol.surveys.protection import Protection
from deniable.surveys.advising.changes import Change, as_census, through_mixer
from deniable.surveys.advising.designs import AdvisedDesign
from deniable.surveys.advising.search import SLACK, WEAK, Candidate, candidates
from deniable.surveys.advising.words import NOTHING

MOST: Final = 10
"""How many options there are at most."""
APART: Final = 3
"""How many of them, the first ones, are of different kinds."""
TRIED: Final = 16
"""How many candidates are planned at most."""
OF_A_KIND: Final = 4
"""How many of these may have the same kind of dearest change."""
HELPS: Final = 0.8
"""The error that an option may have at most, as a part of that without it."""
LATER: Final = 0.5
"""What it is worth to tell something of a question that is not the first, beside the first."""
CROWDS: Final = tuple(size * 10**power for power in range(2, 9) for size in (1, 2, 5))
"""How many answers a mixer may wait for; at most half of the people, for not all of them answer."""
BEYOND: Final = 0.1
"""What it is worth to halve an error that is as small as was wanted, beside what was wanted."""


def ranked(now: AdvisedDesign, wanted: float, mixer: bool) -> tuple[AdvisedDesign, ...]:
    """The options, the first of them of different kinds; among them one with a ``mixer``, if that is wanted."""
    planned = [design for each in _promising(now, wanted) for design in _planned(each, now)]
    planned += [*_as_census(now, now), *(_through_mixer(now) if mixer else ())]
    options: list[AdvisedDesign] = []
    for design in sorted(planned, key=lambda each: -gain(each.errors, now, wanted) / each.price):
        if not any(_is_hardly_better(design, other) for other in options):
            options.append(design)
    options, crowded_out = options[: MOST - 1], options[MOST - 1 :]
    only_more_people = [each for each in crowded_out if [change.kind for change in each.changes] == ["people"]]
    options += (only_more_people or crowded_out)[:1]
    first = _of_different_kinds(options)
    return (*first, *(each for each in options if each not in first))


def _of_different_kinds(designs: Sequence[AdvisedDesign]) -> list[AdvisedDesign]:
    """The first options: more people only where there are no others, for those who ask have said how many there are."""
    by_kind: dict[str, AdvisedDesign] = {}
    for each in sorted(designs, key=lambda each: each.kind == "people"):
        if len(by_kind) < APART:
            by_kind.setdefault(each.kind, each)
    return list(by_kind.values())


def _promising(now: AdvisedDesign, wanted: float) -> Iterator[Candidate]:
    """The candidates that are planned: those that seem best, and not all of one kind."""
    every = candidates(now.inputs, wanted, may_be_weaker=max(now.errors.values()) > wanted)
    helpful = [each for each in every if _helps(each.rough_errors, now.errors, HELPS * SLACK)]
    kinds: Counter[str] = Counter()
    for each in sorted(helpful, key=lambda each: -gain(each.rough_errors, now, wanted) / each.price):
        kind = max(each.changes, key=lambda change: change.price).kind
        kinds[kind] += 1
        if kinds[kind] <= OF_A_KIND and sum(min(count, OF_A_KIND) for count in kinds.values()) <= TRIED:
            yield each


def _planned(candidate: Candidate, now: AdvisedDesign) -> Iterator[AdvisedDesign]:
    """The design of a candidate, if it still helps once it is planned; and as a census, if that helps more."""
    try:
        design = AdvisedDesign(candidate.inputs, candidate.changes)
    except ParameterError:  # a level too small to be shared, or a pair that cannot be crossed any more
        return
    if not design.is_nothing and _helps(design.errors, now.errors, HELPS):
        yield design
    yield from _as_census(design, now)


def _as_census(design: AdvisedDesign, now: AdvisedDesign) -> Iterator[AdvisedDesign]:
    """The design for people who are all that there are, if that helps."""
    inputs = design.inputs
    if inputs.population is not None or inputs.people != now.inputs.people:
        return
    counted = AdvisedDesign(replace(inputs, population=inputs.people), (*design.changes, as_census(inputs.people)))
    if not counted.is_nothing and all(_helps(counted.errors, each.errors, HELPS) for each in (design, now)):
        yield counted


def least_of(people: int) -> int:
    """How many answers a mixer may wait for, of so many people; none of fewer than 200."""
    return max((size for size in CROWDS if 2 * size <= people), default=0)


def _through_mixer(now: AdvisedDesign) -> Iterator[AdvisedDesign]:
    """The design with a mixer, if that helps: the level that was asked for is then that of the crowd's answers."""
    inputs = now.inputs
    least = least_of(inputs.people)
    if not least or inputs.epsilon >= WEAK or inputs.crowd is not None:
        return
    crowd = Crowd("https://mixer.example", "somebody else", least, inputs.epsilon)
    with_mixer = replace(inputs, epsilon=WEAK, crowd=crowd)
    try:
        survey = with_mixer.survey()
    except ParameterError:  # answers of which a crowd hides nothing
        return
    if survey.crowd is None:
        return
    design = AdvisedDesign(with_mixer, (through_mixer(inputs, survey.crowd, Protection.of(survey)),))
    if not design.is_nothing and _helps(design.errors, now.errors, HELPS):
        yield design


def _helps(errors: Mapping[str, float], before: Mapping[str, float], factor: float) -> bool:
    """Whether the first question that is kept has at most this part of its error before, and no error grows."""
    first = next(iter(errors))
    return errors[first] <= factor * before[first] and all(error <= before[name] for name, error in errors.items())


def gain(errors: Mapping[str, float], now: AdvisedDesign, wanted: float) -> float:
    """How much more is told, on a scale on which all that is wanted of the first question counts 1."""
    before = now.errors
    weights = [1.0, *[LATER] * (len(before) - 1)]
    return math.fsum(
        weight * (_worth(errors.get(name, 1.0), wanted) - _worth(error, wanted))
        for weight, (name, error) in zip(weights, before.items(), strict=True)
    )


def _worth(error: float, wanted: float) -> float:
    """What an error is worth: 0 if it tells nothing, 1 if it is as small as was wanted."""
    if error >= NOTHING:
        return 0.0
    if error <= wanted:
        return 1 + BEYOND * math.log2(wanted / error)
    return math.log(NOTHING / error) / math.log(NOTHING / wanted)


def _is_hardly_better(design: AdvisedDesign, other: AdvisedDesign) -> bool:
    """Whether a design gives up all that another does and more, and does not err less by a fifth for it."""
    first = next(iter(design.errors))
    return (
        first in other.errors
        and all(any(_gives_up_as_much(each, change) for each in design.changes) for change in other.changes)
        and design.errors[first] > HELPS * other.errors[first]
    )


def _gives_up_as_much(change: Change, other: Change) -> bool:
    """Whether a change gives up at least what another does: whoever drops a question also drops how it was asked."""
    if change.kind == "questions" and other.question is not None:
        return other.question not in change.to
    if change.kind != other.kind or change.question != other.question:
        return False
    if change.kind == "questions":
        return set(change.to) <= set(other.to)
    return bool(change.to >= other.to) if change.kind in ("level", "people") else change.to == other.to
