"""The options of an advice: of all candidates those that bring most for what they cost, planned and told apart."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from deniable.protocol.errors import ParameterError
from deniable.protocol.surveys.crowd import Crowd
from deniable.protocol.surveys.protection import Protection
from deniable.surveys.advising.changes import Change, census, mixed
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
    planned = [made for each in _promising(now, wanted) for made in _planned(each, now)]
    planned += [*_as_census(now, now), *(_as_mixed(now) if mixer else ())]
    kept: list[AdvisedDesign] = []
    for made in sorted(planned, key=lambda each: -gain(each.errors, now, wanted) / each.price):
        if not any(_is_hardly_more(made, other) for other in kept):
            kept.append(made)
    kept = [*kept[: MOST - 1], *(_as_asked(kept[MOST - 1 :]) or kept[MOST - 1 : MOST])]
    first = _of_different_kinds(kept)
    return (*first, *(each for each in kept if each not in first))


def _as_asked(others: Sequence[AdvisedDesign]) -> list[AdvisedDesign]:
    """Of the options for which there is no room, the one that changes nothing but how many people are asked."""
    return [each for each in others if [change.kind for change in each.changes] == ["people"]][:1]


def _of_different_kinds(designs: Sequence[AdvisedDesign]) -> list[AdvisedDesign]:
    """The first options: more people only where there are no others, for those who ask have said how many there are."""
    found: dict[str, AdvisedDesign] = {}
    for each in sorted(designs, key=lambda each: each.kind == "people"):
        if len(found) < APART:
            found.setdefault(each.kind, each)
    return list(found.values())


def _promising(now: AdvisedDesign, wanted: float) -> Iterator[Candidate]:
    """The candidates that are planned: those that seem best, and not all of one kind."""
    lacking = max(now.errors.values()) > wanted
    found = candidates(now.asking, wanted, lacking)
    helpful = [each for each in found if _helps(each.roughly, now.errors, HELPS * SLACK)]
    kinds: Counter[str] = Counter()
    for each in sorted(helpful, key=lambda each: -gain(each.roughly, now, wanted) / each.price):
        kind = _dearest(each.changes)
        kinds[kind] += 1
        if kinds[kind] <= OF_A_KIND and sum(min(count, OF_A_KIND) for count in kinds.values()) <= TRIED:
            yield each


def _dearest(changes: Sequence[Change]) -> str:
    return max(changes, key=lambda change: change.price).kind


def _planned(candidate: Candidate, now: AdvisedDesign) -> Iterator[AdvisedDesign]:
    """The design of a candidate, if it still helps once it is planned; and as a census, if that helps more."""
    try:
        design = AdvisedDesign(candidate.asking, candidate.changes)
    except ParameterError:  # a level too small to be shared, or a pair that cannot be crossed any more
        return
    if not design.is_nothing and _helps(design.errors, now.errors, HELPS):
        yield design
    yield from _as_census(design, now)


def _as_census(design: AdvisedDesign, now: AdvisedDesign) -> Iterator[AdvisedDesign]:
    """The same, if the people are all that there are."""
    asking = design.asking
    if asking.population is not None or asking.people != now.asking.people:
        return
    counted = AdvisedDesign(replace(asking, population=asking.people), (*design.changes, census(asking.people)))
    if (
        not counted.is_nothing
        and _helps(counted.errors, design.errors, HELPS)
        and _helps(counted.errors, now.errors, HELPS)
    ):
        yield counted


def least_of(people: int) -> int:
    """How many answers a mixer may wait for, of so many people; none of fewer than 200."""
    return max((size for size in CROWDS if 2 * size <= people), default=0)


def _as_mixed(now: AdvisedDesign) -> Iterator[AdvisedDesign]:
    """The same with somebody who passes the answers on: the level that was asked for is then that of the crowd."""
    asking = now.asking
    least = least_of(asking.people)
    if not least or asking.epsilon >= WEAK or asking.crowd is not None:
        return
    crowd = Crowd("https://mixer.example", "somebody else", least, asking.epsilon)
    through = replace(asking, epsilon=WEAK, crowd=crowd)
    try:
        survey = through.survey()
    except ParameterError:  # answers of which a crowd hides nothing
        return
    if survey.crowd is None:
        return
    design = AdvisedDesign(through, (mixed(asking, survey.crowd, Protection.of(survey)),))
    if not design.is_nothing and _helps(design.errors, now.errors, HELPS):
        yield design


def _helps(errors: Mapping[str, float], before: Mapping[str, float], by: float) -> bool:
    """Whether the first question that is kept errs less by a fifth, and none errs more."""
    first = next(iter(errors))
    return errors[first] <= by * before[first] and all(error <= before[name] for name, error in errors.items())


def gain(errors: Mapping[str, float], now: AdvisedDesign, wanted: float) -> float:
    """How much more is told, on a scale on which all that is wanted of the first question counts 1."""
    before = now.errors
    weights = [1.0, *[LATER] * (len(before) - 1)]
    return math.fsum(
        weight * (_told(errors.get(name, 1.0), wanted) - _told(error, wanted))
        for weight, (name, error) in zip(weights, before.items(), strict=True)
    )


def _told(error: float, wanted: float) -> float:
    """What an error is worth: 0 if it tells nothing, 1 if it is as small as was wanted."""
    if error >= NOTHING:
        return 0.0
    if error <= wanted:
        return 1 + BEYOND * math.log2(wanted / error)
    return math.log(NOTHING / error) / math.log(NOTHING / wanted)


def _is_hardly_more(design: AdvisedDesign, other: AdvisedDesign) -> bool:
    """Whether a design gives up all that another does and more, and does not err less by a fifth for it."""
    first = next(iter(design.errors))
    return (
        first in other.errors
        and all(_covers(design.changes, change) for change in other.changes)
        and design.errors[first] > HELPS * other.errors[first]
    )


def _covers(changes: Iterable[Change], change: Change) -> bool:
    """Whether some of these changes gives up at least as much as another."""
    return any(_gives_up(each, change) for each in changes)


def _gives_up(each: Change, change: Change) -> bool:
    if each.kind == "questions" and change.question is not None:
        return change.question not in each.to
    if each.kind != change.kind or each.question != change.question:
        return False
    if each.kind == "questions":
        return set(each.to) <= set(change.to)
    return bool(each.to >= change.to) if each.kind in ("level", "people") else each.to == change.to
