"""What rows with weights reported of a part: the same as tallies tell, from the reports themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deniable.arrays import Column, Indices, Vector
from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.mean import WeightedMean
from deniable.estimation.weighted import DrawnRows, WeightedEvidence
from deniable.mechanisms.weighted_reports import decoded_weighted, weighted_evidence
from deniable.protocol.questions.number import Point
from deniable.surveys.arms import Part
from deniable.surveys.combining import PartReports
from deniable.surveys.part_errors import points_of
from deniable.theory.numbers.points import worth_of


@dataclass(frozen=True, slots=True)
class WeightedReports(PartReports):
    """Reports of a part from rows with weights; their tally counts people and says nothing else."""

    column: Column
    rows: DrawnRows

    @property
    def evidence(self) -> WeightedEvidence:
        """What the reports say of the part's own labels, by the weights."""
        mechanism = self.part.mechanism
        return weighted_evidence(mechanism.law, mechanism.layout, self.column, self.rows, mechanism.channel)

    def alone(self, decoder: str, candidates: Iterable[str] | None = None) -> Estimate:
        """The estimate from these reports by themselves."""
        decoded = decoded_weighted(self.evidence, decoder, self.part.mechanism.law.adds_up)
        return replace(PartReports.alone(self, "unbiased"), decoded=decoded)


def weighted_mean(reports: Sequence[WeightedReports]) -> WeightedMean:
    """The mean of a number from points at several levels.

    ``worth`` tells what each report of each level counts, and ``places`` which of these each row sent.
    """
    worth: list[Vector] = []
    places: list[Indices] = []
    for each in reports:
        points, mechanism = points_of(each.part), each.part.mechanism
        assert points is not None
        places.append(mechanism.layout.report_index(each.column) + sum(map(len, worth)))
        worth.append(worth_of_points(points, each.part))
    rows = DrawnRows.together([each.rows for each in reports])
    return WeightedMean(WeightedEvidence.of(np.concatenate(worth)[None], np.concatenate(places), rows))


def worth_of_points(points: Point, part: Part) -> Vector:
    """What each report counts for the mean, from -1 to 1, less what its own threshold tells of itself."""
    threshold = (2 * points.level + 1) / points.levels - 1
    return worth_of(part.mechanism.channel().probabilities) + threshold / (points.points - 1)
