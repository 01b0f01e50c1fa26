"""Checklists, whose answers are lists of labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from deniable.estimation.estimate import Estimate
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.any_of import AnyOf
from deniable.surveys.arms import Part
from deniable.surveys.choosing import MechanismChoice
from deniable.surveys.combining import PartReports, items_of
from deniable.surveys.leads import DETECTABLE, ShareError
from deniable.surveys.part_errors import AskedParts, error_among, item_variance, stated_share
from deniable.surveys.questions.kind import AnswerColumn, Expected, QuestionKind, SurveyResults, field_reader
from deniable.surveys.sharing import Allocation, in_equal_shares
from deniable.values.columns import Labels
from deniable.values.domain import Domain
from deniable.values.lists import Lists
from deniable.values.tables import is_table

LONGEST = "a label's share, if lists are as long as they may be and all labels equally frequent"


class AnyOfKind(QuestionKind[AnyOf]):
    """Some, all or none of the labels are the answer, reported as a list or label by label."""

    def values(self, question: AnyOf) -> Lists:
        return Lists(Domain.of(question.labels))

    def sample(self, question: AnyOf) -> Any:
        return [question.labels[0]]

    def column(self, question: AnyOf, column: Labels) -> AnswerColumn:
        """A checked column of lists, which may be a table of zeros and ones with a column for each label."""
        if is_table(column) or getattr(column, "ndim", 1) == 2:
            lists = self.values(question)
            held = lists.flags(lists.indices(column))
            column = [[question.labels[int(j)] for j in np.flatnonzero(row)] for row in held]
        return super().column(question, column)

    def fields(self, question: AnyOf, texts: Sequence[str | None], separator: str) -> list[Any]:
        read = field_reader(question)
        lists = [[part.strip() for part in (text or "").split(separator)] for text in texts]
        return [[read(part) for part in parts if part] for parts in lists]

    def check_separator(self, question: AnyOf, separator: str) -> None:
        """Refuse a separator that is part of a label, which it would split."""
        if any(separator in str(label) for label in question.labels):
            raise ParameterError(f"the separator must be text that no label of a list holds, got {separator!r}")

    def allocation(self, question: AnyOf, level: float, people: int, key: str, choice: MechanismChoice) -> Allocation:
        return in_equal_shares([Part(question, choice.of_list(question, level))])

    def expected(self, question: AnyOf, asked: AskedParts, people: int, population: float) -> Expected:
        """The error of one label's share: whole lists tell all, and reports about single labels one each."""
        share = stated_share(question)
        precisions = [(part.encoder.single, n / item_variance(part, share)) for part, n in asked]
        whole = math.fsum(each for label, each in precisions if label is None)
        single = math.fsum(each for label, each in precisions if label is not None)
        error = error_among(1 / math.sqrt(whole + single / len(question.labels)), share, population)
        return Expected(people, error, "the share of a label that half of all hold" if share == 0.5 else LONGEST)

    def stated(self, question: AnyOf) -> float:
        return stated_share(question)

    def lead(self, question: AnyOf, error: ShareError, level: float) -> float | None:
        """The lead that is found; both errors add up, as in a result: whoever ticks one may tick the other too."""
        return DETECTABLE * 2 * error.value

    def shape(self, question: AnyOf) -> AnyOf:
        """A checklist of as many labels."""
        return AnyOf("shape", len(question.labels), most=question.most)

    def estimate(self, question: AnyOf, reports: list[PartReports], results: SurveyResults) -> Estimate:
        if len(reports) == 1 and reports[0].part.encoder.single is None:
            estimate = reports[0].alone(results.decoder)
            return replace(estimate, decoded=estimate.decoded._replace(evidence=reports[0].evidence))
        return results.combined(question, items_of(question, reports), adds_up=False)
