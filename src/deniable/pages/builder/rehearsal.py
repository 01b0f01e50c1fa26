"""What a result may look like, from people who were made up, and what their devices may send."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from deniable.estimation.error_sources import ErrorSources
from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.distribution import Distribution
from deniable.pages.builder.learning import EXAMPLE
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.results.caution import Caution
from deniable.pages.results.cautions import below_zero
from deniable.pages.results.numbers import NumbersView, numbers_view
from deniable.pages.results.rows import Chart, chart
from deniable.pages.results.view import noise_of
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.results import Results
from deniable.surveys.survey import Survey

SEED: Final = 1
MOST_ROWS: Final = 20


@dataclass(frozen=True)
class Rehearsal:
    """A question's made-up result."""

    wording: Phrase
    sentence: Statement
    chart: Chart | None
    noise: ErrorSources | None
    cautions: Sequence[Caution]
    notes: Sequence[Phrase]
    numbers: NumbersView | None = None


def rehearsed(survey: Survey, people: int) -> list[Rehearsal]:
    """Made-up people answer, 30 of a hundred with the first answer; each question but texts with its result.

    Repeatable: the same draft, the same numbers.
    """
    rng = np.random.default_rng(SEED)
    crowd = {question.name: page_kind(question).made_up(question, EXAMPLE, rng) for question in survey.questions}
    rows = max(len(answers) for answers in crowd.values())
    table = {name: [answers[row % len(answers)] for row in range(rows)] for name, answers in crowd.items()}
    each = np.full(rows, people // rows) + (np.arange(rows) < people % rows)
    results = Results(survey, survey.draw_tally(table, each, rng))
    return [_shown(results, question) for question in survey.questions if not question.own_words]


def _shown(results: Results, question: Question) -> Rehearsal:
    estimate = results[question.name]
    if isinstance(estimate, Distribution):
        return _shown_numbers(estimate, question)
    shown = range(min(len(estimate.labels), MOST_ROWS))
    words = (question.wording or question.name, estimate.statement())
    return Rehearsal(*words, chart(estimate, shown), noise_of(estimate, shown), below_zero(estimate), _notes(estimate))


def _shown_numbers(estimate: Distribution, question: Question) -> Rehearsal:
    """A number: what can be said, and its histogram if one is wanted."""
    bins = range(len(estimate.labels))
    drawn = chart(estimate, bins) if bins else None
    words = (question.wording or question.name, estimate.statement())
    return Rehearsal(*words, drawn, None, below_zero(estimate), _notes(estimate), numbers_view(estimate, None))


def _notes(estimate: Estimate) -> list[Statement]:
    """All that the estimate says to beware of: what its kind says on a result page is not said here."""
    return [Statement("note", note=note) for note in estimate.remarks]
