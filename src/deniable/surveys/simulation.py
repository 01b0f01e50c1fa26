"""Tallies of whole surveys drawn by their exact law, without drawing an answer: for simulation only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from deniable.arrays import Counts, Indices
from deniable.checks import check_people
from deniable.mechanisms.repeat.remembered import one_round
from deniable.privacy.entropy import SystemEntropy
from deniable.reports.tally import Tally
from deniable.surveys.answers import check_table
from deniable.surveys.arms import Part
from deniable.surveys.document import Document
from deniable.surveys.encoded_columns import draw_held
from deniable.surveys.questions.kind import AnswerColumn
from deniable.surveys.tally import SurveyTally
from deniable.values.texts import Texts


@runtime_checkable
class DrawsLists(Protocol):
    """A mechanism over lists, which are too many to say how many people hold each of them."""

    def draw_lists(self, lists: Indices, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports, as in a tally, from ``people`` of each list, such as ``domain.indices`` gives them."""
        ...


def draw_survey(document: Document, table: Any, people: Any, generator: np.random.Generator) -> SurveyTally:
    """The tally of ``people`` with each row of a table of answers, which holds a column for each question.

    Everybody draws an arm: a multinomial of each row. Within it, parts are drawn as mechanisms draw tallies.
    """
    columns, rows = check_table(document, table)
    held = check_people(people, rows)
    weights = np.array([arm.weight for arm in document.arms], np.float64)
    by_arm = generator.multinomial(held, weights / weights.sum())
    return SurveyTally(
        document,
        tuple(
            tuple(_draw_part(part, columns, by_arm[:, number], generator) for part in arm.parts)
            for number, arm in enumerate(document.arms)
        ),
    )


def _draw_part(
    part: Part, columns: Mapping[str, AnswerColumn], people: Counts, generator: np.random.Generator
) -> Tally:
    """The tally of one part from how many people give each row of answers."""
    mechanism, answers = part.mechanism, part.answers(columns)
    if isinstance(mechanism.domain, Texts):
        by_text: Counter[str] = Counter()
        for row, count in zip(zip(*answers, strict=True), people.tolist(), strict=True):
            by_text[part.encoder.chances(part.questions, row)[0][0]] += count
        return mechanism.draw_tally(list(by_text.values()), generator, list(by_text))
    if part.encoder.is_drawn:
        held = draw_held(part.encoder, part.questions, answers, people, mechanism.domain, generator)
        return mechanism.draw_tally(held, generator)
    indices, drawing = part.indices(columns, SystemEntropy()), one_round(mechanism)
    if isinstance(drawing, DrawsLists):
        counts = drawing.draw_lists(indices, people, generator)
        return Tally(int(people.sum()), counts, mechanism.spec_bytes)
    held = np.bincount(indices, people, mechanism.domain.size or 0)
    return mechanism.draw_tally(held.astype(np.int64), generator)
