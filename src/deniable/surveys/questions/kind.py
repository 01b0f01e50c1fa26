"""The companion of a kind of question: all that the library does with it and a device need not know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from deniable.arrays import Indices
from deniable.estimation.census import Census
from deniable.estimation.estimate import Estimate
from deniable.estimation.sources import CombinedEvidence
from deniable.estimation.words import points
from deniable.protocol.errors import LabelError
from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.choosing import MechanismChoice
from deniable.surveys.combining import PartReports
from deniable.surveys.document import Document
from deniable.surveys.leads import ShareError
from deniable.surveys.part_errors import AskedParts
from deniable.surveys.question_shift import QuestionShift, share_shift
from deniable.surveys.sharing import Allocation
from deniable.values.columns import Labels, is_column, python_values
from deniable.values.domain import Domain
from deniable.values.values import Values


@dataclass(frozen=True, slots=True)
class Expected:
    """What to expect of one question: how many of the people are asked it, and the standard error of a share.

    Of a number also that of its mean, as a part of the range, if all numbers are equally frequent and at the worst,
    and how many people tell of it; and that of the share of people below a number, if all are equally frequent, and
    the least that it could be for any reports. ``note`` says what ``error`` is the error of.
    """

    people: int
    error: float
    note: str
    mean: float | None = None
    mean_worst: float | None = None
    mean_people: int | None = None
    below: float | None = None
    least_below: float | None = None
    mean_note: str = ""
    of_asked: float | None = None
    """Of a question that only some are asked, the error of a share of these."""
    asked: int | None = None
    """About how many of the people who report are asked it, if all ways are equally frequent."""

    @property
    def deciding(self) -> tuple[float, ...]:
        """The errors that a design or a number of people is chosen by: of a mean the one that no truth exceeds.

        Of a question that only some are asked it is the error of a share of these.
        """
        known = tuple(error for error in (self.mean_worst, self.below, self.of_asked) if error is not None)
        return known or (self.error,)

    @property
    def stated(self) -> tuple[tuple[float, str], ...]:
        """The errors of shares, each with what it is the error of."""
        among = () if self.of_asked is None else ((self.of_asked, "a share of those who are asked"),)
        return ((self.error, self.note), *among)

    def to_dict(self) -> dict[str, Any]:
        """The people and the errors that there are."""
        names = ("mean", "mean_worst", "mean_people", "below", "least_below", "of_asked", "asked")
        known = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return {"people": self.people, "error": self.error, **known}


Q = TypeVar("Q", bound=Question)
AnswerColumn = list[Any] | Indices
"""A column of answers as encoders take them: of numbers their places."""
SHARE = "a share"


class SurveyResults(Protocol):
    """What an estimate needs to know of the results of a survey."""

    @property
    def document(self) -> Document:
        """What was asked."""
        ...

    @property
    def census(self) -> Census | None:
        """How many people the survey is meant for and how many answered; None where it does not say."""
        ...

    @property
    def decoder(self) -> str:
        """How shares become what is told."""
        ...

    @property
    def candidates(self) -> Mapping[str, Iterable[str]]:
        """The texts to look for, by question."""
        ...

    def discover(self, name: str) -> Estimate | None:
        """The frequent texts among the answers to a question."""
        ...

    def combined(self, question: OneOf | AnyOf, evidence: CombinedEvidence, adds_up: bool) -> Estimate:
        """The estimate of a question's labels from several kinds of reports."""
        ...


class QuestionKind(ABC, Generic[Q]):
    """What the library does with questions of one kind. It holds nothing: the question is always given."""

    @abstractmethod
    def values(self, question: Q) -> Values:
        """The answers as values of the library, which know whole columns."""

    def sample(self, question: Q) -> Any:
        """Some answer, as encoders take it."""
        return next(answer for answer in self.values(question).every() if question.is_covered(answer))

    @abstractmethod
    def fields(self, question: Q, texts: Sequence[str | None], separator: str) -> list[Any]:
        """Fields of a text file as answers; blank ones as None. ``separator`` stands between the labels of a list."""

    def check_separator(self, question: Q, separator: str) -> None:
        """Refuse a separator that would split what is no list of labels."""

    @abstractmethod
    def allocation(self, question: Q, level: float, people: int, key: str, choice: MechanismChoice) -> Allocation:
        """Who reports what about the question, at a level and of so many people; hashes of texts are under ``key``."""

    @abstractmethod
    def expected(self, question: Q, asked: AskedParts, people: int, population: float) -> Expected:
        """The errors to expect if ``people`` of a ``population``, which may be inf, report these parts."""

    @abstractmethod
    def estimate(self, question: Q, reports: list[PartReports], results: SurveyResults) -> Estimate:
        """The estimate from what was reported."""

    def shape(self, question: Q) -> Question:
        """A stand-in that errs as much as the question and is the same for all of its shape, so it is planned once."""
        return question

    def shift(self, question: Q, survey: Document, share: float) -> QuestionShift:
        """How far the question's result moves at most if this share of all answers is made up."""
        return share_shift(survey, question, share)

    def errors(self, question: Q) -> tuple[str, ...]:
        """Whose errors are compared where designs are, in words that follow "the standard error of"."""
        return (SHARE,)

    def stated(self, question: Q) -> float | None:
        """Of which share of a label ``expected`` tells the error; None where it tells that of something else."""
        return None

    def lead(self, question: Q, error: ShareError, level: float) -> float | None:
        """By how much the first answer must be ahead to be told from the second; None where none is the first."""
        return None

    def amount(self, question: Q, error: float) -> Phrase:
        """An error in words: points of a hundred, unless the kind has units of its own."""
        return Statement("points", points=points(error))

    def column(self, question: Q, column: Labels) -> AnswerColumn:
        """A checked column of answers as encoders take them; missing ones stand for the answer to skip the question."""
        check_column(question, column)
        values = python_values(column)
        if question.skip_answer is not None:
            values = [question.skip_answer if value is None else value for value in values]
        try:
            known = self.values(question)
            known.indices(values)
        except LabelError as error:
            raise error.within(f"the answers to {question.name!r}") from None
        _check_limit(question, values)
        return values


def field_reader(question: OneOf | AnyOf) -> Callable[[str], Any]:
    """How a field of text becomes a label: where all labels are whole numbers, by its digits."""
    return _whole if Domain.of(question.labels).kind == "integers" else lambda text: text


def _whole(text: Any) -> Any:
    """A whole number from its text; anything else stays, to be refused where it is no label."""
    try:
        return int(text)
    except (TypeError, ValueError):
        return text


def check_column(question: Question, column: Any) -> None:
    """Refuse answers that are no column."""
    if not is_column(column):
        raise LabelError(f"the answers to {question.name!r} must be a column, got {type(column).__name__}")


def _check_limit(question: Question, values: Sequence[Any]) -> None:
    """Refuse answers beyond the question's limit, with how many there are."""
    beyond = [place for place, value in enumerate(values) if question.is_beyond(value)] if question.limit else []
    if beyond:
        raise LabelError(
            f"the answers to {question.name!r} must be {question.limit}, got {len(beyond)} of {len(values)} that are "
            f"not (the first at position {beyond[0]})",
            beyond[0],
        )
