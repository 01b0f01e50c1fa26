"""How far made-up answers could move a result, beside how far it may be off without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.saying import LEVEL
from deniable.estimation.words import as_typed, joined, listed, points, rounded, with_unit
from deniable.pages.results.caution import Caution
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.rows import drawn_bounds
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.question_shift import QuestionShift

MADE_UP: Final = 0.01
"""The share of made-up answers of which it is said what they could do."""
NOTABLE: Final = 0.005
"""They are warned of if they can move a share, or a mean within its range, by more."""
MANY: Final = 1000
"""Of so many answers a whole number of them is near enough to that share to be called so."""
OPEN_TO_ALL: Final = Statement("anybody_with_the_link_can_answer")


def made_up(found: PeriodView, read: Sequence[tuple[str, Estimate]], share: float = MADE_UP) -> list[Caution]:
    """What they could do to the share and to the mean that they move most, if anybody can send some."""
    worst = _worst(found, read, share)
    if not worst:
        return []
    alone = len(read) == 1
    stands = [Statement("to_give_or_take_what_reach", what=_named(shift, alone), reach=reach) for shift, reach in worst]
    rest = (
        Statement("one_can_read", what=listed(stands)),
        Statement(
            "if_were_made_up_to_mislead",

            count=len(worst), answers=_answers(found, share), more=listed([shift.moved for shift, _ in worst]),
        ),
        Statement("personal_codes_prevent_it"),
    )  # fmt: skip
    return [Caution(OPEN_TO_ALL, joined(rest))]


def made_up_in_short(found: PeriodView, name: str, estimate: Estimate) -> Phrase:
    """The same of one question in a line, for a slide; empty where it need not be said."""
    worst = _worst(found, [(name, estimate)], MADE_UP)
    if not worst:
        return ""
    return Statement(
        "anybody_with_the_link_can_answer_if",
        answers=_answers(found, MADE_UP), more=listed([shift.moved for shift, _ in worst]),
    )  # fmt: skip


def _answers(found: PeriodView, share: float) -> Statement:
    """So many in words, or the share where none of so few are that few, or a reader typed it."""
    made, n, of = int(MADE_UP * found.n), found.n, round(1 / MADE_UP)
    if not made or share != MADE_UP:
        return Statement("in_100_of_the_answers", share=as_typed(share))
    if n < MANY:
        return Statement("of_the_answers", made=made, n=n)
    return Statement("of_the_answers_1_in", made=made, n=n, of=of)


def _worst(found: PeriodView, read: Sequence[tuple[str, Estimate]], share: float) -> list[tuple[QuestionShift, Phrase]]:
    """The share and the mean that are moved most, each with how far its line reaches; none if each has a code."""
    if found.row.invited:
        return []
    shifts = found.survey.manipulation(share)
    notable = [(shifts[name], estimate) for name, estimate in read if shifts[name].shift > NOTABLE]
    told = []
    for of_mean, reach in ((False, _reach_of_shares), (True, _reach_of_mean)):
        if moved := [each for each in notable if each[0].of_mean is of_mean]:
            shift, estimate = max(moved, key=lambda each: each[0].shift)
            told.append((shift, reach(estimate)))
    return told


def _reach_of_shares(estimate: Estimate) -> Phrase:
    """How far the longest line of a question's shares reaches."""
    low, high = drawn_bounds(estimate, LEVEL, simultaneous=False).T
    reach = np.fmax(high - estimate.unbiased, estimate.unbiased - low)
    return Statement("points", points=points(float(np.nanmax(reach, initial=0.0))))


def _reach_of_mean(estimate: Estimate) -> Phrase:
    """How far the line of a number's mean reaches."""
    assert isinstance(estimate, Distribution)
    (low, high), mean = estimate.mean.interval(LEVEL), estimate.mean.value
    return with_unit(rounded(max(high - mean, mean - low), 2), estimate.counted_in)


def _named(shift: QuestionShift, alone: bool) -> Phrase:
    """What moves, and of which question unless there is but one."""
    return shift.what if alone else Statement("of_what_question", what=shift.what, question=shift.wording)
