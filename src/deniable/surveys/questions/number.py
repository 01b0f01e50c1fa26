"""Questions answered by a number or a date."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from deniable.arrays import Indices
from deniable.estimation.numbers.distribution import Distribution
from deniable.mechanisms.channels.channel import Channel
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.planning.outlook import TWO_SIDED
from deniable.protocol.errors import LabelError
from deniable.protocol.privacy.guarantees import LDP
from deniable.protocol.questions.number import Block, Number, Point
from deniable.protocol.say import Phrase, english
from deniable.surveys.arms import Part
from deniable.surveys.choosing import MechanismChoice
from deniable.surveys.combining import PartReports
from deniable.surveys.document import Document
from deniable.surveys.part_errors import AskedParts, error_among, labels_error
from deniable.surveys.question_shift import QuestionShift, mean_shift
from deniable.surveys.questions.kind import SHARE, Expected, QuestionKind, SurveyResults, check_column
from deniable.surveys.questions.number_errors import amount, least_ranges_error, mean_error, range_of, ranges_error
from deniable.surveys.questions.number_results import distribution_of
from deniable.surveys.sharing import Allocation, Lot, drawn_by_weight, in_equal_shares
from deniable.theory.numbers.points import best_points, levels_for, points_for
from deniable.theory.numbers.staggered import best_parts, parts, risks
from deniable.values.columns import Labels
from deniable.values.domain import Domain
from deniable.values.number_scale import places_on

EVEN = "if all numbers are equally frequent"
BELOW = f"the share of people below a number, {EVEN}"
MEAN = f"the mean, as a part of the range, {EVEN}"


class NumberKind(QuestionKind[Number]):
    """Points tell of the mean and the spread, blocks of ranges and quantiles."""

    def values(self, question: Number) -> Domain:
        return Domain.of(question.scale.size)

    def column(self, question: Number, column: Labels) -> Indices:
        check_column(question, column)
        try:
            return places_on(question.scale, column)
        except LabelError as error:
            raise error.within(f"the answers to {question.name!r}") from None

    def fields(self, question: Number, texts: Sequence[str | None], separator: str) -> list[Any]:
        """Numbers as they are written, or dates, which stay texts; what is neither stays too, to be refused."""
        return [text or None if question.scale.dated or not text else _number(text) for text in texts]

    def allocation(self, question: Number, level: float, people: int, key: str, choice: MechanismChoice) -> Allocation:
        return number_allocation(question, level, people, choice)

    def errors(self, question: Number) -> tuple[str, ...]:
        share = (SHARE,) if {"quantiles", "histogram"} & set(question.want) else ()
        mean = ("a mean (as a part of its range, at the worst truth)",)
        return (*share, *(mean if {"mean", "spread"} & set(question.want) else ()))

    def amount(self, question: Number, error: float) -> Phrase:
        """A mean errs in the number's own units."""
        if {"mean", "spread"} & set(question.want):
            return amount(question, error * range_of(question), 2)
        return super().amount(question, error)

    def expected(self, question: Number, asked: AskedParts, people: int, population: float) -> Expected:
        """The error of the share below a number, and that of the mean as a part of the range between the bounds."""
        mean, below = mean_error(question, asked, population), ranges_error(question, asked, population)
        least = least_ranges_error(question, asked, population)
        if mean is None:
            if below is None:
                error = error_among(labels_error(asked, 2), 0.5, population)
                return Expected(people, error, f"{MEAN} (told by group alone)", mean=error)
            return Expected(people, below, BELOW, below=below, least_below=least)
        n, even, worst = round(mean.people), mean.even, mean.worst
        usual, most = (english(amount(question, TWO_SIDED * error * range_of(question), 2)) for error in (even, worst))
        note = f"{n:,} people tell of the mean of {question.name}: give or take {usual} {EVEN}, at most {most}."
        error, what = (even, MEAN) if below is None else (below, BELOW)
        return Expected(people, error, what, even, worst, n, below, least, note)

    def shift(self, question: Number, survey: Document, share: float) -> QuestionShift:
        """How far made-up answers move the mean, in the number's units."""
        shift = mean_shift(survey, question.name, share)
        moved = amount(question, shift * range_of(question)) if shift else ""
        return QuestionShift(question.name, question.wording or question.name, shift, moved, of_mean=True)

    def estimate(self, question: Number, reports: list[PartReports], results: SurveyResults) -> Distribution:
        return distribution_of(question, reports, results.document, results.decoder, results.census)


