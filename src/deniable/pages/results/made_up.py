"""How far made-up answers could move a result, beside how far it may be off without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.saying import LEVEL
from deniable.estimation.words import listed, points, rounded
from deniable.pages.results.caution import Caution
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.rows import drawn_bounds
from deniable.surveys.question_shift import QuestionShift

MADE_UP: Final = 0.01
"""The share of made-up answers of which it is said what they could do."""
NOTABLE: Final = 0.005
"""They are warned of if they can move a share, or a mean within its range, by more."""
MANY: Final = 1000
"""Of so many answers a whole number of them is near enough to that share to be called so."""
CODES: Final = "Personal codes prevent it."
ShiftedQuestion = tuple[QuestionShift, Estimate]


def made_up(found: PeriodView, read: Sequence[tuple[str, Estimate]]) -> list[Caution]:
    """What they could do to the share and to the mean that they move most, if anybody can send some."""
    if found.row.invited:
        return []
    shifts = found.survey.manipulation(MADE_UP)
    worst = _worst([(shifts[name], estimate) for name, estimate in read if shifts[name].shift > NOTABLE])
    if not worst:
        return []
    alone = len(read) == 1
    stands = listed([f"{_named(shift, alone)} to give or take {reach}" for shift, reach in worst])
    more, they = listed([shift.moved for shift, _ in worst]), "it" if len(worst) == 1 else "they"
    answers = _answers(so_many(found.n), found.n)
    return [
        Caution(
            "Anybody with the link can answer.",
            f"One can read {stands}. If {answers} were made up to mislead, all alike, {they} could be off by up to "
            f"{more} more. {CODES}",
        )
    ]


def so_many(n: int) -> int:
    """How many of n answers are made up: no more than the share of which it is worked out what it could do."""
    return int(MADE_UP * n)


def _answers(made: int, n: int) -> str:
    """So many of n in words, or the share where none of so few are that few."""
    if not made:
        return f"1 in {round(1 / MADE_UP)} of the answers"
    return f"{made:,} of the {n:,} answers{f', 1 in {round(1 / MADE_UP)},' if n >= MANY else ''}"


def _worst(notable: Sequence[ShiftedQuestion]) -> list[tuple[QuestionShift, str]]:
    """The share and the mean that are moved most, each with how far its line reaches without made-up answers."""
    found = []
    for of_mean, reach in ((False, _reach_of_shares), (True, _reach_of_mean)):
        if moved := [each for each in notable if each[0].of_mean is of_mean]:
            shift, estimate = max(moved, key=lambda each: each[0].shift)
            found.append((shift, reach(estimate)))
    return found


def _reach_of_shares(estimate: Estimate) -> str:
    """How far the longest line of a question's shares reaches."""
    low, high = drawn_bounds(estimate, LEVEL, simultaneous=False).T
    reach = np.fmax(high - estimate.unbiased, estimate.unbiased - low)
    return f"{points(float(np.nanmax(reach, initial=0.0)))} points"


def _reach_of_mean(estimate: Estimate) -> str:
    """How far the line of a number's mean reaches."""
    assert isinstance(estimate, Distribution)
    (low, high), mean = estimate.mean.interval(LEVEL), estimate.mean.value
    return f"{rounded(max(high - mean, mean - low), 2)} {estimate.counted_in}".rstrip()


def _named(shift: QuestionShift, alone: bool) -> str:
    """What moves, and of which question unless there is but one."""
    return shift.what if alone else f"{shift.what} of “{shift.wording}”"
