"""What rows with weights reported of a part: the same as tallies tell, from the reports themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from deniable.arrays import Column, Indices, Vector
from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.mean import WeightedMean
from deniable.estimation.weighted import WeightedEvidence
from deniable.protocol.questions.number import Point
from deniable.surveys.arms import Part
from deniable.surveys.combining import PartReports
from deniable.surveys.part_errors import points_of
from deniable.theory.numbers.points import worth_of


@dataclass(frozen=True, slots=True)
class WeightedReports(PartReports):
    """Reports of a part, each with a weight; their tally counts people and says nothing else."""

    column: Column
    weights: Vector

    @classmethod
    def of_rows(cls, part: Part, column: Column, weights: Vector) -> WeightedReports:
        """From the reports of some rows."""
        return cls(part, part.mechanism.tally(column), column, weights)

    @property
    def evidence(self) -> WeightedEvidence:
        """What the reports say of the part's own labels, by the weights."""
        found = self.alone("unbiased").evidence
        assert isinstance(found, WeightedEvidence)
        return found

    def alone(self, decoder: str, candidates: Iterable[str] | None = None) -> Estimate:
        """The estimate from these reports by themselves."""
        return self.part.mechanism.estimate(self.column, decoder, candidates, weights=self.weights)


def weighted_mean(reports: Sequence[WeightedReports]) -> WeightedMean:
    """The mean of a number from points at several levels."""
    worth: list[Vector] = []
    places: list[Indices] = []
    for each in reports:
        points, mechanism = points_of(each.part), each.part.mechanism
        assert points is not None
        places.append(mechanism.layout.report_index(each.column) + sum(map(len, worth)))
        worth.append(worth_of_points(points, each.part))
    weights = np.concatenate([each.weights for each in reports])
    return WeightedMean(WeightedEvidence.of(np.concatenate(worth)[None], np.concatenate(places), weights))


def worth_of_points(points: Point, part: Part) -> Vector:
    """What each report counts for the mean, from -1 to 1, less what its own threshold tells of itself."""
    threshold = (2 * points.level + 1) / points.levels - 1
    return worth_of(part.mechanism.channel().probabilities) + threshold / (points.points - 1)
