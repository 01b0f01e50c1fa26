"""Questions with an ordered list of answers."""

from __future__ import annotations

import math
from dataclasses import replace

from deniable.estimation.asked import FollowUpEstimate
from deniable.estimation.census import variance_among
from deniable.estimation.estimate import Estimate
from deniable.estimation.scales.scale_estimate import ScaleEstimate
from deniable.estimation.words import rounded
from deniable.planning.outlook import TWO_SIDED
from deniable.protocol.questions.one_of import OneOf
from deniable.surveys.combining import PartReports
from deniable.surveys.part_errors import AskedParts, labels_error
from deniable.surveys.questions.kind import Expected, SurveyResults
from deniable.surveys.questions.one_of import OneOfKind


class ScaleKind(OneOfKind):
    """One label is the answer, as of ``OneOf``; the mean of the places follows from the shares."""

    def expected(self, question: OneOf, asked: AskedParts, people: int, population: float) -> Expected:
        """The error of a label's share, and of the mean place as a part of the scale's length, in a ``population``."""
        mean = mean_error(asked, len(question.labels), population)
        give = rounded(TWO_SIDED * mean * (len(question.labels) - 1), 2)
        note = (
            f"{people:,} people tell of the mean of {question.name}, from 1 to {len(question.labels)}: "
            f"give or take {give} if all answers are equally frequent."
        )
        shares = super().expected(question, asked, people, population)
        return replace(shares, mean=mean, mean_people=people, mean_note=note)

    def estimate(self, question: OneOf, reports: list[PartReports], results: SurveyResults) -> Estimate:
        estimate = super().estimate(question, reports, results)
        return estimate if isinstance(estimate, FollowUpEstimate) else ScaleEstimate.of(estimate)

    def among_asked(self, estimate: Estimate) -> Estimate:
        return ScaleEstimate.of(estimate)


def mean_error(asked: AskedParts, places: int, population: float) -> float:
    """The standard error of the mean place as a part of the scale's length, if all answers are equally frequent.

    A contrast c of equally frequent labels has |c|^2 times the variance of a contrast of length 1; that of a share has
    the squared length 1 - 1/k, and that of the mean k(k + 1)/(12(k - 1)).
    """
    share = labels_error(asked, places) ** 2 / (1 - 1 / places)
    spread = (places + 1) / (12 * (places - 1))
    return math.sqrt(variance_among(share * places * spread, spread, population))
