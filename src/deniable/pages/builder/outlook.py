"""What the survey of a draft would tell: how closely, in an example, and in a rehearsal with made-up people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from deniable.estimation.words import share_in_words
from deniable.pages.builder.draft import Draft
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.results.asked import result_kind_of
from deniable.pages.results.cautions import Caution, below_zero
from deniable.pages.results.result_kind import Section
from deniable.pages.results.rows import Axis, Row, axis_of, spans
from deniable.planning.outlook import TWO_SIDED
from deniable.protocol.checks import shown
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.advising.designs import AdvisedDesign
from deniable.surveys.advising.inputs import DesignInputs
from deniable.surveys.advising.outlooks import QuestionOutlook
from deniable.surveys.results import Results
from deniable.surveys.survey import Survey

EXAMPLE: Final = 0.3
"""The share of people in the example."""
HALF_WIDTHS: Final = (1.0, 1.2816 / TWO_SIDED, 0.6745 / TWO_SIDED)
"""Half the widths of the bands of 95, 80 and 50 in 100, in parts of the first one: quantiles of a normal error."""
SEED: Final = 1
MOST_ROWS: Final = 20
"""Of so many answers the made-up result is shown."""


class DraftTerms(NamedTuple):
    """What of a draft decides what it tells."""

    questions: tuple[Question, ...]
    people: int
    epsilon: float
    population: int | None
    """Of a census, how many people it is about; None of any other survey."""


class ExampleResult(NamedTuple):
    """What the result of a question would say if ``share`` of 100 people gave an answer, in words and as a picture."""

    question: str
    words: Phrase
    axis: Axis
    row: Row
    share: int = round(100 * EXAMPLE)


def terms_of(draft: Draft) -> DraftTerms:
    """What of a draft decides what it tells; refused with the reason if it plans nothing yet."""
    if draft.expected_people is None or draft.level is None:
        numbers = " and ".join(map(shown, (draft.people, draft.epsilon)))
        raise ParameterError(f"people and protection must be numbers, got {numbers}")
    return DraftTerms(
        tuple(draft.to_questions()), draft.expected_people, draft.level, draft.expected_people if draft.census else None
    )


def outlook_of(draft: Draft) -> AdvisedDesign:
    """What the survey of a draft would tell."""
    return _outlook(terms_of(draft))


@lru_cache(maxsize=128)
def _outlook(terms: DraftTerms) -> AdvisedDesign:
    return AdvisedDesign(DesignInputs(terms.questions, terms.people, terms.epsilon, terms.population))


def nothing_known(draft: Draft) -> list[QuestionOutlook]:
    """The questions of which nothing would be told."""
    return [row for row in outlook_of(draft).rows if row.is_nothing]


def example_of(row: QuestionOutlook) -> ExampleResult:
    """What a result would say of an answer that some people give."""
    bounds = np.array([[EXAMPLE - row.error * width, EXAMPLE + row.error * width] for width in HALF_WIDTHS])
    axis = axis_of(bounds)
    low, high = bounds[0].tolist()
    words = share_in_words(max(low, 0.0), min(high, 1.0))
    picture = Row("", "", "", "", words, axis.place(EXAMPLE), spans(axis, bounds.tolist()), "", low, high, EXAMPLE)
    return ExampleResult(row.question.wording or row.question.name, words, axis, picture)


@dataclass(frozen=True, kw_only=True)
class Rehearsal(Section):
    """A question's made-up result."""

    wording: Phrase
    sentence: Statement
    cautions: Sequence[Caution]


def rehearsals(survey: Survey, people: int) -> list[Rehearsal]:
    """Made-up people answer, 30 of a hundred with the first answer; each question but texts with its result.

    Repeatable: the same draft, the same numbers.
    """
    rng = np.random.default_rng(SEED)
    crowd = {
        question.name: page_kind(question).made_up_answers(question, EXAMPLE, rng) for question in survey.questions
    }
    rows = max(len(answers) for answers in crowd.values())
    table = {name: [answers[row % len(answers)] for row in range(rows)] for name, answers in crowd.items()}
    for question in survey.questions:
        if (only_if := question.only_if) is not None:  # who goes another way is not asked
            before = table[only_if.question]
            table[question.name] = [
                answer if only_if.follows(before[row]) else None for row, answer in enumerate(table[question.name])
            ]
    people_of_row = np.full(rows, people // rows) + (np.arange(rows) < people % rows)
    results = Results(survey, survey.draw_tally(table, people_of_row, rng))
    return [_rehearsal(results, question) for question in survey.questions if not question.own_words]


def _rehearsal(results: Results, question: Question) -> Rehearsal:
    """A question's made-up result, with all that the estimate remarks: its page would say some of it elsewhere."""
    estimate = results[question.name]
    notes = [Statement("note", note=note) for note in estimate.remarks]
    section = replace(result_kind_of(results.document, question).rehearsal(estimate, MOST_ROWS), notes=notes)
    return Rehearsal(
        **vars(section),
        wording=question.wording or question.name,
        sentence=estimate.statement(),
        cautions=below_zero(estimate),
    )
