"""What an author may expect to learn of each number, in its own units, and what to look at before asking."""

from __future__ import annotations

from typing import Final, NamedTuple

from deniable.estimation.words import points
from deniable.pages.builder.draft import Draft, DraftQuestion
from deniable.pages.results.cautions import Caution
from deniable.protocol.questions.number import Block, Number
from deniable.surveys.expected import Expected
from deniable.surveys.questions.number import EVEN
from deniable.surveys.questions.number_errors import amount, cell_width, range_of
from deniable.surveys.survey import Survey

REACH: Final = 1.96
CUT_OFF: Final = 1.0
"""If an author guesses so many of a hundred people beyond the bounds, these are too narrow."""
FINE: Final = 10
"""How many steps a mean may be off before they need not be so small."""


class NumberOutlook(NamedTuple):
    """A number's wording, and sentences about what can be told of it."""

    wording: str
    sentences: tuple[str, ...]


def promises(survey: Survey, people: int) -> list[NumberOutlook]:
    """What can be told of each number if so many people answer."""
    expected = survey.expected(people)
    numbers = [question for question in survey.questions if isinstance(question, Number)]
    return [
        NumberOutlook(each.wording or each.name, tuple(_sentences(survey, each, expected[each.name])))
        for each in numbers
    ]


def number_advice(draft: Draft, survey: Survey) -> list[Caution]:
    """Bounds that cut people off, and steps that are finer than what can be told."""
    told: list[Caution] = []
    expected = survey.expected(draft.people)
    for asked, question in zip(draft.questions, survey.questions, strict=True):
        if isinstance(question, Number):
            told += _of_bounds(asked, question)
            told += _of_steps(survey, question, expected[question.name])
    return told


def _sentences(survey: Survey, question: Number, row: Expected) -> list[str]:
    told = []
    if row.mean is not None and row.mean_worst is not None:
        usual, most = (amount(question, REACH * error * range_of(question)) for error in (row.mean, row.mean_worst))
        told.append(
            f"The mean, of which {row.mean_people:,} people tell: give or take {usual} {EVEN}, and at most {most} "
            "whatever they are."
        )
    if row.below is not None:
        give = f"give or take {points(REACH * row.below)} points {EVEN}"
        told.append(f"The share of people at or below a number: {give}.")
        closest = amount(question, _told_to(survey, question))
        told.append(f"Quantiles, such as the median, are told to the nearest {closest}.")
    if "spread" in question.want:
        told.append("The spread about the mean, whose error depends on how far apart people are.")
    return told


def _of_bounds(asked: DraftQuestion, question: Number) -> list[Caution]:
    if asked.beyond < CUT_OFF:
        return []
    low, high = question.scale.shown(0), question.scale.shown(question.scale.steps)
    return [
        Caution(
            "Bounds that cut people off.",
            f"You guess that {asked.beyond:g} in 100 are beyond {low} and {high}. They count as the bound itself, so "
            "the mean is not theirs. Wider bounds make every number less certain in proportion: choose with both "
            "in mind.",
        )
    ]


def _of_steps(survey: Survey, question: Number, row: Expected) -> list[Caution]:
    step, told = float(question.scale.step), _told_to(survey, question)
    if told <= step and row.mean is not None and row.below is None:
        told = REACH * row.mean * range_of(question)
        told = told if told > FINE * step else step
    if told <= step:
        return []
    return [
        Caution(
            "A step finer than the error.",
            f"You ask in steps of {amount(question, step)}, and with so many people nothing closer than "
            f"{amount(question, told)} can be told. It costs nothing; a larger step may be easier to answer.",
        )
    ]


def _told_to(survey: Survey, question: Number) -> float:
    """How wide the cells are in which people are counted."""
    blocks = [
        part
        for arm in survey.arms
        for part in arm.parts
        if part.names == (question.name,) and isinstance(part.encoder, Block)
    ]
    return (cell_width(blocks) if blocks else 1) * float(question.scale.step)