def _number(text: str) -> Any:
    try:
        return Decimal(text.strip())
    except InvalidOperation:
        return text


# --- what is asked ----------------------------------------------------------------------------------------------------

WEIGHTS: Final = {"mean": 1, "ranges": 3, "spread": 1}
"""The people for each thing that is wanted, in proportion: ranges need more for errors alike."""
CELLS: Final = (16, 32, 64, 128, 256, 512, 1024)
"""Into how many cells a scale is cut, unless it has fewer places."""
BINS: Final = 32
"""Into how many where nothing is wanted but a histogram."""


def number_allocation(question: Number, level: float, people: int, choice: MechanismChoice) -> Allocation:
    """Who reports what about one number, so that all that is wanted of it is told."""
    allocations: dict[str, Allocation] = {}
    if "mean" in question.want:
        allocations["mean"] = mean_allocation(question, level, choice)
    if {"quantiles", "histogram"} & set(question.want):
        allocations["ranges"] = ranges_allocation(question, level, people, choice)
    if "spread" in question.want:
        allocations.setdefault("mean", mean_allocation(question, level, choice))
        allocations["spread"] = mean_allocation(question, level, choice, about=question.scale.steps // 2)
    return drawn_by_weight(list(allocations.values()), [WEIGHTS[each] for each in allocations])


def mean_allocation(question: Number, level: float, choice: MechanismChoice, about: int | None = None) -> Allocation:
    """Points for the mean, or for that of squared distances from ``about``: a lot for each level of thresholds."""
    mechanism = choice.within(level, _point_mechanism)
    points = mechanism.law.labels
    levels = levels_for(_odds(mechanism.guarantee.plain), points)
    return in_equal_shares([Part(question, mechanism, Point(points, levels, at, about)) for at in range(levels)])


@lru_cache(maxsize=1024)
def _point_mechanism(level: float) -> Mechanism:
    """The best mechanism for points at a level."""
    points = points_for(level)
    if points == 2:
        return RandomizedResponse(2, level)
    return Channel(points, best_points(_odds(level), points).rows, LDP(level))


def _odds(level: float) -> Fraction:
    """The odds of a coin that keeps a level."""
    odds = RandomizedResponse(2, level).odds
    return Fraction(odds.above, odds.below)


def ranges_allocation(question: Number, level: float, people: int, choice: MechanismChoice) -> Allocation:
    """Blocks of the scale, staggered; if only a histogram is wanted, one lot of equal blocks for everybody."""
    if "quantiles" not in question.want:
        return [Lot((_block(question, level, _width(question, BINS), choice),), Fraction(1))]
    width = _width(question, cells_for(level, people))
    cells = question.scale.steps // width + 1  # places are one more than steps, and the last block may be short
    design = best_parts(cells, level)
    total = sum(weight for _, _, weight in design)
    return [
        Lot((_block(question, level, width * size, choice, width * offset),), Fraction(weight, total))
        for size, offset, weight in design
    ]


def cells_for(level: float, people: int) -> int:
    """As many cells as errors can tell apart: the most for which a cell's even share is not below its error.

    >>> cells_for(1.0, 10_000), cells_for(1.0, 10_000_000)
    (32, 512)
    """
    told_apart = [cells for cells in CELLS if _error(cells, level, people) <= 1 / cells]
    return max(told_apart, default=CELLS[0])


def _error(cells: int, level: float, people: int) -> float:
    """The standard error of the share up to a cell, in the mean over cells."""
    return math.sqrt(risks(cells, parts(cells), level).prefix / people)


def _width(question: Number, cells: int) -> int:
    """How many places a cell has, so that there are at most so many cells."""
    return -(-question.scale.size // cells)


def _block(question: Number, level: float, size: int, choice: MechanismChoice, offset: int = 0) -> Part:
    encoder = Block(size, offset)
    return Part(question, _block_mechanism(encoder, question.scale.steps, level, choice), encoder)


@lru_cache(maxsize=1024)
def _block_mechanism(encoder: Block, steps: int, level: float, choice: MechanismChoice) -> Mechanism:
    """The mechanism for blocks of a scale, of however many people; cached for designs that are compared."""
    return choice.of_joined(Domain.of(encoder.blocks(steps)), level, 1)
