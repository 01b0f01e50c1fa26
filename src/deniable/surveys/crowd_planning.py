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
from deniable.surveys.choosing import FreshChoice, MechanismChoice
from deniable.surveys.crowd_choice import CrowdChoice
from deniable.surveys.crowd_pairs import pairs_of_arms
from deniable.surveys.planning import ChosenDesign
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

Planner = Callable[[float, MechanismChoice], ChosenDesign]
"""Plans a survey at a level, by a choice of mechanisms."""


def best_design_in_crowd(
    plan: Planner, cap: float, questions: Sequence[Question], people: int, crowd: Crowd
) -> ChosenDesign:
    """The design of least error whose mixed answers keep the crowd's level, and whose single ones keep ``cap``."""
    if not crowd.level < cap <= MOST_CAP:
        raise ParameterError(
            f"epsilon must be above the crowd's level, {crowd.level:g}, and at most {MOST_CAP:g}, for it is what both "
            f"parties see together, got epsilon={cap:g}"
        )
    if people < crowd.least:
        raise ParameterError(f"least must be at most how many people answer, {people}, got least={crowd.least}")
    target = crowd.level
    for _ in range(MOST_TRIES):
        design, curve = _widest(lambda spread: plan(cap, CrowdChoice(cap, crowd.level, spread)), crowd, target)
        level = rounded_up(least_level(curve, crowd.delta) * ROOM)
        if level <= crowd.level and level < curve.most:
            certified = replace(crowd, level=level, belief=rounded_up(belief(curve, crowd.delta / 2) * ROOM))
            gain = _gain_in_words(plan(crowd.level, FreshChoice()).error, design.error, questions, people, crowd)
            return replace(design, crowd=certified, why=f"{design.why} {gain}")
        target *= AIM * crowd.level / level
    raise _nothing_hidden(crowd)


def _nothing_hidden(crowd: Crowd) -> ParameterError:
    return ParameterError(
        f"level must be one at which a crowd of {crowd.honest} hides more than each report does by itself, got "
        f"level={crowd.level:g}; with a larger least it may"
    )


def _widest(plan_at: Callable[[float], ChosenDesign], crowd: Crowd, target: float) -> tuple[ChosenDesign, Curve]:
    """The design whose blankets spread about as far as a target level allows, and its curve.

    Levels grow as the root of the spread, so the spread is scaled by the square of how far the level is off.
    """
    spread = crowd.honest * (target / DEVIATIONS) ** 2
    best: tuple[float, ChosenDesign, Curve] | None = None
    before: Sequence[Arm] = ()
    for _ in range(MOST_ROUNDS):
        design = plan_at(spread)
        curve = curve_of(pairs_of_arms(design.arms), crowd.honest)
        level = rough_level(curve, crowd.delta)
        if level <= target and (best is None or level > best[0]):
            best = level, design, curve
        if NEAR * target <= level <= target or (level <= target and design.arms == before):
            break
        spread, before = spread * (AIM * target / max(level, target / 8)) ** 2, design.arms
    if best is None:
        raise _nothing_hidden(crowd)
    return best[1:]


def _gain_in_words(direct: float, error: float, questions: Sequence[Question], people: int, crowd: Crowd) -> str:
    """What the crowd wins beside answers sent directly at its level, whose error is ``direct``, and a curator more."""
    words, times = f"In a crowd of {crowd.least:,}", (direct / error) ** 2
    if times < WORTH:
        words += f" that saves hardly anybody beside answers that are sent directly at epsilon {crowd.level:g}"
    else:
        words += (
            f" that is {rounded(times, 2)} times fewer people than the same error needs if answers are sent directly "
            f"at epsilon {crowd.level:g}"
        )
    curator = _curator_error(questions, people, crowd.level)
    if curator is None:
        return f"{words}."
    fewer = rounded((error / curator) ** 2, 2)
    return f"{words}; a curator who has all answers as they are would need {fewer} times fewer."


def _curator_error(questions: Sequence[Question], people: int, level: float) -> float | None:
    """The error if a curator adds noise to the counts of all answers; None unless every answer is one label.

    Who answers otherwise moves two counts of a question by 1; each question has its part of the level.
    """
    if not all(question.choices and question.only_if is None for question in questions):
        return None
    odds = math.exp(-level / len(questions) / 2)
    shares = [float(companion(question).stated(question) or 1.0) for question in questions]
    sampled = math.fsum(share * (1 - share) for share in shares) / len(shares) / people
    return math.sqrt(sampled + 2 * odds / (1 - odds) ** 2 / people**2)
