"""Results of people of whom each counts by a weight: shares, crosses and means, from rows and never from a tally."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable.estimation.cross import CrossTable
from deniable.estimation.estimate import Estimate
from deniable.estimation.evidence import Evidence
from deniable.estimation.sources import WeighedEvidence
from deniable.estimation.weighted import DrawnRows, of_all_rows
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.questions.question import Question
from deniable.surveys.answer_bytes import read_answers
from deniable.surveys.answer_rows import PartColumn, answers_in_rows, part_columns
from deniable.surveys.combining import PartReports
from deniable.surveys.document import Document
from deniable.surveys.part_errors import mean_points
from deniable.surveys.results import Results, part_key
from deniable.surveys.tally import SurveyTally
from deniable.surveys.weighted_reports import WeightedReports

NO_ROWS = DrawnRows(np.zeros(0), None)


@dataclass(frozen=True, eq=False, repr=False)
class WeightedResults(Results):
    """Estimates by the weights of rows; of a census too they are about everybody whom the weights stand for."""

    parts: Sequence[PartColumn] = ()
    rows: DrawnRows = NO_ROWS

    @classmethod
    def of_rows(
        cls, document: Document, answers: Any, drawn: tuple[Any, Any, Any], decoder: str = "projected"
    ) -> WeightedResults:
        """From answers in the order of weights, strata and clusters; rows without an answer have no part in it."""
        given = answers_in_rows(document, answers)
        answered = np.array([each is not None for each in given], np.bool_)
        own = [each for each in given if each is not None]
        rows, tally = DrawnRows.of(*drawn, len(given), answered), SurveyTally.of(read_answers(document, own))
        return cls(document, tally, decoder, parts=tuple(part_columns(document, own)), rows=rows)

    @property
    def census(self) -> None:
        """None: how many people there are says nothing of how these were drawn."""
        return

    def discover(self, name: str, *terms: Any, **more: Any) -> Estimate | None:
        """Refused: texts are found by counts."""
        raise ParameterError(f"weights must be of questions with labels or numbers, got {name!r}, which asks for texts")

    def reports_of(self, question: Question) -> list[PartReports]:
        found = super().reports_of(question)
        means = question.choices or question.kind == AnyOf.kind or all(mean_points(each.part) for each in found)
        if self.rows.design is not None and len(found) > 1 and not means:
            raise ParameterError(
                f"strata and clusters must be of shares and means, got {question.name!r}, of which other figures "
                'come of several kinds of reports; ask for it with want="mean"'
            )
        return found

    def combined(self, question: OneOf | AnyOf, evidence: Evidence, adds_up: bool) -> Estimate:
        found = of_all_rows(evidence) if self.rows.design and isinstance(evidence, WeighedEvidence) else evidence
        return super().combined(question, found, adds_up)

    def cross(self, first: str, second: str) -> CrossTable:
        found = super().cross(first, second)
        if self.rows.design is not None and len(found.evidence.sources) > 1:
            raise ParameterError(
                f"strata and clusters must be of crosses of one kind of reports, got {first!r} and {second!r}, which "
                "were also asked apart; regress one on the other, with clusters"
            )
        return found

    def _reports_of_parts(self, question: Question) -> list[WeightedReports]:
        found: dict[bytes, list[PartColumn]] = {}
        for part, column, rows in self.parts:
            if question.name in part.estimable:
                found.setdefault(part_key(part), []).append((part, column, rows))
        return [
            WeightedReports(
                own[0][0],
                own[0][0].mechanism.tally(column := np.concatenate([column for _, column, _ in own])),
                column,
                self.rows.only(np.concatenate([rows for _, _, rows in own])),
            )
            for own in found.values()
        ]
