"""What a result may look like, from people who were made up, and what their devices may send."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from deniable.pages.builder.learning import EXAMPLE
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.results.cautions import Caution, below_zero
from deniable.pages.results.result_kind import Section
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.results import Results
from deniable.surveys.survey import Survey

SEED: Final = 1
MOST_ROWS: Final = 20


@dataclass(frozen=True, kw_only=True)
class Rehearsal(Section):
    """A question's made-up result."""

    wording: Phrase
    sentence: Statement
    cautions: Sequence[Caution]


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
    """All that the estimate says to beware of is noted: what its kind says on a result page is not said here."""
    estimate = results[question.name]
    notes = [Statement("note", note=note) for note in estimate.remarks]
    section = replace(page_kind(question).result.rehearsal(estimate, MOST_ROWS), notes=notes)
    return Rehearsal(
        **vars(section),
        wording=question.wording or question.name,
        sentence=estimate.statement(),
        cautions=below_zero(estimate),
    )
