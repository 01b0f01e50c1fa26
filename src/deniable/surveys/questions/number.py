"""Questions answered by a number or a date."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from deniable.arrays import Indices
from deniable.estimation.numbers.distribution import Distribution
from deniable.planning.outlook import TWO_SIDED
from deniable.protocol.errors import LabelError
from deniable.protocol.questions.number import Number
from deniable.protocol.say import Phrase, english
from deniable.surveys.arms import Part
from deniable.surveys.choosing import Choice
from deniable.surveys.combining import PartReports
from deniable.surveys.document import Document
from deniable.surveys.part_errors import error_among, labels_error
from deniable.surveys.question_shift import QuestionShift, mean_shift
from deniable.surveys.questions.kind import SHARE, Expected, QuestionKind, SurveyResults, check_column
from deniable.surveys.questions.number_errors import amount, least_ranges_error, mean_error, range_of, ranges_error
from deniable.surveys.questions.number_parts import number_unit
from deniable.surveys.questions.number_results import distribution_of
from deniable.surveys.sharing import Unit
from deniable.values.columns import Labels
from deniable.values.domain import Domain
from deniable.values.grid import places_on

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

    def unit(self, question: Number, level: float, people: int, key: str, choice: Choice) -> Unit:
        return number_unit(question, level, people)

    def errors(self, question: Number) -> tuple[str, ...]:
        share = (SHARE,) if {"quantiles", "histogram"} & set(question.want) else ()
        mean = ("a mean (as a part of its range, at the worst truth)",)
        return (*share, *(mean if {"mean", "spread"} & set(question.want) else ()))

    def amount(self, question: Number, error: float) -> Phrase:
        """A mean errs in the number's own units."""
        if {"mean", "spread"} & set(question.want):
            return amount(question, error * range_of(question), 2)
        return super().amount(question, error)

    def expected(self, question: Number, asked: Sequence[tuple[Part, float]], people: int, size: float) -> Expected:
        """The error of the share below a number, and that of the mean as a part of the range between the bounds."""
        mean, below = mean_error(question, asked, size), ranges_error(question, asked, size)
        least = least_ranges_error(question, asked, size)
        if mean is None:
            if below is None:
                error = error_among(labels_error(asked, 2), 0.5, size)
                return Expected(people, error, f"{MEAN} (told by group alone)", mean=error)
            return Expected(people, below, BELOW, below=below, least_below=least)
        told, even, worst = round(mean.people), mean.even, mean.worst
        usual, most = (english(amount(question, TWO_SIDED * error * range_of(question), 2)) for error in (even, worst))
        give = f"give or take {usual} {EVEN}, at most {most}."
        said = f"{told:,} people tell of the mean of {question.name}: {give}"
        known = (even, worst, told, below, least, said)
        return Expected(people, even, MEAN, *known) if below is None else Expected(people, below, BELOW, *known)

    def shift(self, question: Number, survey: Document, share: float) -> QuestionShift:
        """How far the mean moves, in the number's units."""
        shift = mean_shift(survey, question.name, share)
        moved = amount(question, shift * range_of(question)) if shift else ""
        return QuestionShift(question.name, question.wording or question.name, shift, moved, True)

    def estimate(self, question: Number, told: list[PartReports], results: SurveyResults) -> Distribution:
        return distribution_of(question, told, results.document, results.decoder, results.census)


def _number(text: str) -> Any:
    try:
        return Decimal(text.strip())
    except InvalidOperation:
        return text
