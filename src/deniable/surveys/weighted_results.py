"""Results of people of whom each counts by a weight: shares, crosses and means, from rows and never from a tally."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from deniable.arrays import Vector
from deniable.estimation.estimate import Estimate
from deniable.estimation.weighted import check_weights
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.question import Question
from deniable.surveys.answer_bytes import read_answers
from deniable.surveys.answer_rows import PartColumn, answers_in_rows, part_columns
from deniable.surveys.document import Document
from deniable.surveys.results import Results, part_key
from deniable.surveys.tally import SurveyTally
from deniable.surveys.weighted_reports import WeightedReports


@dataclass(frozen=True, eq=False, repr=False)
class WeightedResults(Results):
    """Estimates by the weights of rows; of a census too they are about everybody whom the weights stand for."""

    parts: Sequence[PartColumn] = ()
    weights: Vector = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def of_rows(cls, document: Document, answers: Any, weights: Any, decoder: str = "projected") -> WeightedResults:
        """From answers in the order of their weights; rows without an answer have no part in it."""
        rows = answers_in_rows(document, answers)
        told = np.array([each is not None for each in rows], np.bool_)
        found = np.ones(len(rows))
        found[told] = check_weights(weights, len(rows), told)
        tally = SurveyTally.of(read_answers(document, [each for each in rows if each is not None]))
        return cls(document, tally, decoder, parts=tuple(part_columns(document, rows)), weights=found)

    @property
    def census(self) -> None:
        """None: how many people there are says nothing of how these were drawn."""
        return

    def discover(self, name: str, *terms: Any, **more: Any) -> Estimate | None:
        """Refused: texts are found by counts."""
        raise ParameterError(f"weights must be of questions with labels or numbers, got {name!r}, which asks for texts")

    def _asked(self, question: Question) -> list[WeightedReports]:
        found: dict[bytes, list[PartColumn]] = {}
        for part, column, rows in self.parts:
            if question.name in part.told:
                found.setdefault(part_key(part), []).append((part, column, rows))
        return [
            WeightedReports.of_rows(
                own[0][0],
                np.concatenate([column for _, column, _ in own]),
                self.weights[np.concatenate([rows for _, _, rows in own])],
            )
            for own in found.values()
        ]
