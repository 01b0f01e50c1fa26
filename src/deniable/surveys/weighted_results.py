"""Results of people of whom each counts by a weight: shares, crosses and means, from rows and never from a tally."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable.estimation.cross import CrossTable
from deniable.estimation.estimate import Estimate
from deniable.estimation.evidence import Evidence
from deniable.estimation.sources import CombinedEvidence
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
        cls, document: Document, answers: Any, sampling: tuple[Any, Any, Any], decoder: str = "projected"
    ) -> WeightedResults:
        """From answers in the order of weights, strata and clusters; rows without an answer have no part in it."""
        by_row = answers_in_rows(document, answers)
        answered = np.array([each is not None for each in by_row], np.bool_)
        present = [each for each in by_row if each is not None]
        rows, tally = DrawnRows.of(*sampling, len(by_row), answered), SurveyTally.of(read_answers(document, present))
        return cls(document, tally, decoder, parts=tuple(part_columns(document, present)), rows=rows)

    @property
    def census(self) -> None:
        """None: how many people there are says nothing of how these were drawn."""
        return

    def discover(self, name: str, *terms: Any, **more: Any) -> Estimate | None:
        """Refused: texts are found by counts."""
        raise ParameterError(f"weights must be of questions with labels or numbers, got {name!r}, which asks for texts")

    def reports_of(self, question: Question) -> list[PartReports]:
        reports = super().reports_of(question)
        is_mean = question.choices or question.kind == AnyOf.kind or all(mean_points(each.part) for each in reports)
        if self.rows.design is not None and len(reports) > 1 and not is_mean:
            raise ParameterError(
                f"strata and clusters must be of shares and means, got {question.name!r}, of which other figures "
                'come of several kinds of reports; ask for it with want="mean"'
            )
        return reports

    def combined(self, question: OneOf | AnyOf, evidence: Evidence, adds_up: bool) -> Estimate:
        by_rows = of_all_rows(evidence) if self.rows.design and isinstance(evidence, CombinedEvidence) else evidence
        return super().combined(question, by_rows, adds_up)

    def cross(self, first: str, second: str) -> CrossTable:
        table = super().cross(first, second)
        if self.rows.design is not None and len(table.evidence.sources) > 1:
            raise ParameterError(
                f"strata and clusters must be of crosses of one kind of reports, got {first!r} and {second!r}, which "
                "were also asked apart; regress one on the other, with clusters"
            )
        return table

    def _reports_of_parts(self, question: Question) -> list[WeightedReports]:
        by_key: dict[bytes, list[PartColumn]] = {}
        for part, column, rows in self.parts:
            if question.name in part.estimable:
                by_key.setdefault(part_key(part), []).append((part, column, rows))
        reports = []
        for alike in by_key.values():
            part, column = alike[0][0], np.concatenate([column for _, column, _ in alike])
            drawn = self.rows.only(np.concatenate([rows for _, _, rows in alike]))
            reports.append(WeightedReports(part, part.mechanism.tally(column), column, drawn))
        return reports
