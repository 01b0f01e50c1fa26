"""What to beware of when reading a result, each with a bold word first and what follows from it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.words import points, rounded
from deniable.pages.results.period_view import PeriodView, fakes_shift
from deniable.protocol.questions.number import Number
from deniable.protocol.questions.question import Question
from deniable.protocol.scale import Scale
from deniable.surveys.survey import Survey

UNLIKELY = 1e-4
NOTABLE = 0.005
"""Made-up answers are warned of if 1 in 100 of them can move a share by more."""
CODES = "Personal codes, one for each person, prevent it."


class Caution(NamedTuple):
    """A warning: a bold beginning, and the rest."""

    head: str
    rest: str


class Shift(NamedTuple):
    """What made-up answers could do to a question: by which part of all people, or of a number's range."""

    name: str
    wording: str
    share: float
    words: str


BELOW = Caution(
    "Below zero.",
    "Chance was added to each answer and taken out again, so the estimate of a rare answer can fall below zero. Read "
    "it as “very few”; it is shown as it is so that averages stay right.",
)


def cautions(found: PeriodView, question: str, estimate: Estimate) -> list[Caution]:
    """All that a reader of this question should know."""
    told = _of_period(found)
    shift = fakes_shift(found.survey, question)
    if not found.row.invited and shift > NOTABLE:
        told.append(
            Caution(
                "Anybody with the link can answer.",
                f"If 1 in 100 answers were made up, all alike, a share could move by up to {points(shift)} points. "
                f"{CODES}",
            )
        )
    if _is_impossible(estimate):
        told.append(
            Caution(
                "Not possible.",
                "Honest answers give such numbers in fewer than 1 of 10,000 surveys: a share lies below none or above "
                "all, by more than chance explains. Answers were probably made up.",
            )
        )
    return told + below_zero(estimate)


def number_cautions(found: PeriodView, question: str, estimate: Distribution) -> list[Caution]:
    """The same of a number, whose mean is what made-up answers move."""
    told, shift = _of_period(found), fakes_shift(found.survey, question)
    most = _moved(estimate.scale, estimate.unit, shift)
    if not found.row.invited and shift > NOTABLE:
        told.append(
            Caution(
                "Anybody with the link can answer.",
                f"If 1 in 100 answers were made up, all alike, the mean could move by up to {most}. {CODES}",
            )
        )
    return told + below_zero(estimate)


def below_zero(estimate: Estimate) -> list[Caution]:
    """Why a share that is shown is less than none, if one is."""
    return [BELOW] if (np.asarray(estimate.unbiased) < 0).any() else []


def shift_of(survey: Survey, question: Question) -> Shift:
    """What moves, and by how much, if 1 in 100 answers is made up."""
    shift = fakes_shift(survey, question.name)
    if not isinstance(question, Number):
        words = f"a share moves by up to {points(shift)} points"
    elif shift:
        words = f"the mean moves by up to {_moved(question.scale, question.unit, shift)}"
    else:
        words = "no mean is told"
    return Shift(question.name, question.wording or question.name, shift, words)


def _moved(scale: Scale, unit: str, shift: float) -> str:
    """A part of the range, in the units of the scale."""
    reach = shift * float(scale.steps * scale.step)
    return f"{rounded(reach)} {'days' if scale.dated else unit}".rstrip()


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


def _is_impossible(estimate: Estimate) -> bool:
    """Whether some share is surely no share; of honest answers it is said as rarely as ``UNLIKELY``."""
    low, high = np.asarray(estimate.evidence.interval(UNLIKELY / len(estimate.labels))).T
    return bool(((high < 0) | (low > 1)).any())
