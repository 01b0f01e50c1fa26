"""What the survey of a draft would tell: a line for each question, a finding above them, and an example below."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from deniable.estimation.words import share_in_words
from deniable.pages.builder.draft import Draft
from deniable.pages.results.rows import Axis, Row, Span, axis_of
from deniable.planning.outlook import TWO_SIDED
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase
from deniable.surveys.advising.advice import Advice, advise
from deniable.surveys.advising.asking import Asking
from deniable.surveys.advising.designs import AdvisedDesign
from deniable.surveys.advising.outlooks import QuestionOutlook

EXAMPLE: Final = 0.3
"""The share of people in the example."""
REACHES: Final = (1.0, 1.2816 / TWO_SIDED, 0.6745 / TWO_SIDED)
"""How far the bands of 95, 80 and 50 in 100 reach, in parts of the first one."""

_TURN: Final = threading.Lock()


class DraftTerms(NamedTuple):
    """What of a draft decides what it tells."""

    questions: tuple[Question, ...]
    people: int
    epsilon: float
    population: int | None


class ExampleResult(NamedTuple):
    """What the result of a question would say if so many people gave an answer, in words and as a picture."""

    question: str
    words: Phrase
    axis: Axis
    row: Row
    share: int = round(100 * EXAMPLE)


def terms_of(draft: Draft) -> DraftTerms:
    """What of a draft decides what it tells; refused with the reason if it plans nothing yet."""
    if draft.count is None or draft.level is None:
        raise ParameterError("people and protection must be numbers, got another")
    return DraftTerms(tuple(draft.named()), draft.count, draft.level, draft.count if draft.census else None)


def outlook_of(draft: Draft) -> AdvisedDesign:
    """What the survey of a draft would tell."""
    return _outlook(terms_of(draft))


def advice_on(draft: Draft) -> Advice:
    """The same, and what would tell more."""
    return _advised(terms_of(draft))


@lru_cache(maxsize=128)
def _outlook(asked: DraftTerms) -> AdvisedDesign:
    return AdvisedDesign(Asking(asked.questions, asked.people, asked.epsilon, asked.population))


def _advised(asked: DraftTerms) -> Advice:
    """One at a time, so that the collector keeps answering while several authors type."""
    with _TURN:
        return _kept(asked)


@lru_cache(maxsize=32)
def _kept(asked: DraftTerms) -> Advice:
    """It is asked for again when some of it is applied."""
    return advise(asked.questions, asked.people, asked.epsilon, asked.population)


def nothing_known(draft: Draft) -> list[QuestionOutlook]:
    """The questions of which nothing would be told."""
    return [row for row in outlook_of(draft).rows if row.is_nothing]


def example_of(row: QuestionOutlook) -> ExampleResult:
    """What a result would say of an answer that some people give."""
    bounds = np.array([[EXAMPLE - row.error * reach, EXAMPLE + row.error * reach] for reach in REACHES])
    axis = axis_of(bounds)
    low, high = (float(bound) for bound in bounds[0])
    words = share_in_words(max(low, 0.0), min(high, 1.0))
    spans = tuple(
        Span(axis.place(start), round(axis.place(end) - axis.place(start), 3)) for start, end in bounds.tolist()
    )
    drawn = Row("", "", "", "", words, axis.place(EXAMPLE), spans, "", low, high, EXAMPLE)
    return ExampleResult(row.question.wording or row.question.name, words, axis, drawn)
