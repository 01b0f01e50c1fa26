"""Planning a survey whose answers go through a mixer: of least error, at a level that is certified."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from deniable.estimation.words import rounded
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.levels import rounded_up
from deniable.protocol.questions.question import Question
from deniable.protocol.surveys.crowd import Crowd
from deniable.surveys.arms import Arm
from deniable.surveys.choosing import Afresh, Choice
from deniable.surveys.crowd_choice import InCrowd
from deniable.surveys.crowd_pairs import pairs_of_arms
from deniable.surveys.planning import Planned
from deniable.surveys.questions.kinds import companion
from deniable.theory.crowd.crowds import curve_of
from deniable.theory.crowd.curves import Curve
from deniable.theory.crowd.solving import belief, least_level, rough_level

MOST_CAP: Final = 4.0
"""The largest level of an answer that is planned with: what both parties see together."""
DEVIATIONS: Final = 4.5
"""About how many deviations of the blanket a level is above 0, where the search begins."""
WORTH: Final = 1.5
"""So many times fewer people are worth a second party."""
MOST_ROUNDS, MOST_TRIES = 6, 3
NEAR: Final = 0.985
"""A level this near the one that was asked for is not searched further."""
ROOM: Final = 1 + 3e-4
"""Whoever certifies the same from listed rows may find a little more: see ``curves.NEARLY``."""
AIM: Final = 0.994

Planner = Callable[[float, Choice], Planned]
"""Plans a survey at a level, by a choice of mechanisms."""


def planned_in_crowd(plan: Planner, cap: float, questions: Sequence[Question], people: int, crowd: Crowd) -> Planned:
    """The plan of least error whose mixed answers keep the crowd's level, and whose single ones keep ``cap``."""
    if not crowd.level < cap <= MOST_CAP:
        raise ParameterError(
            f"epsilon must be above the crowd's level, {crowd.level:g}, and at most {MOST_CAP:g}, for it is what both "
            f"parties see together, got epsilon={cap:g}"
        )
    if people < crowd.least:
        raise ParameterError(f"least must be at most how many people answer, {people}, got least={crowd.least}")
    aim = crowd.level
    for _ in range(MOST_TRIES):
        made, curve = _widest(lambda spread: plan(cap, InCrowd(cap, crowd.level, spread)), crowd, aim)
        level = rounded_up(least_level(curve, crowd.delta) * ROOM)
        if level <= crowd.level and level < curve.most:
            sure = replace(crowd, level=level, belief=rounded_up(belief(curve, crowd.delta / 2) * ROOM))
            return replace(made, crowd=sure, why=f"{made.why} {_gained(plan, made, questions, people, crowd)}")
        aim *= AIM * crowd.level / level
    raise _nothing_hidden(crowd)


def _nothing_hidden(crowd: Crowd) -> ParameterError:
    return ParameterError(
        f"level must be one at which a crowd of {crowd.honest} hides more than each report does by itself, got "
        f"level={crowd.level:g}; with a larger least it may"
    )


def _widest(plan_at: Callable[[float], Planned], crowd: Crowd, aim: float) -> tuple[Planned, Curve]:
    """The plan whose blankets spread as far as a level allows, about, and its curve: levels grow as their root."""
    spread = crowd.honest * (aim / DEVIATIONS) ** 2
    kept: tuple[float, Planned, Curve] | None = None
    before: Sequence[Arm] = ()
    for _ in range(MOST_ROUNDS):
        plan = plan_at(spread)
        curve = curve_of(pairs_of_arms(plan.arms), crowd.honest)
        level = rough_level(curve, crowd.delta)
        if level <= aim and (kept is None or level > kept[0]):
            kept = level, plan, curve
        if NEAR * aim <= level <= aim or (level <= aim and plan.arms == before):
            break
        spread, before = spread * (AIM * aim / max(level, aim / 8)) ** 2, plan.arms
    if kept is None:
        raise _nothing_hidden(crowd)
    return kept[1:]


def _gained(plan: Planner, found: Planned, questions: Sequence[Question], people: int, crowd: Crowd) -> str:
    """What the crowd wins beside answers that are sent directly at its level, and what a curator would win more."""
    direct, own = plan(crowd.level, Afresh()).error, found.error
    said, times = f"In a crowd of {crowd.least:,}", (direct / own) ** 2
    if times < WORTH:
        said += f" that saves hardly anybody beside answers that are sent directly at epsilon {crowd.level:g}"
    else:
        said += (
            f" that is {rounded(times, 2)} times fewer people than the same error needs if answers are sent directly "
            f"at epsilon {crowd.level:g}"
        )
    central = _central(questions, people, crowd.level)
    if central is None:
        return f"{said}."
    fewer = rounded((own / central) ** 2, 2)
    return f"{said}; a curator who has all answers as they are would need {fewer} times fewer."


def _central(questions: Sequence[Question], people: int, level: float) -> float | None:
    """The error if a curator adds noise to the counts of all answers; None unless every answer is one label.

    Who answers otherwise moves two counts of a question by 1; each question has its part of the level.
    """
    if not all(question.choices and question.only_if is None for question in questions):
        return None
    odds = math.exp(-level / len(questions) / 2)
    shares = [float(companion(question).stated(question) or 1.0) for question in questions]
    sampled = math.fsum(share * (1 - share) for share in shares) / len(shares) / people
    return math.sqrt(sampled + 2 * odds / (1 - odds) ** 2 / people**2)
