"""What to beware of when reading a result, each with a bold word first and what follows from it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.estimation.estimate import Estimate
from deniable.estimation.impossible import IMPOSSIBLE, is_impossible
from deniable.pages.results.period_view import PeriodView

MADE_UP = 0.01
"""The share of made-up answers of which it is said what they could do."""
NOTABLE = 0.005
"""They are warned of if they can move a share, or a mean within its range, by more."""
CODES = "Personal codes, one for each person, prevent it."


class Caution(NamedTuple):
    """A warning: a bold beginning, and the rest."""

    head: str
    rest: str


BELOW = Caution(
    "Below zero.",
    "Chance was added to each answer and taken out again, so the estimate of a rare answer can fall below zero. Read "
    "it as “very few”; it is shown as it is so that averages stay right.",
)


def cautions(found: PeriodView, question: str, estimate: Estimate) -> list[Caution]:
    """All that a reader of this question should know."""
    told = _of_period(found)
    shift = found.survey.manipulation(MADE_UP)[question]
    if not found.row.invited and shift.shift > NOTABLE:
        told.append(
            Caution(
                "Anybody with the link can answer.",
                f"If 1 in 100 answers were made up, all alike, {shift.what} could move by up to {shift.moved}. {CODES}",
            )
        )
    if is_impossible(estimate):
        told.append(Caution("Not possible.", IMPOSSIBLE))
    return told + below_zero(estimate)


def below_zero(estimate: Estimate) -> list[Caution]:
    """Why a share that is shown is less than none, if one is."""
    return [BELOW] if (np.asarray(estimate.unbiased) < 0).any() else []


def _of_period(found: PeriodView) -> list[Caution]:
    """What follows from how a period stands and ended."""
    told = []
    if found.until:
        told.append(
            Caution(
                "Not final yet.",
                f"Answers that were on their way are still counted until {found.until}. From then on the numbers stay "
                "as they are, and can be compared.",
            )
        )
    elif found.is_open:
        told.append(
            Caution(
                "Still open.",
                "These numbers change as more answers come in. Decide when to stop before you look: if you stop when "
                "you like what you see, the intervals are too narrow. Comparisons are made once the period is closed.",
            )
        )
    if found.row.ended is not None:
        told.append(Caution("Closed by hand", f"at {found.n:,} answers, not at a time that was set beforehand."))
    if found.gaps:
        told.append(Caution("Answers may be missing:", "the storage was restored from a copy while the period ran."))
    return told
