"""What a result may look like, from people who were made up, and what their devices may send."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deniable.estimation.error_sources import ErrorSources
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_saying import number_sentence
from deniable.estimation.saying import sentence
from deniable.pages.results.cautions import Caution, below_zero
from deniable.pages.results.numbers import NumbersView, numbers_view
from deniable.pages.results.rows import Chart, chart
from deniable.pages.results.view import noise_of
from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.number import Number
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.questions.question import Question
from deniable.protocol.questions.text import Text
from deniable.protocol.scale import Scale
from deniable.surveys.results import Results
from deniable.surveys.survey import Survey

SEED: Final = 1
MOST_ROWS: Final = 20
CROWD: Final = 100
"""How many different people are made up."""
EACH: Final = (np.arange(CROWD) + 0.5) / CROWD
TEXTS: Final = ("news", "mail", "maps")


@dataclass(frozen=True)
class Rehearsal:
    """A question's made-up result."""

    wording: str
    sentence: str
    chart: Chart | None
    noise: ErrorSources | None
    cautions: Sequence[Caution]
    notes: Sequence[str]
    numbers: NumbersView | None = None


def rehearsed(survey: Survey, people: int, expected: float) -> list[Rehearsal]:
    """Made-up people answer, ``expected`` of a hundred with the first answer; each question but texts with its result.

    Repeatable: the same draft, the same numbers.
    """
    rng = np.random.default_rng(SEED)
    crowd = {question.name: _made_up(question, expected / 100, rng) for question in survey.questions}
    rows = max(len(answers) for answers in crowd.values())
    table = {name: [answers[row % len(answers)] for row in range(rows)] for name, answers in crowd.items()}
    each = np.full(rows, people // rows) + (np.arange(rows) < people % rows)
    results = Results(survey, survey.draw_tally(table, each, rng))
    return [_shown(results, question) for question in survey.questions if not isinstance(question, Text)]


def _shown(results: Results, question: Question) -> Rehearsal:
    estimate = results[question.name]
    if isinstance(estimate, Distribution):
        return _shown_numbers(estimate, question)
    shown = range(min(len(estimate.labels), MOST_ROWS))
    words = (question.wording or question.name, sentence(estimate, is_open=False))
    return Rehearsal(*words, chart(estimate, shown), noise_of(estimate, shown), below_zero(estimate), estimate.notes)


def _shown_numbers(estimate: Distribution, question: Question) -> Rehearsal:
    """A number: what can be said, and its histogram if one is wanted."""
    bins = range(len(estimate.labels))
    drawn = chart(estimate, bins) if bins else None
    words = (question.wording or question.name, number_sentence(estimate, is_open=False))
    return Rehearsal(*words, drawn, None, below_zero(estimate), estimate.notes, numbers_view(estimate, None))


def _made_up(question: Question, first: float, rng: np.random.Generator) -> Sequence[Any]:
    """A hundred made-up people's answers: the first as frequent as asked, of the others the earlier more frequent."""
    if isinstance(question, Text):
        return list(TEXTS)
    if isinstance(question, Number):
        return _made_up_numbers(question.scale, rng)
    assert isinstance(question, OneOf | AnyOf)
    labels = list(question.labels)
    d = len(labels)
    if isinstance(question, AnyOf):
        shares = first / np.arange(1.0, d + 1)
        held = np.column_stack([rng.permutation(_spread(share)) for share in shares])
        return [[label for label, has in zip(labels, row, strict=True) if has] for row in held]
    others = 1 / np.arange(2.0, d + 1)
    bounds = first + (1 - first) * np.cumsum(others) / others.sum()
    return [labels[place] for place in rng.permutation(np.searchsorted([first, *bounds[:-1]], EACH, side="right"))]


def _spread(share: float) -> NDArray[np.bool_]:
    """Who of a hundred people holds an answer of this share."""
    return share > EACH


def _made_up_numbers(scale: Scale, rng: np.random.Generator) -> Sequence[Any]:
    """Numbers, or dates, of which more lie below the middle than above it."""
    places = np.rint(rng.beta(2, 3, CROWD) * scale.steps).astype(int).tolist()
    if scale.dated:
        return [scale.shown(place) for place in places]
    return [float(scale.value(place)) for place in places]
