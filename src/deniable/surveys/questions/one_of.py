"""Questions with one answer among labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deniable.estimation.asked import FollowUpEstimate, among_asked
from deniable.estimation.census import size_if_many, size_of
from deniable.estimation.estimate import Estimate
from deniable.protocol.questions.one_of import OneOf
from deniable.surveys.arms import Part
from deniable.surveys.choosing import MechanismChoice
from deniable.surveys.combining import PartReports, margin_of
from deniable.surveys.leads import ShareError, lead_of_one
from deniable.surveys.part_errors import AskedParts, error_among, labels_error, worst_error
from deniable.surveys.questions.kind import Expected, QuestionKind, SurveyResults, field_reader
from deniable.surveys.sharing import Allocation, in_equal_shares
from deniable.values.domain import Domain


class OneOfKind(QuestionKind[OneOf]):
    """One label is the answer, reported by itself or as one of a pair."""

    def values(self, question: OneOf) -> Domain:
        return Domain.of(question.labels)

    def fields(self, question: OneOf, texts: Sequence[str | None], separator: str) -> list[Any]:
        read, blank = field_reader(question), "" not in question.labels
        return [None if text is None or (text == "" and blank) else read(text) for text in texts]

    def allocation(self, question: OneOf, level: float, people: int, key: str, choice: MechanismChoice) -> Allocation:
        return in_equal_shares([Part(question, choice.of_labels(question, level, people))])

    def expected(self, question: OneOf, asked: AskedParts, people: int, population: float) -> Expected:
        """The error of a label's share; where answers are protected unlike, of the one that is told least well."""
        labels, alike = len(question.labels), question.guarantee(1.0).alike
        error = labels_error(asked, labels) if alike else worst_error(asked, labels)
        what = "a share" if alike else "the share that is told least well"
        error = error_among(error, 1 / labels, population)
        return Expected(people, error, f"{what}, if all answers are equally frequent")

    def stated(self, question: OneOf) -> float:
        return 1 / len(question.labels)

    def lead(self, question: OneOf, error: ShareError, level: float) -> float | None:
        """The least lead of reports that tell answers apart as well as k-ary randomized response does, or better."""
        return lead_of_one(error, len(question.labels), level) if question.guarantee(1.0).alike else None

    def shape(self, question: OneOf) -> OneOf:
        """A question of as many labels; where these are protected unlike, of the same labels."""
        if question.blocks is not None or question.prior is not None:
            return question
        partly = question.sensitive is not None
        return OneOf("shape", question.labels if partly else len(question.labels), question.sensitive)

    def estimate(self, question: OneOf, reports: list[PartReports], results: SurveyResults) -> Estimate:
        if len(reports) == 1 and len(reports[0].part.questions) == 1:
            return reports[0].alone(results.decoder)
        evidence = margin_of(question, reports)
        estimate = results.combined(question, evidence, adds_up=question.only_if is None)
        if question.only_if is None:
            return estimate
        size = size_if_many(evidence.n, size_of(results.census))
        return FollowUpEstimate.of(estimate, self.among_asked(among_asked(estimate, evidence, size)))

    def among_asked(self, estimate: Estimate) -> Estimate:
        """What is told of those who were asked."""
        return estimate
